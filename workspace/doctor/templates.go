package doctor

import (
	"fmt"

	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
)

// checkTemplates names templates of the team that cannot be used.
func (d *doctor) checkTemplates() workspace.Check {
	const name = "templates"
	if d.tree.Root == "" || !d.tree.Exists(workspace.TemplatesDir) {
		return workspace.Check{Name: name, OK: true}
	}
	check := func(path string, judge func(string) error) error {
		data, ok, err := d.tree.ReadCapped(path, projection.MaxTemplate)
		if err == nil && ok {
			if err = judge(string(data)); err != nil {
				err = fmt.Errorf("%s/%w", workspace.TemplatesDir, err)
			}
		}
		return err
	}
	var wrong []string
	for _, kind := range projection.Kinds() {
		if err := check(workspace.TemplatePath(kind),
			func(t string) error { return projection.CheckTemplate(kind, t) }); err != nil {
			wrong = append(wrong, err.Error())
		}
	}
	if err := check(workspace.BriefingTemplate, projection.CheckBriefing); err != nil {
		wrong = append(wrong, err.Error())
	}
	if len(wrong) == 0 {
		return workspace.Check{Name: name, OK: true}
	}
	return workspace.Fault(name, "mend or remove the template; until then the layout of cortex is used", "%s",
		some(wrong))
}
