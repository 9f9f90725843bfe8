package review

import (
	"slices"
	"testing"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

func waiting(typ memory.Type, layer, title string, confidence float64, day int) Item {
	m := memory.New(typ, title, "", time.Date(2026, 11, day, 9, 0, 0, 0, time.UTC))
	m.Confidence, m.Files = confidence, []string{"gauge/" + title[:3] + ".go"}
	m.Source = memory.Source{Layer: layer, Session: "s-" + title[:3], Branch: "main"}
	return Item{Entry: workspace.Entry{Memory: m, Item: index.Item{Stage: index.Pending}}}
}

func TestFilter(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	items := []Item{
		waiting(memory.Fix, "recipe", "One pump restarts at noon", 0.6, 1),
		waiting(memory.Gotcha, "pattern", "Two gauges sit across a border", 0.7, 10),
		waiting(memory.Decision, "answer", "Mail is how alerts go out", 0.95, 19),
	}
	for _, tt := range []struct {
		words []string
		want  []int
	}{
		{nil, []int{0, 1, 2}},
		{[]string{"layer:pattern"}, []int{1}},
		{[]string{"layer:pattern,answer"}, []int{1, 2}},
		{[]string{"LAYER:Recipe", "type:solution"}, []int{0}},
		{[]string{"-type:fix"}, []int{1, 2}},
		{[]string{"since:5d"}, []int{2}},
		{[]string{"until:2026-11-05"}, []int{0}},
		{[]string{"session:s-Two"}, []int{1}},
		{[]string{"file:gauge/Mai"}, []int{2}},
		{[]string{"border"}, []int{1}},
		{[]string{"noon", "border"}, nil},
		{[]string{"type:fix", "layer:answer"}, nil},
	} {
		f, err := ParseFilter(tt.words, now)
		if err != nil {
			t.Errorf("%q: %v", tt.words, err)
			continue
		}
		var got []int
		for i := range items {
			if f.Passes(&items[i]) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q lets %v pass, want %v", tt.words, got, tt.want)
		}
		if f.Empty() != (tt.words == nil) {
			t.Errorf("%q: Empty = %v", tt.words, f.Empty())
		}
	}
	for _, words := range [][]string{
		{"layer:rumour"},
		{"stage:landed"},
		{"is:pinned"},
		{"type:nonsense"},
		{"since:whenever"},
	} {
		if f, err := ParseFilter(words, now); err == nil {
			t.Errorf("%q was read as %v", words, f)
		}
	}
}

// TestBest: what reviewers turned out to want comes first, not what a rule was
// sure of.
func TestBest(t *testing.T) {
	once, thrice := waiting(memory.Fix, "recipe", "One pump restarts at noon", 0.6, 1),
		waiting(memory.Fix, "recipe", "Ten pumps restart at noon", 0.9, 1)
	once.Memory.Seen, thrice.Memory.Seen = []string{"a"}, []string{"a", "b", "c"}
	want := []Item{
		waiting(memory.Gotcha, "tag", "Tagged by the agent", 1, 2),
		waiting(memory.Decision, "answer", "Mail is how alerts go out", 0.95, 2), thrice, once,
		waiting(memory.Plan, "structure", "Plan of the week", 0.6, 2),
		waiting(memory.Learned, "pattern", "Why it reads like this", 0.85, 2),
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortStableFunc(got, func(a, b Item) int { return better(&a, &b) })
	for i := range want {
		if got[i].Memory.ID != want[i].Memory.ID {
			t.Errorf("%d is %q, want %q", i, got[i].Memory.Title, want[i].Memory.Title)
		}
	}
}
