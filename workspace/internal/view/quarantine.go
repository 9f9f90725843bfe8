package view

import (
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace/internal/trust"
)

// A memory file that came with a branch of somebody else is in quarantine until it is on
// a branch that this clone trusts or a person accepts it (docs/behaviour.md, "Trust"). That
// is decided by its content, so what changes it later in a commit waits again. What was accepted
// is marked in our own journal: accepted/<blob>. These marks stay in the clone.

// Quarantine lists the files of the view that are in quarantine, by path.
func (v *View) Quarantine() []index.Item { return v.hidden.apart }

// QuarantineText says in a line what is in quarantine, and what can be done; "" if
// nothing is.
func (v *View) QuarantineText() string { return trust.Withheld(len(v.hidden.apart)) }

// quarantine finds what of the landed files is not trusted, and leaves it out unless it
// is asked for. Whatever state is named, as by a revision, is shown as it is.
func (r *Reader) quarantine(ctx context.Context, v *View, opt Options, snap *gitops.Snapshot,
	landed []index.Item,
) []index.Item {
	if !v.OfWorktree() || len(landed) == 0 || r.Trust == nil || r.Global.Here() {
		return landed
	}
	q, err := r.askTrust(ctx)
	if err != nil {
		r.Notices.Add("%v: nothing that has landed is told to an agent", err)
		q = untrusted{waits: map[string]bool{}}
		for _, it := range landed {
			q.add(it.Blob)
		}
	}
	if len(q.waits) == 0 {
		return landed
	}
	q.accepted = trust.Accepted(ctx, snap)
	landed = slices.Clone(landed)
	for i := range landed {
		it := &landed[i]
		it.Apart = q.has(it)
		if it.Apart {
			v.hidden.apart = append(v.hidden.apart, *it)
			it.Apart = !opt.Judged
		}
	}
	lists.Sort(v.hidden.apart, func(a, b index.Item) int { return strings.Compare(a.Path, b.Path) })
	if opt.Unreviewed || opt.Judged {
		return landed
	}
	v.hidden.withheld = len(v.hidden.apart)
	return lists.Without(landed, func(it index.Item) bool { return it.Apart })
}

// untrusted is the contents that nobody here has reviewed.
type untrusted struct {
	waits     map[string]bool // that came with a branch which is not trusted
	accepted  map[string]bool // of these, those that a person accepted
	committed trust.Committed // the files of the commit that is checked out
}

func (r *Reader) askTrust(ctx context.Context) (untrusted, error) {
	waits, err := r.Trust.Unreviewed(ctx)
	if err != nil || len(waits) == 0 {
		return untrusted{}, err
	}
	committed, err := r.Trust.Committed(ctx)
	return untrusted{waits: waits, committed: committed}, err
}

func (u *untrusted) add(blob string) {
	u.waits[blob] = true
}

// has reports whether a file is not trusted: by its content, or by that which the commit has at
// its path, unless a person accepted what stands there now.
func (u *untrusted) has(it *index.Item) bool {
	if it.Stage != index.Landed || u.accepted[it.Blob] {
		return false
	}
	return u.waiting(it.Blob) || slices.ContainsFunc(u.committed.At(it.Path), u.waiting)
}

func (u *untrusted) waiting(blob string) bool { return u.waits[blob] && !u.accepted[blob] }
