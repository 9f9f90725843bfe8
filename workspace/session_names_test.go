package workspace

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/index/query"
)

func twoSessions() *knownSessions {
	return &knownSessions{
		numbers: func() map[string]int { return map[string]int{"aa11": 1, "bb22": 2} },
		last:    func(n int) []string { return []string{"bb22", "aa11"}[:min(n, 2)] },
	}
}

// TestNamedSessions: a number becomes the id of its session, and anything else stays.
func TestNamedSessions(t *testing.T) {
	for value, want := range map[string][]string{
		"2": {"bb22"}, "s1": {"aa11"}, "S1": {"aa11"}, "9": {"9"}, "12345": {"12345"}, "-1": {"-1"}, "aa": {"aa"},
	} {
		got := twoSessions().named(query.Query{Clauses: []query.Clause{
			{Key: query.Type, Value: "fix"},
			{Key: query.Session, Value: value},
		}})
		var ids []string
		for _, c := range got.Clauses[1:] {
			ids = append(ids, c.Value)
		}
		if diff := cmp.Diff(want, ids); diff != "" || got.Clauses[0].Value != "fix" {
			t.Errorf("%s: (-want +got)\n%s", value, diff)
		}
	}
	last := twoSessions().named(query.Query{Clauses: []query.Clause{{
		Key:   query.Session,
		Value: query.LastSessions + "2", Said: "the last two sessions",
	}}})
	if len(last.Clauses) != 2 || last.Clauses[0].Value != "bb22" {
		t.Errorf("%+v", last)
	}
	if !asksSessions(last) || asksSessions(query.Query{Words: []string{"gauge"}, Clauses: last.Clauses}) ||
		asksSessions(query.Query{}) {
		t.Error("what asks for sessions")
	}
}
