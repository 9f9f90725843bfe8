package curate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// claim is one memory of an answer, with what it may rest on.
type claim struct {
	worded Worded
	sheet  *Sheet

	passages []Passage   // that it cites
	from     []Candidate // that it stands for
	replaces []Known
	evidence string // all that those say, folded
	lands    bool   // by itself
	before   []string
	when     []string
	unkeyed  []string // of what it names as when it matters, what is not stored, with the reason
}

// said is all of the new text.
func (c *claim) said() string { return c.worded.Title + "\n" + c.worded.Text }

// ground checks one memory of an answer against its sheet, and returns it as it
// may be stored, but for what only the journal and the tree know.
func ground(s *Sheet, w Worded, r *redact.Redactor) (*claim, error) {
	w.Title, w.Text = fitted(strings.TrimSpace(w.Title), strings.TrimSpace(w.Text))
	c := &claim{worded: w, sheet: s}
	for _, ok := range []func(*claim) error{citesKnown, withinLimits} {
		if err := ok(c); err != nil {
			return nil, err
		}
	}
	g := grounding.Claim{
		Title: c.worded.Title, Text: c.worded.Text, Files: c.worded.Files,
		Evidence: c.evidence, Known: s.Files, Mark: s.mark(), Redactor: r,
	}
	for _, p := range s.Passages {
		g.Around = append(g.Around, grounding.Text{Line: p.Line, Said: p.Text})
	}
	for _, k := range s.Known {
		g.Around = append(g.Around, grounding.Text{Said: k.Title})
	}
	if err := g.Check(); err != nil {
		return nil, err
	}
	c.worded.Title, c.worded.Text, c.worded.Files = g.Title, g.Text, g.Files
	c.chooseMoments(r)
	return c, nil
}

// find returns the candidate, or the known memory of this session, that an id of
// an answer names.
func (s *Sheet) find(id string) (Candidate, Known, error) {
	id = strings.Trim(strings.ToLower(strings.TrimSpace(id)), "[]")
	if !memory.IsIDPrefix(id) || len(id) < 4 {
		return Candidate{}, Known{}, fmt.Errorf("%q is not an id", grounding.Line(id, 40))
	}
	var c []Candidate
	var k []Known
	for _, x := range s.Candidates {
		if strings.HasPrefix(string(x.ID), id) {
			c = append(c, x)
		}
	}
	for _, x := range s.Known {
		if x.ID != "" && strings.HasPrefix(string(x.ID), id) {
			k = append(k, x)
		}
	}
	switch {
	case len(c)+len(k) > 1:
		return Candidate{}, Known{}, fmt.Errorf("%s names more than one candidate", id)
	case len(c) == 1:
		return c[0], Known{}, nil
	case len(k) == 1:
		return Candidate{}, k[0], nil
	}
	return Candidate{}, Known{}, fmt.Errorf("%s is not an id of the sheet", id)
}

// citesKnown: every id is one of the sheet, and there is evidence.
func citesKnown(c *claim) error {
	for _, id := range c.worded.From {
		cand, known, err := c.sheet.find(id)
		if err != nil {
			return err
		}
		if known.ID != "" {
			c.replaces = append(c.replaces, known)
		} else if !slices.ContainsFunc(c.from, func(x Candidate) bool { return x.ID == cand.ID }) {
			c.from = append(c.from, cand)
		}
	}
	switch n := len(c.worded.Evidence); {
	case n == 0:
		return errors.New("it cites no evidence")
	case n > maxEvidence:
		return fmt.Errorf("it cites more than %d spans", maxEvidence)
	}
	if err := c.settleEvidence(); err != nil {
		return err
	}
	for _, e := range c.worded.Evidence {
		for _, p := range c.sheet.Passages {
			if p.Line == e.Line && !slices.Contains(c.passages, p) {
				c.passages = append(c.passages, p)
			}
		}
	}
	var b strings.Builder
	for _, p := range c.passages {
		b.WriteString(p.Text + "\n")
	}
	for _, cand := range c.from {
		b.WriteString(cand.Title + "\n" + cand.Text + "\n")
	}
	c.evidence = grounding.Fold(b.String())
	return nil
}
