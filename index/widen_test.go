package index

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

// TestSearchWidensItsWords holds that names and misspelt words are found as
// memories write them, whether those are indexed or not, and whatever is outside
// of the view.
func TestSearchWidensItsWords(t *testing.T) {
	s := newShelf(t,
		memo(memory.Decision, "Builds run on GitHub", "GitHub builds every branch."),
		memo(memory.Learned, "The hub of the wheel", "A git of a wheel, without a hub for long."),
		memo(memory.Learned, "Deploys", "A ReplicaSet is scaled by hand."),
		memo(memory.Gotcha, "Telemetry stops", "The telemetry of the kiln stops at night."),
		memo(memory.Learned, "Last touched", "The kiln was last touched in a week without rain."),
		memo(memory.Fix, "Twice", "One says: the valve sticks."),
		memo(memory.Fix, "Twice", "One says: “The valve sticks”!"),
	)
	hidden := memory.Format(memo(memory.Learned, "Elsewhere", "telemetrix telemetrix kilm"))
	s.index.Catalog().Add(BlobID(hidden, false), "x", hidden)
	for _, indexed := range []bool{false, true} {
		if indexed {
			update(t, s.index, s.view)
		}
		for text, want := range map[string][]string{
			"github":              {"Builds run on GitHub", "The hub of the wheel"},
			"GitHub":              {"Builds run on GitHub", "The hub of the wheel"},
			"replicaset":          {"Deploys"},
			"telmetry kiln":       {"Telemetry stops", "Last touched"},
			"telemetry last week": {"Telemetry stops"}, // nothing of that time
			"kiln E1042":          {"Telemetry stops", "Last touched"},
			"telmetry":            {"Telemetry stops"},
			"valve":               {"Twice"},
			"kiln telmetry of xy": {"Telemetry stops", "Last touched"},
		} {
			if got := s.titles(t, text); len(got) == 0 || got[0] != want[0] || len(got) != len(want) {
				t.Errorf("%s, indexed %v: %q, want %q", text, indexed, got, want)
			}
		}
		for text, want := range map[string]string{
			"telmetry kiln":       `no memory holds "telmetry": searched for telemetry instead`,
			"kiln E1042":          `no memory holds "E1042"`,
			"telemetry last week": "nothing is of that time: the other words were searched at any time",
			"kiln telemetry":      "",
			"telmetry":            `no memory holds "telmetry": searched for telemetry instead`,
			"zebra":               "", // nothing was found at all
			"delemetry":           "", // a first letter is hardly ever wrong
			"telemtrey dils":      `no memory holds "telemtrey": searched for telemetry instead; no memory holds "dils"`,
		} {
			r := find(t, s.index, s.view, text, 10)
			if got := strings.Join(r.Hints, "; "); got != want {
				t.Errorf("%s, indexed %v: hint %q, want %q", text, indexed, got, want)
			}
		}
	}
	r := find(t, s.index, s.view, "valve", 10)
	if len(r.Hits) != 1 || len(r.Hits[0].Twins) != 1 || r.Hits[0].Twins[0] == r.Hits[0].Memory.ID {
		t.Errorf("%d hits for twins", len(r.Hits))
	}
	typed := find(t, s.index, s.view, "telmetry kiln", 10)
	if r := find(t, s.index, s.view, "telemetry kiln", 10); !cmp.Equal(ids(r), ids(typed)) {
		t.Errorf("a misspelt word orders %v, the right one %v", ids(typed), ids(r))
	}
}

// TestNewestFirst holds that of the best matches the newest come first when they
// are asked for.
func TestNewestFirst(t *testing.T) {
	at := func(days int) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Created = testNow.AddDate(0, 0, -days).UTC() }
	}
	s := newShelf(t,
		memo(memory.Decision, "Cache in memory", "The cache holds what was parsed.", at(40)),
		memo(memory.Decision, "Cache on disk", "The cache holds what was read.", at(3)),
		memo(memory.Decision, "Cache nothing", "No cache at first.", at(90)),
		memo(memory.Learned, "Herons", "They move south.", at(1)),
	)
	for query, want := range map[string][]string{
		"latest decisions":             {"Cache on disk", "Cache in memory", "Cache nothing"},
		"latest decisions about cache": {"Cache on disk", "Cache in memory", "Cache nothing"},
		"what happened recently":       {"Herons", "Cache on disk"},
		"cache recently":               {"Cache on disk"},
	} {
		if diff := cmp.Diff(want, s.titles(t, query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

func ids(r *Result) []memory.ID {
	var out []memory.ID
	for _, h := range r.Hits {
		out = append(out, h.Memory.ID)
	}
	return out
}
