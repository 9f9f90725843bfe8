package dependencies

import (
	"slices"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// TestUnmet: a decision is held against the dependencies there are.
func TestUnmet(t *testing.T) {
	now := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		title string
		typ   memory.Type
		have  []string
		own   map[string][]string
		want  string // the name that nothing depends on
	}{
		{title: "Use MongoDB for the sessions", have: []string{"github.com/jackc/pgx/v5"}, want: "mongodb"},
		{title: "We chose mongo over Postgres", have: []string{"pgx"}, want: "mongodb"},
		{title: "Use MongoDB for the sessions", have: []string{"go.mongodb.org/mongo-driver"}},
		{title: "Use MongoDB for the sessions", have: nil},
		{title: "Use pgx for all queries", have: []string{"github.com/lib/pq"}, want: "pgx"},
		{title: "Use pgx for all queries", have: []string{"github.com/jackc/pgx/v5"}},
		{title: "Use Postgres for the ledger", have: []string{"psycopg2"}},
		{title: "Use Postgres for the ledger", have: []string{"psycopg2-binary", "left-pad"}},
		{title: "Don't use Redis for the cache", have: []string{"left-pad"}},
		{title: "Use Redis for the cache", typ: memory.Gotcha, have: []string{"left-pad"}},
		{title: "Redis is down at night", have: []string{"left-pad"}},
		{title: "Redis is down at night", typ: memory.Learned, have: []string{"left-pad"}, want: "redis"},
		{title: "Redis is too slow", typ: memory.Rejected, have: []string{"left-pad"}},
		{title: "We test with Jest", have: []string{"vitest"}, want: "jest"},
		{title: "Use MongoDB for the sessions", have: []string{}, want: "mongodb"},
		{title: "Use Redis for the cache", have: []string{"left-pad"}, own: map[string][]string{"Redis": nil}},
		{title: "Use Redis for the cache", have: []string{"harbour-store"}, own: map[string][]string{"redis": {"harbour"}}},
		{title: "Use TideDB for readings", have: []string{"left-pad"}, own: map[string][]string{"tidedb": {"tide"}}, want: "tidedb"},
		{title: "Use TideDB for readings", have: []string{"left-pad"}},
	} {
		if c.typ == "" {
			c.typ = memory.Decision
		}
		asked := 0
		found := Unmet([]*memory.Memory{memory.New(c.typ, c.title, "", now)}, Builtin().With(c.own), func() []string { asked++; return c.have })
		if got := len(found) > 0; got != (c.want != "") || got && found[0].Name != c.want {
			t.Errorf("%q with %v: %+v", c.title, c.have, found)
		}
		if asked > 1 {
			t.Errorf("%q: read %d times", c.title, asked)
		}
	}
	older, newer := memory.New(memory.Decision, "Use Kafka for alarms", "", now.Add(-time.Hour)), memory.New(memory.Decision, "Use Vue for the page", "", now)
	found := Unmet([]*memory.Memory{older, newer}, Builtin(), func() []string { return []string{"left-pad"} })
	if !slices.EqualFunc(found, []*memory.Memory{newer, older}, func(c Choice, m *memory.Memory) bool { return c.Memory == m }) {
		t.Errorf("%+v", found)
	}
	for name, list := range Builtin() {
		if same(name) != name || len(list) == 0 {
			t.Errorf("%s cannot be found", name)
		}
	}
}
