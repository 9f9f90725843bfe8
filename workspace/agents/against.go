package agents

import (
	"context"
	"strings"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
)

// Bounds of what a prompt is told that it goes against.
const (
	chosenSentences = 24  // of a prompt that are compared, of those that choose or turn down
	mostAgainst     = 2   // memories that are named
	againstText     = 200 // characters of what each says
)

// choicesIn are the sentences of a prompt that choose something or turn it down.
func choicesIn(prompt string) []contradiction.Position {
	var out []contradiction.Position
	sentences := strings.FieldsFunc(prompt[:min(len(prompt), 8<<10)], func(r rune) bool { return r == '\n' || r == '!' || r == '?' || r == ';' })
	for _, line := range sentences {
		for s := range strings.SplitSeq(line, ". ") {
			if len(out) == chosenSentences {
				return out
			}
			if st := contradiction.Said(s); !st.Empty() {
				out = append(out, st)
			}
		}
	}
	return out
}

// against are the memories that a prompt goes against: what turned down before what it
// chooses, and what chose what it turns down. Only those that landed or were captured
// here are looked at, and none that the session was given.
func (h *hooks) against(
	ctx context.Context, v *workspace.View, said []contradiction.Position, session string,
) []projection.Recalled {
	if len(said) == 0 {
		return nil
	}
	given, _ := h.w.Diary.Shown(session)
	received := h.w.Received(ctx)
	var live []*memory.Memory
	for _, e := range v.List(ctx, workspace.ListOptions{Types: []memory.Type{memory.Rejected, memory.Decision, memory.Architecture, memory.Preference}, TextLess: true}) {
		m := e.Memory
		if m.Outside() {
			continue // nobody here said it
		}
		if e.Status != memory.StatusSuperseded && !given[m.ID] && m.Source.Session != session && (e.Stage != index.Pending || !received.Memory(m.ID)) {
			live = append(live, m)
		}
	}
	var out []projection.Recalled
	for _, p := range contradiction.Against(said, live, mostAgainst) {
		out = append(out, projection.Recalled{ID: p.Older.ID, Type: p.Older.Type, Line: againstLine(ctx, v, &p)})
	}
	return out
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
