package curate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
	"github.com/git-cortex/cortex/workspace/internal/notices"
)

// Outcome says which parts of an answer were applied, and why the rest was refused.
type Outcome struct {
	Sheet   *Sheet
	Added   []*memory.Memory // pending now
	Became  int              // candidates that they stand for
	Dropped []Dropped        // candidates that are gone; `cortex restore` brings them back
	Left    int              // candidates that stay as they are
	Refused []Refused
	Waits   []Refused // memories that were added, but do not land by themselves though the reader would have them
	Pairs   []Pair    // of which one now says that it contradicts the other
	Unkeyed []Refused // memories that were added without some of the moments, or a sentence, that the reader gave them
}

// Refused is a part of an answer that was not used, or not as the reader meant it.
type Refused struct {
	Title  string `json:"title"` // of the memory, or the id of what was to be dropped
	Reason string `json:"reason"`
}

// Apply checks an answer against the sheet it is about, and commits what passes
// to the journal. An answer that cannot be used at all is a [RefusedError], and
// changes nothing. A memory that does not pass is refused alone: its candidates
// stay pending. Applying an answer twice adds nothing.
func Apply(ctx context.Context, w *workspace.Workspace, data []byte) (*Outcome, error) {
	return apply(ctx, w, data, "")
}

// apply is [Apply] for an answer that must be about one sheet, unless that is "".
func apply(ctx context.Context, w *workspace.Workspace, data []byte, about string) (*Outcome, error) {
	if err := w.Journal.Writable(ctx); err != nil {
		return nil, err
	}
	answer, err := Parse(data)
	if err != nil {
		return nil, err
	}
	sheet, err := recall(w, strings.TrimSpace(answer.Sheet))
	if err != nil {
		return nil, err
	}
	if about != "" && sheet.ID != about {
		return nil, grounding.Refuse("it is about another sheet")
	}
	d := &desk{w: w, sheet: sheet, used: map[memory.ID]string{}}
	d.judge(ctx, answer)
	if err := d.foldKnown(ctx); err != nil {
		return nil, err
	}
	d.settle()
	return d.commit(ctx)
}

// desk is where one answer is judged.
type desk struct {
	w       *workspace.Workspace
	sheet   *Sheet
	claims  []*claim
	dropped []drop
	pairs   []judged
	refused []Refused
	waits   map[*claim]string
	used    map[memory.ID]string // what was said about each candidate
}

type drop struct {
	Candidate
	reason string
}

func (d *desk) refuse(title string, err error) {
	d.refused = append(d.refused, Refused{grounding.Line(title, 120), err.Error()})
}

// judge checks each part of an answer by itself, and that no candidate is named
// twice.
func (d *desk) judge(ctx context.Context, a *Answer) {
	redactor := d.w.Secrets.Redactor(ctx)
	for _, worded := range a.Memories {
		c, err := ground(d.sheet, worded, redactor)
		if err == nil {
			err = d.claim(c)
		}
		if err != nil {
			d.refuse(titleOf(worded), err)
		}
	}
	for _, x := range a.Dropped {
		if err := d.judgeDrop(x, grounding.Line(redactor.Line(x.Reason), maxReason)); err != nil {
			d.refuse(x.ID, err)
		}
	}
	for _, p := range a.Pairs {
		p.Reason = grounding.Line(redactor.Line(p.Reason), maxReason)
		if err := d.judgePair(p); err != nil {
			d.refuse(p.ID+" and "+p.Other, err)
		}
	}
}

// judgeDrop takes a candidate off the sheet for a reason, if it may go.
func (d *desk) judgeDrop(x Dropped, reason string) error {
	c, _, err := d.sheet.find(x.ID)
	switch {
	case err != nil:
		return err
	case reason == "":
		return errors.New("no reason is given")
	case c.Layer == string(session.LayerAnswer):
		return errors.New("the user chose it: it stays")
	case d.used[c.ID] != "":
		return errors.New("it is named twice")
	}
	d.used[c.ID] = session.Dropped
	d.dropped = append(d.dropped, drop{c, reason})
	return nil
}

func (d *desk) claim(c *claim) error {
	ids := c.ids()
	for _, id := range ids {
		if d.used[id] != "" {
			return fmt.Errorf("%s is named twice", id.Short())
		}
	}
	for _, id := range ids {
		d.used[id] = session.Became
	}
	d.claims = append(d.claims, c)
	return nil
}

// ids are those of what a claim stands for.
func (c *claim) ids() []memory.ID {
	return lists.Map(c.standsFor(), func(x Candidate) memory.ID { return x.ID })
}

// memory is a claim as it is stored, but for what it inherits.
func (c *claim) memory(w *workspace.Workspace) *memory.Memory {
	s := c.sheet
	first, created := c.first(w.Now())
	m := memory.New(memory.Type(c.worded.Type), c.worded.Title, c.body(), created)
	m.Confidence = min(*c.worded.Confidence, MaxConfidence)
	if !c.lands {
		m.Confidence = min(m.Confidence, RestConfidence)
	}
	m.Source = memory.Source{
		Agent: s.Agent, Session: s.Session, Layer: string(session.LayerCurated), Branch: s.Branch, Commit: s.Commit,
		Record: first,
	}
	for _, f := range c.worded.Files {
		if f = strings.TrimPrefix(f, "./"); memory.ValidPath(f) && !slices.Contains(m.Files, f) {
			m.Files = append(m.Files, f)
		}
	}
	switch {
	case capture.Personal(m):
		m.Scope = memory.ScopeGlobal
	case c.holdsEverywhere():
		m.Scope = memory.ScopeRepository
	}
	from := func(id memory.ID) memory.Link { return memory.Link{Rel: memory.DerivedFrom, To: id} }
	m.Links = append(m.Links, lists.Map(c.ids(), from)...)
	m.Triggers = c.triggers()
	return m
}

