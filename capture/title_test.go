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

// TestBestOfTurn: of a turn that teaches much, only a part lands by itself, and of
// the session only the best is kept.
func TestBestOfTurn(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		b.WriteString(record("assistant", string(quotedJSON(fmt.Sprintf("Harbour%d station%d reads tide%d since lock%d jams sensor%d and valve%d.", i, i, i, i, i, i))), `,"n":`+strings.Repeat("1", i+1)))
	}
	rows := map[string][]float64{weights.Bias: {3, 3}}
	res := capture(t, []byte(record("user", `"hello"`, "")+b.String()), Options{Agent: transcript.ClaudeCode, Weights: weights.New(rows, 0.5, 0.5)})
	landing := 0
	for _, m := range res.Memories() {
		if m.Confidence >= confLands {
			landing++
		}
	}
	if n := len(res.Memories()); n != keptPerSession || landing != landPerTurn {
		t.Errorf("%d kept and %d landing, want %d and %d", n, landing, keptPerSession, landPerTurn)
	}
}

// TestTwins: what is told again in other words is kept once, with the last wording, and that
// of a commit before any other; two short sentences of one subject both stay.
func TestTwins(t *testing.T) {
	said := "The tide gauge loses the level of the outer harbour. `probe` resets its counter at midnight, while the exporter still reads the hours of the evening from the store, and the alarm rings."
	again := "`probe` resets its counter at midnight. The exporter reads the hours of the evening from the store only later, which is why the tide gauge loses the level of the outer harbour, and no ship is told."
	other := "The tide gauge loses no level of the inner harbour. `probe` resets its counter at noon there."
	rows := weights.New(map[string][]float64{weights.Bias: {3, -3}}, 0.5, 0.5)
	text := func(s string, n int) string {
		return record("assistant", string(quotedJSON(s)), `,"n":`+strings.Repeat("1", n))
	}
	res := capture(t, []byte(record("user", `"why?"`, "")+text(said, 1)+text(other, 2)+text(again, 3)), Options{Agent: transcript.ClaudeCode, Weights: rows})
	var got []int
	for _, c := range res.Candidates {
		if c.Disposition == Kept {
			got = append(got, c.Record)
		}
	}
	if !slices.Equal(got, []int{2, 3}) {
		t.Errorf("kept lines %v, want those of the other gauge and of the last wording", got)
	}
}

// TestWillBehindAgreement: where the user only agrees before they say what they want, that is
// the title.
func TestWillBehindAgreement(t *testing.T) {
	const words = "Ok, you have me convinced, but I think the lock of the gauge can wait for the new harbour, rather than being built right now by all of us."
	if got, want := titleOfWords(words, false), "the lock of the gauge can wait for the new harbour, rather than being built right now by all of us."; got != want {
		t.Errorf("titled %q, want %q", got, want)
	}
	const leans = "We keep the lock of the gauge for the whole of the winter as it is, but I worry about the ships that come at night and find it closed."
	if got, want := titleOfWords(leans, false), "We keep the lock of the gauge for the whole of the winter as it is"; got != want {
		t.Errorf("titled %q, want %q", got, want)
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
		if !slices.ContainsFunc(res.Memories(), func(m *memory.Memory) bool { return m.Title == want }) {
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
	if n := len(res.Memories()); n != perMessage {
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
