package index

import (
	"testing"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
	"github.com/google/go-cmp/cmp"
)

func TestPlainLanguageHidesNoClearMatch(t *testing.T) {
	at := func(days int) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Created = testNow.AddDate(0, 0, -days).UTC() }
	}
	s := newShelf(t,
		memo(memory.Decision, "Cache in memory", "The cache holds what was parsed.", at(40)),
		memo(memory.Learned, "Cache misses", "The cache misses are cheap.", at(8)),
		memo(memory.Gotcha, "Eviction", "A passing word on the cache, and then about eviction, which takes long.", at(7)),
		memo(memory.Rejected, "No Redis", "A server only for a cache.", at(90)),
		memo(memory.Question, "Who cleans the spool?", "Nobody so far.", at(3)),
		memo(memory.Learned, "The heron migration of last week", "Herons moved.", at(200)),
	)
	for i := range s.view.Items {
		f, _ := s.index.Catalog().Facts(s.view.Items[i].Blob)
		s.view.Items[i].Open = f.Type == memory.Question
	}
	for query, want := range map[string][]string{
		"cache last week":        {"Cache misses", "Eviction"},
		"heron cache last week":  {"The heron migration of last week", "Cache misses", "Eviction"}, // far better than all of last week
		"heron last week":        {"The heron migration of last week"},                             // nothing of last week
		"decisions about cache":  {"Cache in memory", "No Redis", "Cache misses", "Eviction"},
		"rejected approaches":    {"No Redis"},
		"open questions":         {"Who cleans the spool?"},
		"herons decided in june": {"The heron migration of last week"},
	} {
		if diff := cmp.Diff(want, s.titles(t, query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	r := find(t, s.index, s.view, "heron last week", 10)
	if len(r.Query.Clauses) != 0 || len(r.Hints) != 1 || r.Total != 1 {
		t.Errorf("filters %v and hints %q of what led nowhere, total %d", r.Query.Filters(), r.Hints, r.Total)
	}
	if r = find(t, s.index, s.view, "cache last week", 10); r.Total != 2 || r.Query.Filters()["since"] == nil {
		t.Errorf("total %d, filters %v", r.Total, r.Query.Filters())
	}
}

// TestStagesAreWordsOfQueries holds that each stage can be asked for.
func TestStagesAreWordsOfQueries(t *testing.T) {
	for _, s := range []Stage{Landed, Pending, Global} {
		for _, key := range []string{"stage", "is"} {
			if q := query.Parse(key+":"+string(s), testNow); len(q.Clauses) != 1 || q.Clauses[0].Value != string(s) {
				t.Errorf("%s:%s became %+v", key, s, q)
			}
		}
	}
}
