package agents

import (
	"context"
	"strings"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/relevance"
)

// promptSubmitted adds the few memories that a prompt calls for, none of which
// this session has been shown.
func (h *hooks) promptSubmitted(ctx context.Context, p HookPayload) ([]byte, error) {
	if !listens(&p, recall.Prompt) {
		return nil, nil
	}
	lead, err := h.leading(ctx, &p)
	if err != nil {
		return nil, err
	}
	h.lead = lead
	words, said := relevance.Words(p.Prompt), choicesIn(p.Prompt)
	if !h.w.Config.Recalls(string(recall.Prompt)) || len(words) < relevance.LeastWords && len(said) == 0 {
		return (&teller{diary: h.w.Diary, lead: lead}).speak(momentOf("user-prompt-submit", &p, ""), &p, nil)
	}
	state := h.w.RecallState()
	v, err := h.w.View(ctx, workspace.ViewOptions{Soon: true})
	if err != nil {
		return nil, err
	}
	h.first = h.against(ctx, v, said, p.SessionID)
	h.near = h.similar(ctx, v, query.Query{Text: p.Prompt, Words: words})
	return h.recall(ctx, v, momentOf("user-prompt-submit", &p, ""), &p, state)
}

// similarLooked is how many memories are looked at that are similar in meaning to a
// prompt.
const similarLooked = 12

// similar are the memories that are nearest to a prompt in meaning, where the user
// has vectors made, with a factor for the score of each.
func (h *hooks) similar(ctx context.Context, v *workspace.View, q query.Query) map[memory.ID]float64 {
	settings, err := h.w.Repo.Settings(ctx)
	if err != nil || settings.Value("cortex.embed") == "" {
		return nil
	}
	answer, err := h.w.SearchIn(ctx, v, q,
		workspace.SearchOptions{Limit: similarLooked, Alone: true, AsTyped: true, Hook: true})
	if err != nil || !answer.Meaning { // words are counted already
		return nil
	}
	out := map[memory.ID]float64{}
	for i, f := range answer.Results {
		out[f.Entry.Memory.ID] = 1 + 0.5/float64(1+i)
	}
	return out
}

// Bounds of what a prompt is told that it goes against.
const (
	chosenSentences = 24  // of a prompt that are compared, of those that choose or turn down
	mostAgainst     = 2   // memories that are named
	againstText     = 200 // characters of what each says
)

// choicesIn are the sentences of a prompt that choose something or turn it down.
func choicesIn(prompt string) []contradiction.Position {
	prompt = prompt[:min(len(prompt), 8<<10)]
	var out []contradiction.Position
	for s := range strings.SplitSeq(sentenceEnds().Replace(prompt), "\n") {
		if said := contradiction.Said(s); !said.Empty() {
			out = append(out, said)
		}
	}
	return out[:min(len(out), chosenSentences)]
}

// sentenceEnds puts each sentence of a text on a line of its own.
var sentenceEnds = lazy.Value(func() *strings.Replacer {
	return strings.NewReplacer(". ", "\n", "!", "\n", "?", "\n", ";", "\n")
})

// against are the memories that a prompt goes against: what turned down before what it
// chooses, and what chose what it turns down. Only those that landed or were captured
// here are looked at, and none that the session was given.
func (h *hooks) against(
	ctx context.Context, v *workspace.View, said []contradiction.Position, session string,
) []telling {
	if len(said) == 0 {
		return nil
	}
	given := h.w.Diary.Shown(session)
	received := h.w.Journal.Marks(ctx)
	var live []*memory.Memory
	types := []memory.Type{memory.Rejected, memory.Decision, memory.Architecture, memory.Preference}
	for _, e := range v.List(ctx, workspace.ListOptions{Types: types, TextLess: true}) {
		m := e.Memory
		known := given.Has(m.ID) || m.Source.Session == session
		if !known && inForce(&e, received) {
			live = append(live, m)
		}
	}
	var out []telling
	for _, p := range contradiction.Against(said, live, mostAgainst) {
		out = append(out, telling{
			line: projection.Recalled{ID: p.Older.ID, Type: p.Older.Type, Line: againstLine(ctx, v, &p)},
			item: diary.Item{ID: p.Older.ID},
			said: diary.Said{Moment: string(recall.Prompt)},
		})
	}
	return out
}

// inForce reports whether somebody here stands behind what a memory says, and no other
// has taken its place.
func inForce(e *workspace.Entry, received workspace.Marks) bool {
	if e.Memory.Outside() || e.Status == memory.StatusSuperseded {
		return false
	}
	return e.Stage != index.Pending || !received.Memory(e.Memory.ID)
}

// againstLine says what a prompt goes against, when that was settled, and why.
func againstLine(ctx context.Context, v *workspace.View, p *contradiction.Pair) string {
	done := "was turned down on "
	if p.Kind == contradiction.Dropped {
		done = "was chosen on "
	}
	line := p.What + " " + done + contradiction.Day(p.Older.Created) + ": " + strings.TrimRight(p.Older.Title, ".")
	e, err := v.Find(ctx, string(p.Older.ID))
	if err != nil || e.Memory.Text == "" || strings.HasPrefix(e.Memory.Text, "Question: ") {
		return line
	}
	why := memory.Cut(memory.OneLine(e.Memory.Text), againstText)
	if strings.HasPrefix(strings.ToLower(why), "because ") {
		return line + " " + why
	}
	return line + ", because: " + why
}
