package curate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// claim is one memory of an answer, with what it may rest on.
type claim struct {
	worded Worded
	sheet  *Sheet

	passages []Passage   // that it cites
	from     []Candidate // that it stands for
	replaces []Candidate // memories of earlier sheets, in whose place it comes
	evidence string      // all that those say, folded
	lands    bool        // by itself
	before   []string
	when     []string
	reason   string   // what goes wrong without it, "" for none
	unkeyed  []string // of what it says and names as when it matters, what is not stored, with the reason
}

// said is all of the new text.
func (c *claim) said() string { return c.worded.Title + "\n" + c.worded.Text }

// ground checks one memory of an answer against its sheet, and returns it as it
// may be stored, but for what only the journal and the tree know.
func ground(s *Sheet, w Worded, r *redact.Redactor) (*claim, error) {
	w.Files = w.Files[:min(len(w.Files), maxFiles)]
	w.Title, w.Text = fitted(strings.TrimSpace(w.Title), strings.TrimSpace(w.Text))
	c := &claim{worded: w, sheet: s}
	if err := c.cite(); err != nil {
		return nil, err
	}
	if err := withinLimits(c); err != nil {
		return nil, err
	}
	g := grounding.Claim{
		Title: c.worded.Title, Text: c.worded.Text, Files: c.worded.Files,
		Evidence: c.evidence, Known: s.Files, Mark: s.mark(), Redactor: r,
	}
	g.Around = append(
		lists.Map(s.Passages, func(p Passage) grounding.Text { return grounding.Text{Line: p.Line, Said: p.Text} }),
		lists.Map(s.Known, func(k Known) grounding.Text { return grounding.Text{Said: k.Title} })...)
	g, err := c.grounded(g)
	if err != nil {
		return nil, err
	}
	if err := c.agrees(); err != nil {
		return nil, err
	}
	c.worded.Title, c.worded.Text, c.worded.Files = g.Title, g.Text, g.Files
	c.keepReason(g)
	c.chooseMoments(r)
	return c, nil
}

// keepReason leaves out the reason that a reader gives for a memory where what the memory cites does not have it.
func (c *claim) keepReason(g grounding.Claim) {
	g.Text = grounding.Line(c.worded.Why, maxReason)
	if err := g.Check(); err != nil {
		c.unkeyed = append(c.unkeyed, `"why" is left out: `+err.Error())
		g.Text = ""
	}
	c.reason = g.Text
}

// grounded is a claim that stands in what it cites: whole, or else without the sentences of its text
// that do not. The title, and what was moved from it to the text, stand as they are worded.
func (c *claim) grounded(g grounding.Claim) (grounding.Claim, error) {
	worded := g
	err := g.Check()
	if err == nil || worded.Safe() != nil {
		return g, err
	}
	alone := worded
	kept := lists.Without(prose.Sentences(worded.Text), func(sentence string) bool {
		alone.Text = sentence
		return alone.Check() != nil
	})
	moved := strings.HasPrefix(worded.Text, worded.Title)
	worded.Text = strings.Join(kept, " ")
	if worded.Check() != nil || moved != strings.HasPrefix(worded.Text, worded.Title) {
		return g, err
	}
	c.unkeyed = append(c.unkeyed, "a part of the text is left out: "+err.Error())
	return worded, nil
}

// standsFor are the memories in whose place a claim comes.
func (c *claim) standsFor() []Candidate { return slices.Concat(c.from, c.replaces) }

// find returns the candidate that an id of an answer names, or the known memory of this
// session.
func (s *Sheet) find(id string) (c Candidate, known bool, err error) {
	all := slices.Concat(s.Candidates, asCandidates(s.Known))
	i, err := named(id, lists.Map(all, func(c Candidate) memory.ID { return c.ID }))
	if err != nil {
		return c, false, err
	}
	return all[i], i >= len(s.Candidates), nil
}

// named returns the place of what an id of an answer names, among the ids of the sheet.
func named(id string, all []memory.ID) (int, error) {
	id = strings.Trim(strings.ToLower(strings.TrimSpace(id)), "[]")
	if !memory.IsIDPrefix(id) || len(id) < 4 {
		return 0, fmt.Errorf("%q is not an id", grounding.Line(id, 40))
	}
	begins := func(have memory.ID) bool { return strings.HasPrefix(string(have), id) }
	at := slices.IndexFunc(all, begins)
	switch {
	case at < 0:
		return 0, fmt.Errorf("%s is not an id of the sheet", id)
	case slices.ContainsFunc(all[at+1:], begins):
		return 0, fmt.Errorf("%s names more than one candidate", id)
	}
	return at, nil
}

// asCandidates are those known memories of a session that may be replaced.
func asCandidates(known []Known) []Candidate {
	var out []Candidate
	for _, k := range known {
		if k.ID != "" {
			out = append(out, Candidate{ID: k.ID, Type: k.Type, Title: k.Title, Path: k.Path, Blob: k.Blob})
		}
	}
	return out
}

// cite finds on the sheet what the claim stands for and what it rests on.
func (c *claim) cite() error {
	if err := c.takeFrom(); err != nil {
		return err
	}
	if len(c.worded.Evidence) == 0 {
		return errors.New("it cites no evidence")
	}
	c.worded.Evidence = c.worded.Evidence[:min(len(c.worded.Evidence), maxEvidence)]
	if err := c.settleEvidence(); err != nil {
		return err
	}
	for _, p := range c.sheet.Passages {
		cites := func(e Evidence) bool { return e.Line == p.Line }
		if slices.ContainsFunc(c.worded.Evidence, cites) {
			c.passages = append(c.passages, p)
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

// takeFrom finds the memories that the claim says it stands for.
func (c *claim) takeFrom() error {
	for _, id := range c.worded.From {
		found, known, err := c.sheet.find(id)
		if err != nil {
			return err
		}
		if known {
			c.replaces = append(c.replaces, found)
		} else if !slices.ContainsFunc(c.from, func(x Candidate) bool { return x.ID == found.ID }) {
			c.from = append(c.from, found)
		}
	}
	return nil
}
