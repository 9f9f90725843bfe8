package capture

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/origin"
	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// origins finds whose words the new memories hold (FORMAT.md, "Origin"). What was read or
// typed may stand anywhere before them, so the transcript is read once more from its
// start, and only where there is something to find out.
func (r *reading) origins(ctx context.Context) error {
	t, last := origin.New(), -1
	asked := map[*Candidate]int{}
	for i := range r.res.Candidates {
		if c := &r.res.Candidates[i]; c.held() {
			asked[c] = t.Ask(question(c))
			last = max(last, c.Record)
		}
	}
	noted, err := r.askNoted(t)
	if err != nil {
		return err
	}
	if len(noted) > 0 {
		last = max(last, r.end.Line)
	}
	if last < 0 {
		return nil
	}
	deaf, err := t.Listen(ctx, r.in, r.s.Agent, last, r.book.relative)
	if err != nil {
		return err
	}
	if deaf < 0 {
		deaf = math.MaxInt
	}
	for c, n := range asked {
		from, source := t.Origin(n)
		c.comesFrom(from, source, deaf)
	}
	r.res.Proved = map[memory.ID]string{}
	for id, n := range noted {
		if from, _ := t.Origin(n); deaf == math.MaxInt || from == memory.OriginOutside {
			r.res.Proved[id] = from
		}
	}
	return nil
}

// held reports whether a candidate is kept, be it as a note.
func (c *Candidate) held() bool { return c.Disposition == Kept || c.Disposition == Noted }

// askNoted asks a tracker whose words those memories hold that the agent wrote down itself.
// It returns the number of the question about each.
func (r *reading) askNoted(t *origin.Tracker) (map[memory.ID]int, error) {
	if !r.noted || r.opt.Unproven == nil {
		return nil, nil
	}
	noted, err := r.opt.Unproven()
	if err != nil {
		return nil, err
	}
	asked := map[memory.ID]int{}
	for _, m := range noted {
		asked[m.ID] = t.Ask(origin.Question{
			Text: statement(m.Title, m.Text), Record: r.end.Line,
			Share: origin.Paraphrase, Whole: true,
		})
	}
	return asked, nil
}

// outside are the memories of the session that hold what somebody else said, or what nobody
// is known to have said: no topic is named after them.
func (r *reading) outside() map[memory.ID]bool {
	out := map[memory.ID]bool{}
	found := lists.Map(r.res.Candidates, func(c Candidate) *memory.Memory { return c.Memory })
	for _, m := range slices.Concat(found, r.opt.Earlier, r.s.Notes) {
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
	case session.LayerAnswer: // nobody stands behind what was not chosen; what the choice means stands in the text
		title, _, _ := strings.Cut(m.Title, insteadMark)
		title, _, _ = strings.Cut(title, meansMark)
		q.Text = statement(title, m.Text)
	}
	return q
}

// comesFrom sets the origin of a finding, and names the file that outside words stand in.
// deaf is the line from which on results are missing.
func (c *Candidate) comesFrom(from, source string, deaf int) {
	m := c.Memory
	m.Source.Origin = c.standsBehind(from, deaf)
	if source != "" && !slices.Contains(m.Files, source) {
		m.Files = append([]string{source}, m.Files...)
	}
}

// standsBehind is who stands behind a finding whose words come from somebody. Who answers a question
// stands behind the answer, and a recipe claims nothing but what happened.
func (c *Candidate) standsBehind(from string, deaf int) string {
	if c.Layer == session.LayerRecipe {
		return cmp.Or(from, memory.OriginAgent)
	}
	switch {
	case from != memory.OriginAgent:
		return from
	case c.Layer == session.LayerAnswer:
		return memory.OriginPerson
	case deaf <= c.Record:
		return ""
	}
	return from
}

// notesDown reports whether a call of the agent writes a memory down.
func notesDown(e *transcript.Event) bool {
	if e.Kind != transcript.Call {
		return false
	}
	inShell := e.Tool == transcript.ToolShell && strings.Contains(e.Shell(), "cortex remember")
	return inShell || strings.Contains(e.Name, "cortex_remember")
}
