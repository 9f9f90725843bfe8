package capture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/capture/weights"
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
