package capture

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/capture/weights"
	"github.com/git-cortex/cortex/memory"
	"github.com/google/go-cmp/cmp"
)

// manyTurns has 31 turns; each says one thing more than the one before, the
// later ones the more telling.
func manyTurns() []byte {
	var b strings.Builder
	for i := range 31 {
		b.WriteString(record("user", `"go on"`, `,"n":`+strings.Repeat("1", 2*i+1)))
		text := fmt.Sprintf("Harbour%d station%d reads tide%d since lock%d jams sensor%d.", i, i, i, i, i)
		if i%3 == 2 {
			text += fmt.Sprintf(" The valve%d breaks silently.", i)
		}
		b.WriteString(record("assistant", string(quotedJSON(text)), `,"n":`+strings.Repeat("1", 2*i+2)))
	}
	return []byte(b.String())
}

// TestBestOfSession: a long session keeps its best findings, and those of its
// last turn if they are among them; what says less goes to the session record.
func TestBestOfSession(t *testing.T) {
	opt := Options{Agent: transcript.ClaudeCode, Weights: weights.New(map[string][]float64{weights.Bias: {1, -9}, "trap": {2, 0}}, 0.3, 0.5)}
	res := capture(t, manyTurns(), opt)
	telling := 0
	for _, m := range res.held() {
		if strings.Contains(m.Title+m.Text, "breaks silently") {
			telling++
		}
	}
	if n := len(res.held()); n != keptPerSession || telling != n {
		t.Errorf("%d kept, %d of them telling, want %d", n, telling, keptPerSession)
	}
	if len(res.Session.Weak) < 15 {
		t.Errorf("%d are in the session record only, want the rest", len(res.Session.Weak))
	}
}

// TestBestOfSessionInParts: what a session keeps does not depend on how many runs
// read it, and what has to go is withdrawn.
func TestBestOfSessionInParts(t *testing.T) {
	data := manyTurns()
	opt := Options{Agent: transcript.ClaudeCode, Weights: weights.New(map[string][]float64{weights.Bias: {1, -9}, "trap": {2, 0}}, 0.3, 0.5)}
	whole, got := newHoldings(), newHoldings()
	whole.apply(capture(t, data, opt))
	var previous *session.Session
	gone := 0
	for i, c := range data {
		if c != '\n' {
			continue
		}
		opt.Previous, opt.Earlier = previous, got.list()
		res := capture(t, data[:i+1], opt)
		for _, m := range got.notes {
			if !slices.ContainsFunc(res.Session.Notes, func(n *memory.Memory) bool { return n.ID == m.ID }) {
				gone++
			}
		}
		got.apply(res)
		var err error
		if previous, err = session.Parse(session.Format(res.Session)); err != nil {
			t.Fatal(err)
		}
		for _, m := range got.list() {
			id := m.ID
			if !slices.ContainsFunc(res.Session.Found, func(f session.Finding) bool { return f.ID == id }) {
				t.Fatalf("line %d: %s is kept, the record does not know it", i, id)
			}
		}
	}
	if d := cmp.Diff(whole.titles(), got.titles()); d != "" {
		t.Errorf("-one run +many:\n%s", d)
	}
	if gone == 0 {
		t.Error("nothing had to go: the session is too short")
	}
}