// body is the text of the memory, which ends with what goes wrong without it.
func (c *claim) body() string {
	if c.reason == "" {
		return c.worded.Text
	}
	return strings.TrimSpace(c.worded.Text + "\n\nWithout this: " + c.reason)
}

// holdsEverywhere reports whether a claim speaks of no code of its branch: of a circumstance, or of
// what a person decided.
func (c *claim) holdsEverywhere() bool {
	byPerson := slices.ContainsFunc(c.passages, func(p Passage) bool { return isByPerson(&p) })
	return map[memory.Type]bool{memory.Context: true, memory.Decision: byPerson}[memory.Type(c.worded.Type)]
}

// first is the first line that a claim cites, and when it was said, if that is known.
func (c *claim) first(now time.Time) (line int, said time.Time) {
	if len(c.worded.Evidence) == 0 {
		return 0, now
	}
	line, said = c.worded.Evidence[0].Line, now
	for _, p := range c.passages {
		if p.Line == line && !p.Time.IsZero() {
			said = p.Time
		}
	}
	return line, said
}

// foldKnown refuses what the view says already in much the same words.
func (d *desk) foldKnown(ctx context.Context) error {
	v, err := d.w.View(ctx, workspace.ViewOptions{Local: true})
	if err != nil {
		return err
	}
	signatures := lists.Map(d.claims,
		func(c *claim) []uint32 { return sameness.Signature(c.worded.Title, c.worded.Text) })
	var kept []*claim
	for i, alike := range d.w.Index.Alike(v.Items, signatures, sameness.Same) {
		c := d.claims[i]
		path, candidate := d.twin(ctx, c, alike)
		switch {
		case candidate != nil: // it words that one too
			c.from = append(c.from, *candidate)
			d.used[candidate.ID] = session.Became
		case path != "":
			d.refuse(c.worded.Title, fmt.Errorf("it is known, from %s", path))
			for _, id := range c.ids() {
				delete(d.used, id)
			}
			continue
		}
		kept = append(kept, c)
	}
	d.claims = kept
	return nil
}

// twin returns the path of a memory that says what a claim says, "" if there is none; or a
// candidate of the sheet that does and that the answer does not name. One that it names is
// about to go.
func (d *desk) twin(ctx context.Context, c *claim, alike []index.Alike) (string, *Candidate) {
	for _, it := range alike {
		have, ok := d.w.Index.Catalog().MemoryOf(ctx, &it.Item)
		if !ok || !d.stays(c, have) || !restates(have, c) {
			continue
		}
		known := d.sheet.Candidates
		i := slices.IndexFunc(known, func(x Candidate) bool { return x.ID == have.ID })
		if i >= 0 {
			return "", &known[i]
		}
		return it.Path, nil
	}
	return "", nil
}

// stays reports whether the answer leaves a memory as it is.
func (d *desk) stays(c *claim, m *memory.Memory) bool {
	return d.used[m.ID] == "" && !slices.Contains(c.ids(), m.ID)
}

// restates reports whether a claim says what a memory says already.
func restates(have *memory.Memory, c *claim) bool {
	if string(have.Type) != c.worded.Type {
		return false
	}
	said := have.Title + "\n" + have.Text
	alike := sameness.Jaccard(sameness.Signature(said), sameness.Signature(c.said()))
	return alike >= sameness.Same && sameness.Covers(said, c.said())
}

// commit puts memories, copies of what they stand for, and the record into the
// journal, in one commit.
func (d *desk) commit(ctx context.Context) (*Outcome, error) {
	var out *Outcome
	before := slices.Clone(d.refused)
	err := d.w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		out = &Outcome{Sheet: d.sheet, Refused: slices.Clone(before)}
		b := &batch{desk: d, snap: snap, out: out, change: gitops.Change{
			When: d.w.Now(), Trailers: d.w.Trailers(d.sheet.Session, d.sheet.Branch), Put: map[string][]byte{},
		}}
		for _, c := range d.claims {
			b.addOrRefuse(ctx, c)
		}
		for _, x := range d.dropped {
			if err := b.drop(ctx, x); err != nil {
				out.Refused = append(out.Refused, Refused{x.ID.Short(), err.Error()})
			}
		}
		for _, j := range d.pairs {
			if err := b.link(ctx, j); err != nil {
				out.Refused = append(out.Refused,
					Refused{j.newer.ID.Short() + " and " + j.older.ID.Short(), err.Error()})
			}
		}
		if err := b.record(ctx); err != nil {
			return gitops.Change{}, err
		}
		b.change.Message = messageOf(out)
		return b.change, nil
	})
	if err == nil {
		noteCompared(d.w, d.sheet)
	}
	return out, err
}

func messageOf(out *Outcome) string {
	id := out.Sheet.Session
	if id == "" {
		return fmt.Sprintf("curate: %s compared", notices.Memories(len(out.Sheet.Compare)))
	}
	said := fmt.Sprintf("curate: %s from %s %s", notices.Memories(len(out.Added)), out.Sheet.Agent,
		id[:min(len(id), 8)])
	if out.Sheet.Branch != "" {
		said += " (" + out.Sheet.Branch + ")"
	}
	return said
}
