package habit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDirectives: what orders something is a directive; what asks or tells is none.
func TestDirectives(t *testing.T) {
	for prompt, want := range map[string][]string{
		"ok great. Delegate the export to the harbour skill, then push": {"Delegate the export to the harbour skill, then push"},
		"Why do we use the harbour skill for this?":                     nil,
		"The export is still failing on the boats.":                     nil,
		"Can you write the reply with the harbour skill?":               {"Can you write the reply with the harbour skill?"},
		"theres a comment on the tide pages":                            nil,
		"before you do that, get back to main and pull the latest":      {"before you do that, get back to main and pull the latest"},
		"Go on": nil,
	} {
		if diff := cmp.Diff(want, Directives(prompt)); diff != "" {
			t.Errorf("%q: %s", prompt, diff)
		}
	}
}

// TestFind: what three sessions ask for in their own words is a habit; what a fork of a
// session repeats is not said again, and routine work is no habit.
func TestFind(t *testing.T) {
	before := []Said{
		{"s1", "Delegate the export to the harbour skill"},
		{"s2", "use the harbour skill for the reply"},
		{"s1-fork", "Delegate the export to the harbour skill"},
		{"s1", "Fix the tests and push the branch"},
		{"s2", "Push the branch and fix the tests"},
	}
	now := []Said{
		{"s3", "Fix the tests, then push the branch"},
		{"s3", "Rewrite the pages with the harbour skill"},
	}
	got := Find(now, before)
	want := []Habit{{Words: [2]string{"harbour", "skill"}, Said: []Said{{"s2", "use the harbour skill for the reply"}, {"s1", "Delegate the export to the harbour skill"}, {"s3", "Rewrite the pages with the harbour skill"}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := Find(now[1:], before[1:]); len(got) != 1 {
		t.Errorf("the fork alone tells of its first session: %v", got)
	}
	if got := Find(now[1:], before[:1]); len(got) != 0 {
		t.Errorf("two sessions made a habit: %v", got)
	}
	if got := Find([]Said{{"s4", before[0].Text}}, append(before, now...)); len(got) != 0 {
		t.Errorf("a fork made a habit: %v", got)
	}
	if got := Find([]Said{{"s6", "Use table driven tests where possible"}}, []Said{{"s5", "Why aren't we using table-driven tests?"}, {"s4", "Make the tests of the tides table-driven"}}); len(got) != 1 {
		t.Errorf("words with a hyphen: %v", got)
	}
	if h := want[0]; !h.In("The harbour has a skill of its own") || h.In("the skill of the port") {
		t.Error("In does not tell what speaks of it")
	}
}
