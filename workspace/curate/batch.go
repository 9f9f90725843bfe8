package curate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
	"github.com/git-cortex/cortex/workspace/internal/journal"
)

// batch is one answer on its way into one state of the journal.
type batch struct {
	*desk
	snap     *gitops.Snapshot
	out      *Outcome
	change   gitops.Change
	verdicts []session.Verdict
}

// errMovedOn is a candidate that is not as the reader saw it.
var errMovedOn = errors.New("it has landed, was edited or was removed since the sheet was printed")

// waiting returns the bytes of a candidate, if it waits as it did.
func (b *batch) waiting(ctx context.Context, x Candidate) ([]byte, error) {
	data, _, err := b.snap.File(ctx, x.Path)
	if err != nil {
		return nil, err
	}
	if x.Note {
		data = noteIn(data, x.ID)
	}
	same := string(b.w.Repo.Hash(data)) == x.Blob
	if !same || slices.Contains(b.change.Remove, x.Path) {
		return nil, errMovedOn
	}
	return data, nil
}

// noteIn is the memory file of a note of a session record; nil if there is none, or somebody
// has decided about it.
func noteIn(record []byte, id memory.ID) []byte {
	s, err := session.Parse(record)
	if err != nil {
		return nil
	}
	for _, m := range s.OpenNotes() {
		if m.ID == id {
			return memory.Format(m)
		}
	}
	return nil
}

// takeAway has a candidate wait no longer: a copy of a pending memory is kept, and a note
// stays where it is, with the verdict about it.
func (b *batch) takeAway(x Candidate, data []byte) {
	if x.Note {
		return
	}
	b.change.Put[journal.DismissedPath(x.ID)] = data
	b.change.Remove = append(b.change.Remove, x.Path, journal.MarkOf(x.Path, x.ID))
}

// addOrRefuse adds a memory, and notes what the reader is to be told of it.
func (b *batch) addOrRefuse(ctx context.Context, c *claim) {
	title := grounding.Line(c.worded.Title, 120)
	if err := b.add(ctx, c); err != nil {
		b.out.Refused = append(b.out.Refused, Refused{title, err.Error()})
		return
	}
	if b.waits[c] != "" {
		b.out.Waits = append(b.out.Waits, Refused{title, b.waits[c]})
	}
	if len(c.unkeyed) > 0 {
		b.out.Unkeyed = append(b.out.Unkeyed, Refused{title, strings.Join(c.unkeyed, "; ")})
	}
}

// add puts a memory in the place of what it stands for. The copies that stay in
// the folder of what was dismissed keep those from being captured again.
func (b *batch) add(ctx context.Context, c *claim) error {
	m := c.memory(b.w)
	if _, ok, err := b.snap.File(ctx, journal.DismissedPath(m.ID)); err != nil || ok {
		return errors.Join(err, errors.New("it was dismissed before"))
	}
	prefix := gitops.PendingPrefix(b.w.Secrets.Branch(ctx, b.w.Repo.Topic))
	var files [][]byte
	var became []Candidate
	var stoodFor []*memory.Memory
	for _, x := range c.standsFor() {
		data, err := b.waiting(ctx, x)
		if err != nil {
			return fmt.Errorf("%s: %w", x.ID.Short(), err)
		}
		if x.ID == m.ID {
			return errors.New("it is what the candidate says, word by word")
		}
		if old, err := memory.Parse(x.Path, data); err == nil {
			if c.leaves(old) {
				continue
			}
			stoodFor = append(stoodFor, old)
		}
		files, became = append(files, data), append(became, x)
		if !x.Note {
			prefix = branchFolder(x.Path)
		}
	}
	for i, x := range became {
		b.takeAway(x, files[i])
		b.verdicts = append(b.verdicts, session.Verdict{ID: x.ID, Is: session.Became, Note: string(m.ID)})
	}
	m.Source.Origin = c.originOf(stoodFor)
	inherit(ctx, b.w, m, stoodFor)
	path := prefix + "/" + m.Path()
	b.change.Put[path] = memory.Format(m)
	if b.sheet.Received {
		b.change.Put[journal.MarkOf(path, m.ID)] = nil
	}
	b.out.Added = append(b.out.Added, m)
	b.out.Became += len(became)
	return nil
}

// inherit gives a memory what a program knows of those that it stands for: where
// they were learned, what brings them back, and the files they are about if the
// reader names none.
func inherit(ctx context.Context, w *workspace.Workspace, m *memory.Memory, stoodFor []*memory.Memory) {
	named := len(m.Files) > 0
	for i, old := range stoodFor {
		if i == 0 {
			m.Source.Model, m.Source.Branch, m.Source.Commit = old.Source.Model, old.Source.Branch, old.Source.Commit
		}
		m.Tags, m.Entities = append(m.Tags, old.Tags...), append(m.Entities, old.Entities...)
		m.Triggers, m.Seen = append(m.Triggers, inherited(m, old)...), append(m.Seen, old.Seen...)
		if !named {
			m.Files = append(m.Files, old.Files...)
		}
	}
	m.Tidy()
	if t, err := w.Tree(); err == nil {
		workspace.Anchor(ctx, w.Repo, t, map[*memory.Memory][]string{m: m.Files})
	}
}

// inherited are the triggers of a memory that another one stands for. Where the reader has
// named the calls before which it matters, the command of the call that failed, such as
// "bun run", is no longer one of them.
func inherited(m, old *memory.Memory) []string {
	if len(m.TriggersOf(memory.TriggerBefore)) == 0 {
		return old.Triggers
	}
	return lists.Without(old.Triggers, func(t string) bool {
		return strings.HasPrefix(t, string(memory.TriggerCommand)+": ")
	})
}

// branchFolder is the part of a pending memory's path that is before its type,
// its month and its name.
func branchFolder(path string) string {
	parts := strings.Split(path, "/")
	return strings.Join(parts[:max(len(parts)-3, 0)], "/")
}

// drop takes a candidate off the list, and keeps a copy.
func (b *batch) drop(ctx context.Context, x drop) error {
	data, err := b.waiting(ctx, x.Candidate)
	if err != nil {
		return err
	}
	b.takeAway(x.Candidate, data)
	b.out.Dropped = append(b.out.Dropped, Dropped{string(x.ID), x.reason})
	b.verdicts = append(b.verdicts, session.Verdict{ID: x.ID, Is: session.Dropped, Note: x.reason})
	return nil
}

// record notes what was decided in the session record, and how far the session
// was read. Without a record there is nothing to note it in.
func (b *batch) record(ctx context.Context) error {
	for _, c := range b.sheet.Candidates {
		if slices.ContainsFunc(b.verdicts, func(v session.Verdict) bool { return v.ID == c.ID }) {
			continue
		}
		switch _, err := b.waiting(ctx, c); { // or an earlier answer to this sheet decided
		case err == nil:
			b.verdicts = append(b.verdicts, session.Verdict{ID: c.ID, Is: session.Left})
			b.out.Left++
		case !errors.Is(err, errMovedOn):
			return err
		}
	}
	data, ok, err := b.snap.File(ctx, b.sheet.Record)
	if err != nil || !ok {
		return err
	}
	s, err := session.Parse(data)
	if err != nil {
		return nil //nolint:nilerr // the next capture writes it anew
	}
	s.Decide(b.verdicts...)
	read := b.sheet.To
	if !b.sheet.More {
		read = max(read, b.sheet.Lines)
	}
	s.Curated = max(s.Curated, read)
	b.change.Put[b.sheet.Record] = session.Format(s)
	return nil
}
