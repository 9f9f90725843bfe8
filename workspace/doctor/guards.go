package doctor

import (
	"context"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/guard"
)

// checkGuards names the guards that cannot be read, each of which lets every call pass, and notes those that wait for
// a person's word.
func (d *doctor) checkGuards(ctx context.Context) workspace.Check {
	const name = "guards"
	kept, err := guard.Guards(ctx, d.w)
	if err != nil {
		return workspace.Fault(name, "cortex guard list", "it cannot be told which guards are in force: %v", err)
	}
	broken := lists.Where(kept, func(k guard.Kept) bool { return k.Broken != nil })
	if len(broken) > 0 {
		return workspace.Fault(name, "mend or remove the file; cortex guard list says what is wrong with it",
			"every call passes %s: %v", namesOf(broken), broken[0].Broken)
	}
	c := workspace.Check{Name: name, OK: true}
	if waiting := lists.Where(kept, func(k guard.Kept) bool { return !k.InForce }); len(waiting) > 0 {
		c.Note = "not in force here: " + namesOf(waiting) + "; to vouch for one: cortex guard accept NAME"
	}
	return c
}

// guardFindings are the guards of a state that cannot be read, or whose memory is not among those with these ids. Of
// another branch than the one that is checked out there are none.
func (d *doctor) guardFindings(ctx context.Context, opt workspace.ViewOptions, ids map[memory.ID][]string) ([]Finding,
	error,
) {
	if opt.Branch != "" {
		return nil, nil
	}
	guards, err := guard.GuardsAt(ctx, d.w, opt.At)
	var out []Finding
	for _, g := range guards {
		where := guard.Path(g.Name)
		switch {
		case g.Broken != nil:
			out = append(out, find(where, "guard", "it lets every call pass: "+g.Broken.Error()))
		case ids[g.Guard.Memory] == nil:
			out = append(out, find(where, "guard", "the memory behind it, "+g.Guard.Memory.Short()+", is not here"))
		case !g.InForce:
			d.idle = append(d.idle, where)
		}
	}
	return out, err
}

// namesOf names the files of guards.
func namesOf(kept []guard.Kept) string {
	return strings.Join(lists.Map(kept, func(k guard.Kept) string { return guard.Path(k.Name) }), ", ")
}
