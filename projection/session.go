package projection

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// SessionNumbers numbers the sessions from which memories come, from 1 in the
// order of their oldest memory, so that new sessions do not change the numbers
// of others. The key is source.session; memories without one have no number.
func SessionNumbers(memories []*memory.Memory) map[string]int {
	first := map[string]time.Time{}
	for _, m := range memories {
		if s := m.Source.Session; s != "" {
			if t, ok := first[s]; !ok || m.Created.Before(t) {
				first[s] = m.Created
			}
		}
	}
	numbers := make(map[string]int, len(first))
	for i, s := range orderedByTime(first, false) {
		numbers[s] = i + 1
	}
	return numbers
}

// sessionAges returns for each session how many are newer, by the newest record
// of each; 0 for the newest. All memories written outside of a session on one
// day count as one session.
func sessionAges(records []*memory.Memory) map[string]int {
	newest := map[string]time.Time{}
	for _, r := range records {
		key := sessionKey(r)
		if t, ok := newest[key]; !ok || r.Created.After(t) {
			newest[key] = r.Created
		}
	}
	ages := make(map[string]int, len(newest))
	for i, key := range orderedByTime(newest, true) {
		ages[key] = i
	}
	return ages
}

func sessionKey(m *memory.Memory) string {
	if m.Source.Session != "" {
		return "session " + m.Source.Session
	}
	return "day " + m.Created.UTC().Format(time.DateOnly)
}

func orderedByTime(at map[string]time.Time, newest bool) []string {
	keys := slices.Collect(maps.Keys(at))
	lists.Sort(keys, func(a, b string) int {
		order := at[a].Compare(at[b])
		if newest {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(a, b))
	})
	return keys
}
