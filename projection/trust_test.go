package projection_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
	. "github.com/git-cortex/cortex/projection"
)

// TestRulesNeedTwoSigns: what a person typed once is a rule of theirs when something else says so
// too; before that it stands among what its session taught.
func TestRulesNeedTwoSigns(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(it *Item)
		rule   bool
	}{
		"typed once":      {func(*Item) {}, false},
		"branch gone":     {func(it *Item) { it.Stage = "branch-gone" }, false},
		"an answer":       {func(it *Item) { it.Memory.Source.Layer = "answer" }, false},
		"in two sessions": {func(it *Item) { it.Memory.Seen = []string{"s-1", "s-2"} }, true},
		"remembered":      {func(it *Item) { it.Memory.Source.Layer = "" }, true},
		"worded":          {func(it *Item) { it.Memory.Source.Layer = "curated" }, true},
		"pinned":          {func(it *Item) { it.Memory.Pinned = true }, true},
		"used":            {func(it *Item) { it.Recalls = 1 }, true},
		"landed":          {func(it *Item) { it.Stage = "landed" }, true},
	} {
		t.Run(name, func(t *testing.T) {
			it := decided(1)[0]
			it.Memory.Type, it.Stage = memory.Preference, "pending"
			it.Memory.Source.Layer, it.Memory.Source.Agent, it.Memory.Source.Origin = "user", memory.Human, memory.OriginPerson
			tt.change(&it)
			for _, door := range []bool{true, false} {
				text := Brief(BriefInput{Items: []Item{it}, Door: door}).Text
				if rule := strings.Contains(text, "Rules of the user"); rule != tt.rule || !strings.Contains(text, "Decision number 0") {
					t.Errorf("door %v: %s", door, text)
				}
			}
		})
	}
}

// TestConflictsLeftOut: conflicts that have no room are counted.
func TestConflictsLeftOut(t *testing.T) {
	var all []string
	for i := range 30 {
		all = append(all, fmt.Sprintf("The file store/wal-%d.go is gone, but the decision about its segments still names it", i))
	}
	text := Brief(BriefInput{Items: decided(1), Conflicts: all}).Text
	shown := strings.Count(text, "- The file store/wal-")
	if left := fmt.Sprintf("- … and %d more\n", len(all)-shown); shown == 0 || shown == len(all) || !strings.Contains(text, left) {
		t.Errorf("%d shown: %s", shown, text)
	}
	if text := Brief(BriefInput{Items: decided(1), Conflicts: all[:1]}).Text; strings.Contains(text, "more\n") {
		t.Error(text)
	}
}
