// Package lifecycle says what became of memories with time, and removes those
// that a person no longer wants. Call [Propose] for the memories that stayed
// archived, [Matching] and [OfSession] for those that a person means by words or
// by a session, and [Remove] with their word. It promises that nothing is removed
// that somebody relies on, and that cortex restore brings everything back; but
// what is older than the team's settings want, see [Overdue].
//
// What is archived is computed at reading time: docs/behaviour.md, "Status and decay".
package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Proposal lists the memories that `cortex gc` would remove: those that have been
// archived for as long as the policy says, the longest first.
type Proposal struct {
	Old      []Aged // that nothing holds
	Held     []Aged // that a memory which stays relies on
	Archived int    // memories that are archived, however long
	Total    int    // memories of this repository that the view holds
	After    time.Duration
	Most     int // of Total that one run may remove

	Overdue []workspace.Overdue // see [Overdue]
}

// Aged is an archived memory.
type Aged struct {
	Entry workspace.Entry
	For   time.Duration // how long it has been archived
	Held  string        // why it stays; "" for one that may go
}

// TooManyError is the error of a proposal that is over the share which one run may
// remove.
type TooManyError struct{ Removed, Total, Most int }

func (e *TooManyError) Error() string {
	return fmt.Sprintf("that would remove %d of %d memories, and at most %d may go at once", e.Removed, e.Total, e.Most)
}

// Check returns a [TooManyError] for a proposal that must not be carried out whole.
func (p *Proposal) Check() error {
	if len(p.Old) > p.Most {
		return &TooManyError{len(p.Old), p.Total, p.Most}
	}
	return nil
}

// Empty reports whether there is nothing to remove.
func (p *Proposal) Empty() bool { return len(p.Old)+len(p.Overdue) == 0 }

// CarryOut removes at a person's word what a proposal names.
func (p *Proposal) CarryOut(ctx context.Context, w *workspace.Workspace) error {
	return errors.Join(Remove(ctx, w, p.Entries()), removeOverdue(ctx, w))
}

// Entries are the memories that are to go.
func (p *Proposal) Entries() []workspace.Entry {
	return lists.Map(p.Old, func(a Aged) workspace.Entry { return a.Entry })
}

// Oldest leaves at most n memories in a proposal, those archived the longest.
func (p *Proposal) Oldest(n int) {
	p.Old = p.Old[:min(len(p.Old), n)]
}

// Propose finds what stayed archived, by the policy's gc.after_days and gc.share.
// Memories of the user's own store are never among them.
func Propose(ctx context.Context, w *workspace.Workspace) (*Proposal, error) {
	v, err := w.View(ctx, workspace.ViewOptions{})
	if err != nil {
		return nil, err
	}
	p := &Proposal{After: w.Config.GCAfter()}
	if p.Overdue, err = Overdue(ctx, w); err != nil {
		return nil, err
	}
	p.Total = v.Count(index.Landed) + v.Count(index.Pending)
	p.Most = int(float64(p.Total)*w.Config.GC.Share + 1e-9)
	entries := v.List(ctx, workspace.ListOptions{TextLess: true})
	held := holders(entries)
	for _, e := range entries {
		long, archived := v.ArchivedFor(&e)
		if !archived || e.Stage == index.Global || e.Status != memory.StatusArchived {
			continue
		}
		p.Archived++
		if long < p.After {
			continue
		}
		a := Aged{Entry: e, For: long, Held: heldBy(&e, held)}
		if a.Held != "" {
			p.Held = append(p.Held, a)
		} else {
			p.Old = append(p.Old, a)
		}
	}
	lists.Sort(p.Old, longestFirst)
	lists.Sort(p.Held, longestFirst)
	return p, nil
}

func longestFirst(a, b Aged) int {
	return cmp.Or(cmp.Compare(b.For, a.For), cmp.Compare(a.Entry.Memory.ID, b.Entry.Memory.ID))
}

// holders maps memories to one that is in force and links to them.
func holders(entries []workspace.Entry) map[memory.ID]memory.ID {
	out := map[memory.ID]memory.ID{}
	for _, e := range entries {
		if slices.Contains([]memory.Status{memory.StatusArchived, memory.StatusSuperseded}, e.Status) {
			continue
		}
		for _, l := range e.Memory.Links {
			out[l.To] = e.Memory.ID
		}
	}
	return out
}

// heldBy says why an archived memory stays all the same, "" for one that may go: one
// that is in force links to it, or it decides what the status of another is.
func heldBy(e *workspace.Entry, held map[memory.ID]memory.ID) string {
	if by, ok := held[e.Memory.ID]; ok {
		return by.Short() + " links to it"
	}
	decides := map[memory.Rel]string{
		memory.Supersedes: "it supersedes %s, which would come back",
		memory.StepOf:     "it is a step of %s, which would be open again",
		memory.Answers:    "it answers %s, which would be open again",
	}
	for _, l := range e.Memory.Links {
		if what, ok := decides[l.Rel]; ok {
			return fmt.Sprintf(what, l.To.Short())
		}
	}
	return ""
}

// Matching returns at most limit memories of this repository that a query finds, the
// best match first, for a person to choose from.
func Matching(ctx context.Context, w *workspace.Workspace, query string, limit int) ([]workspace.Entry, error) {
	found, err := w.Search(ctx, query, workspace.SearchOptions{Limit: limit, Alone: true})
	if err != nil {
		return nil, err
	}
	var out []workspace.Entry
	for _, f := range found.Results {
		if f.Entry.Stage != index.Global {
			out = append(out, f.Entry)
		}
	}
	return out, nil
}

// OfSession returns the memories that came from the session whose id begins with
// prefix, newest first. The prefix of several sessions is an error that names them.
func OfSession(ctx context.Context, w *workspace.Workspace, prefix string) ([]workspace.Entry, error) {
	v, err := w.View(ctx, workspace.ViewOptions{})
	if err != nil {
		return nil, err
	}
	out := lists.Without(v.List(ctx, workspace.ListOptions{TextLess: true}), func(e workspace.Entry) bool {
		return e.Stage == index.Global || !strings.HasPrefix(e.Memory.Source.Session, prefix)
	})
	if prefix == "" || len(out) == 0 {
		return nil, fmt.Errorf("session %s: %w", prefix, workspace.ErrNotFound)
	}
	sessions := make([]string, len(out))
	for i := range out {
		sessions[i] = out[i].Memory.Source.Session
	}
	slices.Sort(sessions)
	if sessions = slices.Compact(sessions); len(sessions) > 1 {
		return nil, fmt.Errorf("session %s: %w: it begins %s", prefix, workspace.ErrAmbiguous,
			strings.Join(sessions, ", "))
	}
	return out, nil
}

// Remove removes memories at a person's word, as [workspace.Workspace.Forget] removes
// one: what has landed from the working tree, unstaged, what is pending from the journal.
func Remove(ctx context.Context, w *workspace.Workspace, entries []workspace.Entry) error {
	ids := lists.Map(entries, func(e workspace.Entry) memory.ID { return e.Memory.ID })
	return w.ForgetAll(ctx, ids)
}
