package consolidate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Outcome says what was written, and why the rest was not.
type Outcome struct {
	Snapshot string // the ref that holds everything as it was before; "" if nothing was written
	Written  []Written
	Refused  []Refused
}

// Written is a memory that stands for others now.
type Written struct {
	Entry workspace.Entry
	For   []memory.ID
	Waits bool // it replaces what a person wrote, on an agent's word, and changes nothing before a person accepts it
}

// Refused is a group that stays as it is.
type Refused struct {
	Group  string `json:"group"`
	Reason string `json:"reason"`
}

// piece is a memory that is to be written, and what it stands for.
type piece struct {
	draft   Draft
	members []Member
}

// Apply writes the drafts of a proposal: each as one memory with a link derived_from
// and one supersedes to each member. Nothing is removed.
func Apply(ctx context.Context, w *workspace.Workspace, p *Proposal) (*Outcome, error) {
	pieces := make([]piece, len(p.Groups))
	for i, g := range p.Groups {
		pieces[i] = piece{g.Draft, g.Members}
	}
	out := new(Outcome)
	return out, out.write(ctx, w, pieces)
}

// write makes a snapshot and writes memories.
func (out *Outcome) write(ctx context.Context, w *workspace.Workspace, pieces []piece) error {
	if len(pieces) == 0 {
		return nil
	}
	if err := w.Journal.Writable(ctx); err != nil {
		return err
	}
	journal, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return err
	}
	kept, err := w.Repo.Keep(ctx, workspace.Dir, journal.Commit(), gitops.BeforeConsolidation, w.Now())
	if err != nil {
		return err
	}
	out.Snapshot = kept.Ref
	for _, p := range pieces {
		m := p.memory(w)
		if err := m.Validate(); err != nil {
			return fmt.Errorf("writing %s: %w", m.ID.Short(), err)
		}
		if err := w.AddMemory(ctx, m, w.ByAgent() || p.allPending()); err != nil {
			return err
		}
	}
	w.LookedAtGroups()
	return out.find(ctx, w, pieces)
}

// find looks up what was written, as the view has it now.
func (out *Outcome) find(ctx context.Context, w *workspace.Workspace, pieces []piece) error {
	v, err := w.View(ctx, workspace.ViewOptions{Local: true})
	if err != nil {
		return err
	}
	for _, p := range pieces {
		m := p.memory(w)
		e, err := v.Find(ctx, string(m.ID))
		if errors.Is(err, workspace.ErrNotFound) { // it is in the spool of a journal that cannot be read
			e, err = workspace.Entry{
				Memory: m,
				Item:   index.Item{Stage: index.Pending, Status: memory.StatusActive, Effective: m.Confidence},
			}, nil
		}
		if err != nil {
			return err
		}
		out.Written = append(out.Written, Written{Entry: e, For: m.Linked(memory.DerivedFrom), Waits: v.Presumes(m.ID)})
	}
	return nil
}

// allPending reports whether no member is a file yet.
func (p *piece) allPending() bool {
	return !slices.ContainsFunc(p.members, func(m Member) bool { return m.Entry.Stage == index.Landed })
}

// memory is a piece as it is stored: with all that a program knows of its members.
func (p *piece) memory(w *workspace.Workspace) *memory.Memory {
	m := memory.New(p.members[0].Entry.Memory.Type, p.draft.Title, p.draft.Text, w.Now())
	m.Confidence, m.Priority = 0, 0
	m.Source = memory.Source{
		Agent: w.StartedBy(), Layer: string(session.LayerCurated), Branch: w.Repo.Topic,
		Commit: workspace.Abbrev(w.Repo.Head),
	}
	if !w.ByAgent() {
		m.Source.Layer = ""
	}
	in := map[memory.ID]bool{}
	m.Source.Origin = memory.OriginPerson
	for _, x := range p.members {
		m.Source.Origin = memory.WeakestOrigin(m.Source.Origin, x.Entry.Memory.Source.Claimed())
		in[x.Entry.Memory.ID] = true
	}
	for _, x := range p.members {
		id := x.Entry.Memory.ID
		m.Links = append(m.Links, memory.Link{Rel: memory.DerivedFrom, To: id},
			memory.Link{Rel: memory.Supersedes, To: id})
	}
	for _, x := range p.members {
		inherit(m, x.Entry.Memory, in)
	}
	m.Anchors = p.anchors()
	m.Tidy()
	return m
}

// inherit adds to m what an old memory has besides its words. What m supersedes goes on
// superseding what is older.
func inherit(m, old *memory.Memory, in map[memory.ID]bool) {
	m.Confidence, m.Priority = max(m.Confidence, old.Confidence), max(m.Priority, old.Priority)
	m.Tags, m.Files = append(m.Tags, old.Tags...), append(m.Files, old.Files...)
	m.Entities, m.Triggers = append(m.Entities, old.Entities...), append(m.Triggers, old.Triggers...)
	m.Links = append(m.Links, lists.Without(old.Links, func(l memory.Link) bool {
		return in[l.To] || slices.Contains([]memory.Rel{memory.Supersedes, memory.DerivedFrom}, l.Rel)
	})...)
	m.Seen = append(m.Seen, old.Seen...)
	if old.Source.Session != "" {
		m.Seen = append(m.Seen, recipe.SessionMark(old.Source.Session))
	}
	m.Scope = cmp.Or(old.Scope, m.Scope)
}

// anchors say what the code was when a member was learned from it, the last one that was:
// a memory that is put together today has not looked at the code.
func (p *piece) anchors() []memory.Anchor {
	newest := slices.Clone(p.members)
	lists.Sort(newest, func(a, b Member) int { return b.Entry.Memory.Created.Compare(a.Entry.Memory.Created) })
	var out []memory.Anchor
	for _, x := range newest {
		for _, a := range x.Entry.Memory.Anchors {
			if !slices.ContainsFunc(out, func(have memory.Anchor) bool { return have.Path == a.Path }) {
				out = append(out, a)
			}
		}
	}
	return out
}
