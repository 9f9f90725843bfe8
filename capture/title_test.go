package capture

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/capture/weights"
	"github.com/git-cortex/cortex/memory"
)

// TestAdded: of an edit only the sentences that are new are read, and whole.
func TestAdded(t *testing.T) {
	old := "# Gauges\n\nThe gauge sends once\nan hour. It sleeps at night.\n\n- It has a lock.\n"
	now := "# Gauges\n\nThe gauge sends once\nan hour. It sleeps at night\nunless the lock is open.\n\n- It has a lock.\n- The lock has no key,\n  because nobody needs one.\n"
	want := "# Gauges\n\nIt sleeps at night unless the lock is open.\n\n- The lock has no key, because nobody needs one.\n\n"
	if got := added(old, now); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNotesOfSession: of a session only the best notes are kept, and the reasons of its commits are notes.
func TestNotesOfSession(t *testing.T) {
	rows := map[string][]float64{weights.Bias: {3, 3}}
	opt := Options{Agent: transcript.ClaudeCode, Weights: weights.New(rows, 0.5, 0.5)}
	said := []string{"u: hello"}
	for i := range 60 {
		said = append(said, fmt.Sprintf("Harbour%d station%d reads tide%d since lock%d jams sensor%d and valve%d.", i, i, i, i, i, i))
	}
	if n := len(capture(t, steps(said...), opt).held()); n != keptPerSession {
		t.Errorf("%d notes kept, want %d", n, keptPerSession)
	}
	commits := []string{"u: hello"}
	for subject, body := range map[string]string{
		"Keep the level of a gauge": "The probe of the pier resets its counter at midnight, so the sum of a day was lost.",
		"Close the valve late":      "A motor goes on turning for two seconds, which floods the cellar when both tanks are full.",
		"Send alerts by mail":       "Nobody of the office reads the page, and the pager of the harbour was sold in spring.",
		"Sort tickets by number":    "Sensors report whole minutes only, which swaps boats that came within the same one.",
	} {
		commits = append(commits, fmt.Sprintf("$ git commit -m '%s' -m '%s'", subject, body))
	}
	res := capture(t, steps(append(commits, "Done.")...), opt)
	if n := len(res.Memories()); n != 0 {
		t.Errorf("%d memories of four commits, want none: %v", n, titlesOf(res.held()))
	}
}

// TestCommitOfReview: the commit that answers a review is titled by what it says was found.
func TestCommitOfReview(t *testing.T) {
	const body = "The gauge of the outer harbour loses its level when `probe` resets the counter at midnight."
	for subject, want := range map[string]string{
		"fix(gauge): address 3 review findings":            "The gauge of the outer harbour loses its level when `probe` resets the counter at midnight",
		"fix(gauge): keep the level of a gauge overnight":  "Keep the level of a gauge overnight",
		"fix(gauge): address gauges by their harbour only": "Address gauges by their harbour only",
	} {
		res := capture(t, steps("u: go on with the gauges", "e gauge.go", "$ git commit -m '"+subject+"' -m '"+body+"'"), everything())
		if !slices.ContainsFunc(res.held(), func(m *memory.Memory) bool { return m.Title == want }) {
			t.Errorf("%s: none is titled %q", subject, want)
		}
	}
}

// TestBestOfMessage: of one message a few passages are kept, however long it is.
func TestBestOfMessage(t *testing.T) {
	var b strings.Builder
	for i := range 2 * perMessage {
		fmt.Fprintf(&b, "## Harbour %d\n\n", i)
		for j := range 10 {
			fmt.Fprintf(&b, "Station%dx%d reads tide%dx%d since lock%dx%d jams. ", i, j, i, j, i, j)
		}
		b.WriteString("\n\n")
	}
	rows := weights.New(map[string][]float64{weights.Bias: {3, -3}}, 0.5, 0.5)
	res := capture(t, []byte(record("user", `"why?"`, "")+record("assistant", string(quotedJSON(b.String())), "")), Options{Agent: transcript.ClaudeCode, Weights: rows})
	if n := len(res.held()); n != perMessage {
		t.Errorf("%d kept of one message, want %d", n, perMessage)
	}
}

// TestPlanTitle: a plan is called by what it is about, without the words that say that it is one.
func TestPlanTitle(t *testing.T) {
	for md, want := range map[string]string{
		"# Plan: keep the lock of the gauge":        "Keep the lock of the gauge",
		"# feat(gauge): Add locks that stay closed": "Add locks that stay closed",
		"# Gauges: what the harbour office wants":   "Gauges: what the harbour office wants",
	} {
		if got := planTitle(prose.Blocks(md)); got != want {
			t.Errorf("%q is called %q, want %q", md, got, want)
		}
	}
}
