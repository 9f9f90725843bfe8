package workspace_test

import (
	"testing"

	"github.com/git-cortex/cortex/workspace/internal/requests"

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
		if diff := cmp.Diff(want, requests.Directives(prompt)); diff != "" {
			t.Errorf("%q: %s", prompt, diff)
		}
	}
}

// TestFindRequests: what three sessions ask for in their own words is a repeated request; what a fork of a
// session repeats is not said again, and routine work is none.
func TestFindRequests(t *testing.T) {
	before := []requests.Said{
		{Session: "s1", Text: "Delegate the export to the harbour skill"},
		{Session: "s2", Text: "use the harbour skill for the reply"},
		{Session: "s1-fork", Text: "Delegate the export to the harbour skill"},
		{Session: "s1", Text: "Fix the tests and push the branch"},
		{Session: "s2", Text: "Push the branch and fix the tests"},
	}
	now := []requests.Said{
		{Session: "s3", Text: "Fix the tests, then push the branch"},
		{Session: "s3", Text: "Rewrite the pages with the harbour skill"},
	}
	got := requests.Find(now, before)
	want := []requests.Repeated{{Words: [2]string{"harbour", "skill"}, Said: []requests.Said{{Session: "s2", Text: "use the harbour skill for the reply"}, {Session: "s1", Text: "Delegate the export to the harbour skill"}, {Session: "s3", Text: "Rewrite the pages with the harbour skill"}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := requests.Find(now[1:], before[1:]); len(got) != 1 {
		t.Errorf("the fork alone tells of its first session: %v", got)
	}
	if got := requests.Find(now[1:], before[:1]); len(got) != 0 {
		t.Errorf("two sessions made a repeated request: %v", got)
	}
	if got := requests.Find([]requests.Said{{Session: "s4", Text: before[0].Text}}, append(before, now...)); len(got) != 0 {
		t.Errorf("a fork made a repeated request: %v", got)
	}
	if got := requests.Find([]requests.Said{{Session: "s6", Text: "Use table driven tests where possible"}}, []requests.Said{{Session: "s5", Text: "Why aren't we using table-driven tests?"}, {Session: "s4", Text: "Make the tests of the tides table-driven"}}); len(got) != 1 {
		t.Errorf("words with a hyphen: %v", got)
	}
	if h := want[0]; !h.In("The harbour has a skill of its own") || h.In("the skill of the port") {
		t.Error("In does not tell what speaks of it")
	}
}
