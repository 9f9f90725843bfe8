package review

import (
	"context"
	"errors"
	"slices"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// ErrItself says that a link would lead from a memory to itself.
var ErrItself = errors.New("a memory is not linked to itself")

// Link gives a memory a link to another one, or takes it out, and reports whether that changed anything. What denies
// the new link goes: two memories do not agree and contradict each other.
func Link(
	ctx context.Context, w *workspace.Workspace, r *Item, rel memory.Rel, other string, remove bool,
) (bool, error) {
	v, err := w.View(ctx, workspace.ViewOptions{AllBranches: true, Unreviewed: !w.ByAgent()})
	if err != nil {
		return false, err
	}
	to, err := v.Find(ctx, other)
	if err != nil {
		return false, err
	}
	if to.Memory.ID == r.Memory.ID {
		return false, ErrItself
	}
	link := memory.Link{Rel: rel, To: to.Memory.ID}
	changed, err := Change(ctx, w, r, func(m *memory.Memory) error {
		if m.Links = lists.Without(m.Links, func(l memory.Link) bool { return l == link }); !remove {
			m.Links = append(withoutOpposite(m.Links, link), link)
		}
		return nil
	})
	if err != nil || remove || rel != memory.Agrees {
		return changed, err
	}
	back := memory.Link{Rel: rel, To: r.Memory.ID}
	if len(withoutOpposite(slices.Clone(to.Memory.Links), back)) == len(to.Memory.Links) {
		return changed, nil
	}
	return true, deny(ctx, w, to.Memory.ID, back)
}

// deny takes out of a memory the links that another one denies.
func deny(ctx context.Context, w *workspace.Workspace, id memory.ID, link memory.Link) error {
	other, err := Lookup(ctx, w, string(id))
	if err != nil {
		return err
	}
	_, err = Change(ctx, w, &other, func(m *memory.Memory) error {
		m.Links = withoutOpposite(m.Links, link)
		return nil
	})
	return err
}

// withoutOpposite takes out of links those that a new one denies.
func withoutOpposite(links []memory.Link, link memory.Link) []memory.Link {
	opposite := map[memory.Rel]memory.Rel{
		memory.Agrees: memory.Contradicts, memory.Contradicts: memory.Agrees, memory.Supersedes: memory.Agrees,
	}[link.Rel]
	return lists.Without(links, func(l memory.Link) bool { return l.To == link.To && l.Rel == opposite })
}
