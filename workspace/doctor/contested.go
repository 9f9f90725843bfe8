package doctor

import (
	"cmp"
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
	supersedes, by := d.superseding(v)
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
			c.says = cmp.Or(rivals(f.ID, supersedes, by), "it is in a circle of memories that supersede each other")
			c.hint = "cortex link RIGHT supersedes WRONG, or remove one of them"
			out = append(out, c)
		}
	}
	return out
}

// superseding are the memories that each memory in force supersedes, and for each of those by which.
func (d *doctor) superseding(v *workspace.View) (supersedes, by map[memory.ID][]memory.ID) {
	supersedes, by = map[memory.ID][]memory.ID{}, map[memory.ID][]memory.ID{}
	for i, it := range v.Items {
		if it.Status == memory.StatusSuperseded || !v.Accepted(i) {
			continue
		}
		f, _ := d.w.Index.Catalog().Facts(it.Blob)
		for _, old := range memory.Targets(f.Links, memory.Supersedes) {
			if old != f.ID {
				supersedes[f.ID] = append(supersedes[f.ID], old)
				by[old] = append(by[old], f.ID)
			}
		}
	}
	sortEach(supersedes)
	sortEach(by)
	return supersedes, by
}

// sortEach sorts the ids of each memory, and leaves each once.
func sortEach(of map[memory.ID][]memory.ID) {
	for id, ids := range of {
		slices.Sort(ids)
		of[id] = slices.Compact(ids)
	}
}

// namedRivals is how many rivals of a memory are named. All that supersede the same one
// are rivals of each other, and somebody else's branch may bring thousands.
const namedRivals = 3

// rivals says which other memories supersede what a memory supersedes; "" if none does.
// The lists are sorted.
func rivals(id memory.ID, supersedes, by map[memory.ID][]memory.ID) string {
	var texts []string
	all := 0
	for _, old := range supersedes[id] {
		all += len(by[old]) - 1
		for _, rival := range by[old][:min(namedRivals+1, len(by[old]))] {
			if rival != id && len(texts) < namedRivals {
				texts = append(texts, rival.Short()+" supersedes "+old.Short()+" too")
			}
		}
		if _, mutual := slices.BinarySearch(supersedes[old], id); mutual {
			all++
			if len(texts) < namedRivals {
				texts = append(texts, old.Short()+" and it supersede each other")
			}
		}
	}
	out := strings.Join(texts, ", ")
	if more := all - len(texts); more > 0 {
		out += fmt.Sprintf(" and %d more", more)
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
