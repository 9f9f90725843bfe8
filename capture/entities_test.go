package capture

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDependencyInWords: words with capitals that together name a dependency are that dependency.
func TestDependencyInWords(t *testing.T) {
	deps := []string{"tide-table", "@harbour/gauge-view", "react"}
	for text, want := range map[string][]string{
		"We chose Tide Table over a list": {"tide-table"},
		"Gauge View draws it":             {"gauge-view"},
		"The tide table is wrong":         nil,
		"The Tide. Table two is wrong":    {"tide-table"}, // marks between words are not looked at
		"The Tide has a Table":            nil,
		"The tide-table is old":           {"tide-table"},
	} {
		if diff := cmp.Diff(want, EntitiesIn(text, nil, nil, deps)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestEntitiesAreNames: abbreviations, ids of objects, numbers and versions name nothing.
func TestEntitiesAreNames(t *testing.T) {
	text := "Use `RetryPolicy` (e.g. in `pkg/http`), i.e. not `9f2c1d07aa4b`, since `v1.2.3`, `10.0.0.1`, `2026-11-02` and/or `12345`; `deadbeef` and `cafe_2` stay."
	if diff := cmp.Diff([]string{"RetryPolicy", "cafe_2", "deadbeef", "pkg/http"}, entitiesIn(text, nil)); diff != "" {
		t.Error(diff)
	}
}
