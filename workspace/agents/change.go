package agents

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/places"
)

// change is the commit of the journal that holds what one reading of a transcript found.
type change struct {
	gitops.Change
	snap    *gitops.Snapshot
	out     *Captured
	pending places.Finder // of the branch
}

// changeOf returns the commit that holds what was captured, the record of the session and
// how far its transcript was read.
func (x *capturer) changeOf(ctx context.Context, snap *gitops.Snapshot, out *Captured) (gitops.Change, error) {
	out.Added, out.Gone = nil, 0
	if err := adoptDecided(ctx, snap, out.Session); err != nil {
		return gitops.Change{}, err
	}
	record := out.Session.Path()
	c := change{
		Change: gitops.Change{
			When: x.w.Now(), Trailers: x.w.Trailers(out.Session.ID, out.Branch),
			Put:    map[string][]byte{record: session.Format(out.Session)},
			Remove: []string{journal.MarkOf(record, "")}, // from now on the record is our own
		},
		snap: snap, out: out, pending: places.Pending(ctx, snap, out.Branch),
	}
	if err := c.putKept(ctx, journal.MarksIn(ctx, snap)); err != nil {
		return c.Change, err
	}
	if err := c.takeBack(ctx); err != nil {
		return c.Change, err
	}
	if err := c.raise(ctx); err != nil {
		return c.Change, err
	}
	if err := c.prove(ctx); err != nil {
		return c.Change, err
	}
	c.Message = messageOf(out)
	return c.Change, nil
}

func messageOf(out *Captured) string {
	id := out.Session.ID
	said := fmt.Sprintf("capture: %s from %s %s", notices.Memories(len(out.Added)), out.Session.Agent,
		id[:min(len(id), 8)])
	if out.Branch != "" {
		said += " (" + out.Branch + ")"
	}
	return said
}

// adoptDecided takes over what a reader has decided of a session meanwhile.
func adoptDecided(ctx context.Context, snap *gitops.Snapshot, read *session.Session) error {
	data, _, err := fileAt(ctx, snap, read.Path()) // nil is no record
	if err != nil {
		return err
	}
	if now, err := session.Parse(data); err == nil {
		read.Adopt(now)
		read.AdoptNotes(now)
	}
	return nil
}

// putKept adds what was captured and the journal does not have. What only a remote said
// becomes our own.
func (c *change) putKept(ctx context.Context, received workspace.Marks) error {
	if err := received.Unreadable(); err != nil {
		return err
	}
	for _, m := range c.out.Memories() {
		there, err := c.pending(m.ID)
		if err != nil {
			return err
		}
		if len(there) == 0 {
			err = c.add(ctx, m)
		} else if received.Memory(m.ID) {
			c.Put[there[0]] = memory.Format(m)
			c.Remove = append(c.Remove, journal.MarkOf(there[0], m.ID), journal.ReceivedFolder+m.ID.Short())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds a new pending memory.
func (c *change) add(ctx context.Context, m *memory.Memory) error {
	at, err := places.New(ctx, c.snap, c.out.Branch, m)
	if err != nil {
		return err
	}
	c.Put[at] = memory.Format(m)
	c.out.Added = append(c.out.Added, m)
	return nil
}

// takeBack removes what the session has withdrawn and nobody relies on.
func (c *change) takeBack(ctx context.Context) error {
	earlier, err := stillPending(ctx, c.snap, c.out.Branch, c.out.Session.ID, c.out.Withdrawn)
	if err != nil {
		return err
	}
	for _, m := range earlier {
		if !slices.Contains(c.out.Withdrawn, m.ID) || reliedOn(m) {
			continue
		}
		paths, err := c.pending(m.ID)
		if err != nil {
			return err
		}
		c.Remove = append(c.Remove, paths...)
		c.out.Gone++
	}
	return nil
}

// raise writes what the session met or said again as it is now. What is gone meanwhile is
// added for the branch of the session.
func (c *change) raise(ctx context.Context) error {
	for _, again := range c.out.met {
		have, err := c.at(ctx, again.path)
		if err != nil {
			return err
		}
		if have == nil {
			c.Put[gitops.PendingPrefix(c.out.Branch)+"/"+again.m.Path()] = memory.Format(again.m)
			c.out.Added = append(c.out.Added, again.m)
			continue
		}
		if raised, changed := foldRestated(have, again.m); changed {
			c.Put[again.path] = memory.Format(raised)
		}
	}
	return nil
}

// at is the memory at a path as this change leaves it; nil if there is none that can be
// parsed.
func (c *change) at(ctx context.Context, path string) (*memory.Memory, error) {
	data, changed := c.Put[path]
	if !changed {
		var err error
		if data, _, err = c.snap.File(ctx, path); err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
	}
	m, err := memory.Parse(path, data)
	if err != nil {
		return nil, nil
	}
	return m, nil
}

// prove writes down the origins that the session has established for memories that its
// agent had remembered itself.
func (c *change) prove(ctx context.Context) error {
	for id, origin := range c.out.Proved {
		paths, err := c.pending(id)
		if err != nil {
			return err
		}
		for _, path := range paths {
			data, _, err := fileAt(ctx, c.snap, path)
			if err != nil {
				return err
			}
			if m, err := memory.Parse(path, data); err == nil && m.Source.Claimed() == "" {
				m.Source.Origin = origin
				c.Put[path] = memory.Format(m)
			}
		}
	}
	return nil
}

// unproven finds the pending memories that an agent wrote down itself, by a tool or a
// command: only the transcript of its session can tell whose words they are.
func (r *reading) unproven(ctx context.Context) func() ([]*memory.Memory, error) {
	return func() ([]*memory.Memory, error) {
		found, err := memoriesIn(ctx, r.snap, gitops.PendingPrefix(r.branch), func(m *memory.Memory) bool {
			return m.Source.Agent == r.in.Agent && m.Source.Session == "" && m.Source.Claimed() == ""
		})
		return onlyMemories(found), err
	}
}

// foldRestated returns have as it is once m's session has said it again: the sessions are
// joined, and what a person says again is a person's. It reports whether that changed
// anything. have itself is not changed.
func foldRestated(have, m *memory.Memory) (*memory.Memory, bool) {
	if recipe.Is(have) && recipe.Is(m) {
		return recipe.Fold(have, m)
	}
	out := *have
	out.Seen = seenIn(have, m)
	if m.Source.Origin == memory.OriginPerson {
		out.Source.Origin = m.Source.Origin
	}
	return &out, !bytes.Equal(memory.Format(&out), memory.Format(have))
}

// seenAtMost bounds how many sessions a memory names.
const seenAtMost = 12

// seenIn are the marks of the sessions that said have, once that of m has said it again;
// nil where that is the same session.
func seenIn(have, m *memory.Memory) []string {
	marks := slices.Concat(have.Seen, []string{recipe.SessionMark(m.Source.Session)}, m.Seen)
	if len(have.Seen) > 0 {
		return firstOf(marks, max(seenAtMost, len(have.Seen)))
	}
	marks = firstOf(slices.Insert(marks, 0, recipe.SessionMark(have.Source.Session)), seenAtMost)
	if len(marks) < 2 {
		return nil
	}
	return marks
}

// reliedOn reports whether other sessions than its own have met a memory or said it
// again: its own cannot take it back any more.
func reliedOn(m *memory.Memory) bool {
	own := recipe.SessionMark(m.Source.Session)
	return slices.ContainsFunc(m.Seen, func(s string) bool { return s != own })
}
