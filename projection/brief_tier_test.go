package projection_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	. "github.com/git-cortex/cortex/projection"
)

// decided are n decisions of as many sessions, one a day, the oldest first.
func decided(n int) []Item {
	out := make([]Item, n)
	for i := range out {
		m := memory.New(memory.Decision, fmt.Sprintf("Decision number %d stands", i), fmt.Sprintf("Because of reason-%d, which nobody disputes.", i), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i))
		m.Source = memory.Source{Session: fmt.Sprintf("session-%03d", i)}
		out[i] = Item{Memory: m, Effective: 0.9, Session: i + 1}
	}
	return out
}

// TestBriefTiers: decisions of the last 20 sessions may be shown in full, older ones in
// one line, and one that was recalled in the last sessions is in full again.
func TestBriefTiers(t *testing.T) {
	items := decided(60)
	items[3].Recalls, items[3].Recalled = 1, items[55].Memory.Created
	items[5].Recalls, items[5].Recalled = 1, items[20].Memory.Created
	text := Brief(BriefInput{Items: items, Tokens: 20000}).Text
	for i := range items {
		want := i >= 40 || i == 3
		if got := strings.Contains(text, fmt.Sprintf("reason-%d,", i)); got != want {
			t.Errorf("decision %d is in full: %v, want %v", i, got, want)
		}
	}
	if lines := strings.Count(text, "Decision number"); lines != 21+30 {
		t.Errorf("%d decisions are shown, want 21 in full and 30 in a line", lines)
	}
	for i := range items { // all of one session
		items[i].Memory.Source.Session, items[i].Session, items[i].Recalled = "one", 1, time.Time{}
	}
	for _, it := range decided(100)[60:] {
		it.Memory.Source.Session, it.Session = "one", 1
		items = append(items, it)
	}
	text = Brief(BriefInput{Items: items, Tokens: 30000}).Text
	if full, all := strings.Count(text, "Because of"), strings.Count(text, "Decision number"); full != 50 || all != 80 {
		t.Errorf("of 100 recent decisions %d are in full and %d shown at all, want 50 and 80", full, all)
	}
}
