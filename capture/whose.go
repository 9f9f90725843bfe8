package capture

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/origin"
	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// origins finds whose words the new memories hold (FORMAT.md, "Origin"). What was read or
// typed may stand anywhere before them, so the transcript is read once more from its
// start, and only where there is something to find out.
func (r *reading) origins(ctx context.Context) error {
	t, last := origin.New(), -1
	asked := map[*Candidate]int{}
	for i := range r.res.Candidates {
		if c := &r.res.Candidates[i]; c.Disposition == Kept {
			asked[c] = t.Ask(question(c))
			last = max(last, c.Record)
		}
	}
	var noted []*memory.Memory
	if r.noted && r.opt.Unproven != nil {
		noted = r.opt.Unproven()
	}
	proofs := map[memory.ID]int{}
	for _, m := range noted {
		last = max(last, r.end.Line)
		proofs[m.ID] = t.Ask(origin.Question{Text: statement(m.Title, m.Text), Record: last, Share: origin.Paraphrase, Whole: true})
	}
	if len(asked)+len(proofs) == 0 {
		return nil
	}
	h := hearing{t: t, paths: map[string]string{}, relative: r.book.relative, mute: r.s.Agent == transcript.Cursor, deaf: -1}
	r.in.Hearing = true
	if err := r.in.Start(transcript.Position{}, r.s.Agent); err != nil {
		return err
	}
	for r.in.At().Line <= last {
		err := r.in.Next(ctx, h.event)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	for c, n := range asked {
		whose(c, t, n, h.deaf)
	}
	r.res.Proved = map[memory.ID]string{}
	for id, n := range proofs {
		if from, _ := t.Origin(n); h.deaf < 0 || from == memory.OriginOutside {
			r.res.Proved[id] = from
		}
	}
	return nil
}

// outside are the memories of the session that hold what somebody else said, or what nobody
// is known to have said: no topic is named after them.
func (r *reading) outside() map[memory.ID]bool {
	out := map[memory.ID]bool{}
	for i := range r.res.Candidates {
		m := r.res.Candidates[i].Memory
		out[m.ID] = m.Outside() || m.Unsaid()
	}
	for _, m := range r.opt.Earlier {
		out[m.ID] = m.Outside() || m.Unsaid()
	}
	return out
}

// question asks for the origin of a candidate. What is a rule, or is said to be remembered
// on purpose, is looked at sentence by sentence. What a commit or a document says is in the
// agent's own words unless it repeats others. Of a recipe, which quotes an error, only the
// remedy is looked at.
func question(c *Candidate) origin.Question {
	m := c.Memory
	q := origin.Question{
		Text: statement(m.Title, m.Text), Record: c.Record, Share: origin.Paraphrase,
		Whole: c.Layer == session.LayerTag || m.Type == memory.Preference,
	}
	switch c.Layer {
	case session.LayerRecipe:
		q.Text = recipe.Claim(m.Text)
	case session.LayerStructure:
		q.Share = origin.Quotation
	}
	return q
}

// whose sets the origin of a finding, and names the file that outside words stand in.
// deaf is the line from which on results are missing, -1 for none.
func whose(c *Candidate, t *origin.Tracker, n, deaf int) {
	m := c.Memory
	from, source := t.Origin(n)
	switch {
	case c.Layer == session.LayerAnswer && from == memory.OriginAgent:
		from = memory.OriginPerson // who answers a question stands behind the answer
	case c.Layer == session.LayerRecipe && from == "":
		from = memory.OriginAgent // it claims nothing but what happened
	case from == memory.OriginAgent && deaf >= 0 && deaf <= c.Record:
		from = ""
	}
	m.Source.Origin = from
	if source != "" && !slices.Contains(m.Files, source) {
		m.Files = append([]string{source}, m.Files...)
	}
}

// hearing hands the events of a session on to a tracker.
type hearing struct {
	t        *origin.Tracker
	paths    map[string]string // of calls that read a file, by their id
	relative func(string) string
	mute     bool // the transcript has no results
	deaf     int  // line of the first call whose result the transcript does not have, -1 for none
}

func (h *hearing) event(e *transcript.Event) {
	at := e.Record
	switch e.Kind {
	case transcript.Prompt, transcript.Steer:
		typed, pasted := origin.Split(e.Text)
		h.t.Hear(origin.Typed, typed, "", at)
		h.t.Hear(origin.Heard, pasted, "", at)
	case transcript.Call:
		if e.Tool == transcript.ToolRead && e.ID != "" {
			h.paths[e.ID] = h.relative(e.Path())
		}
		if h.mute && h.deaf < 0 && brings(e.Tool) {
			h.deaf = at
		}
	case transcript.Result:
		if e.Refused {
			h.t.Hear(origin.Typed, e.Text, "", at)
		}
		for _, a := range e.Answers {
			h.t.Hear(origin.Typed, a.Question+"\n"+a.Chosen, "", at)
		}
	}
	e.Said(func(text string) { h.t.Hear(origin.Said, text, "", at) })
	source := h.paths[e.ID]
	e.Heard(func(text string) { h.t.Hear(origin.Heard, strings.TrimSpace(text), source, at) })
}

// brings reports whether a call brings anything into the session that nobody has said.
func brings(t transcript.Tool) bool {
	switch t {
	case transcript.ToolWrite, transcript.ToolEdit, transcript.ToolTodos, transcript.ToolTaskNew, transcript.ToolTaskSet, transcript.ToolPlan:
		return false
	}
	return true
}

// notesDown reports whether a call of the agent writes a memory down.
func notesDown(e *transcript.Event) bool {
	return e.Kind == transcript.Call && (strings.Contains(e.Name, "cortex_remember") ||
		e.Tool == transcript.ToolShell && strings.Contains(e.Shell(), "cortex remember"))
}
