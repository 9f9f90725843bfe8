package doctor

import (
	"cmp"
	"context"
	"fmt"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/pages"
)

// checkTemplates names templates of the team that cannot be used.
func (d *doctor) checkTemplates() workspace.Check {
	const name = "templates"
	if d.tree.Root == "" || !d.tree.Exists(workspace.TemplatesDir) {
		return workspace.Check{Name: name, OK: true}
	}
	paths := append(lists.Map(projection.Kinds(), workspace.TemplatePath), workspace.BriefingTemplate)
	var wrong []string
	for _, path := range paths {
		text, _, err := d.tree.ReadCapped(path, projection.MaxTemplate)
		if err = cmp.Or(err, checkTemplate(path, text)); err != nil {
			wrong = append(wrong, err.Error())
		}
	}
	if len(wrong) == 0 {
		return workspace.Check{Name: name, OK: true}
	}
	return workspace.Fault(name, "mend or remove the template; until then the layout of cortex is used", "%s",
		some(wrong))
}

// StagedTemplates says in a line each why templates that the commit being made brings cannot be used.
func StagedTemplates(ctx context.Context, w *workspace.Workspace) (wrong []string) {
	if tree, err := w.Tree(); err != nil || !tree.Exists(workspace.TemplatesDir) {
		return nil
	}
	// Nothing is known of what is in conflict.
	changes, _ := w.Repo.StagingArea().Differences(ctx, headOf(w), workspace.TemplatesDir)
	for _, c := range changes {
		text, err := pages.TemplateOf(ctx, w.Repo, c.Path, c.New)
		if err = cmp.Or(err, checkTemplate(c.Path, text)); err != nil {
			wrong = append(wrong, err.Error()+"; until that is mended the layout of cortex is used")
		}
	}
	return wrong
}

// StagedSurfaces says of each surface that was edited by hand that the commit being made does not renew it; nothing
// where that commit brings no memories.
func StagedSurfaces(ctx context.Context, w *workspace.Workspace) []string {
	tree, _ := w.Tree() // none without a working tree
	edited, remedy := pages.EditedSurfaces(tree)
	if len(edited) == 0 {
		return nil
	}
	changes, _ := w.Repo.StagingArea().Differences(ctx, headOf(w), workspace.MemoriesDir)
	if len(changes) == 0 {
		return nil
	}
	return lists.Map(edited, func(s pages.Surface) string { return s.Says() + ": " + remedy })
}

// headOf is the commit that the commit being made has as its first parent, or an empty tree.
func headOf(w *workspace.Workspace) gitops.ObjectID {
	return cmp.Or(gitops.ObjectID(w.Repo.Head), w.Repo.EmptyTree())
}

// checkTemplate says why the template at a path cannot be used; nil too for another file.
func checkTemplate(path string, text []byte) (err error) {
	if kind := pages.KindOfTemplate(path); kind != "" {
		err = projection.CheckTemplate(kind, string(text))
	} else if path == workspace.BriefingTemplate {
		err = projection.CheckBriefing(string(text))
	}
	if err != nil {
		return fmt.Errorf("%s/%w", workspace.TemplatesDir, err)
	}
	return nil
}
