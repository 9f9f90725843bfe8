package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// contested is a landed memory that needs a person: a merge could not decide between two
// versions of it, or another memory in force supersedes the same one.
type contested struct {
	id   memory.ID
	path string
	says string
	hint string
}

// contestedOf lists what is contested in a view, in the order of the view.
func (d *doctor) contestedOf(v *workspace.View) []contested {
	supersedes := map[memory.ID][]memory.ID{}
	by := map[memory.ID][]memory.ID{}
	for i, it := range v.Items {
		f, ok := d.w.Index.Catalog().Facts(it.Blob)
		if !ok || it.Status == memory.StatusSuperseded || !v.Accepted(i) {
			continue
		}
		for _, l := range f.Links {
			if l.Rel == memory.Supersedes && l.To != f.ID {
				supersedes[f.ID] = append(supersedes[f.ID], l.To)
				by[l.To] = append(by[l.To], f.ID)
			}
		}
	}
	var out []contested
	for _, it := range v.Items {
		f, ok := d.w.Index.Catalog().Facts(it.Blob)
		if !ok || it.Stage != index.Landed {
			continue
		}
		switch c := (contested{id: f.ID, path: it.Path}); {
		case f.Contested:
			c.says = "it holds two versions, because a merge could not decide"
			c.hint = "edit " + gitops.Quote(it.Path) + ": keep what is right, and remove the line contested"
			out = append(out, c)
		case it.Status == memory.StatusContested:
			var rivals []string
			for _, old := range supersedes[f.ID] {
				for _, id := range by[old] {
					if id != f.ID {
						rivals = append(rivals, id.Short()+" supersedes "+old.Short()+" too")
					}
				}
				if slices.Contains(supersedes[old], f.ID) {
					rivals = append(rivals, old.Short()+" and it supersede each other")
				}
			}
			slices.Sort(rivals)
			c.says = strings.Join(slices.Compact(rivals), ", ")
			if c.says == "" {
				c.says = "it is in a circle of memories that supersede each other"
			}
			c.hint = "cortex link RIGHT supersedes WRONG, or remove one of them"
			out = append(out, c)
		}
	}
	return out
}

// checkContested names what a merge or two branches left for a person to decide.
func (d *doctor) checkContested(v *workspace.View) workspace.Check {
	all := d.contestedOf(v)
	if len(all) == 0 {
		return workspace.Check{Name: "contested", OK: true}
	}
	return workspace.Fault("contested", all[0].hint, "%s", andMore(all[0].id.Short()+": "+all[0].says, len(all)))
}

// unsettled names the memory files that one side of a merge changed and the other
// removed, which git leaves without markers. Only a person knows which is right.
func (d *doctor) unsettled(ctx context.Context) (workspace.Check, error) {
	c := workspace.Check{Name: "removed or changed", OK: true}
	paths, err := d.w.Repo.StagingArea().OneSided(ctx, workspace.MemoriesDir)
	if err != nil || len(paths) == 0 {
		return c, err
	}
	name := gitops.Quote(paths[0])
	return workspace.Fault(c.Name, fmt.Sprintf("to keep the memory: git add %s; to remove it: git rm %s", name, name),
		"%s", andMore(paths[0]+": one side of the merge changed it, and the other removed it", len(paths))), nil
}
