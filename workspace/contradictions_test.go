package workspace

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
)

// TestContradictionTextsEndAtWords: titles that are too long for a sentence about two of them
// are cut between words.
func TestContradictionTextsEndAtWords(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for lead := range 12 {
		title := "Use " + strings.Repeat("x", lead) + " Kafka for the alarms because it is faster than the table"
		older := memory.New(memory.Rejected, title, "", at)
		newer := memory.New(memory.Decision, title+" that we have", "", at.Add(time.Hour))
		texts := contradiction.Told([]contradiction.Pair{{
			Newer: newer, Older: older, Kind: contradiction.Again,
			What: "kafka",
		}})
		if len(texts) != 1 || strings.Count(texts[0], " …") != 2 {
			t.Fatalf("got %q", texts)
		}
		for part := range strings.SplitSeq(texts[0], `"`) {
			said, cut := strings.CutSuffix(part, " …")
			if words := strings.Fields(said); cut && !slices.Contains(strings.Fields(title), words[len(words)-1]) {
				t.Errorf("%q ends in half a word", part)
			}
		}
	}
}
