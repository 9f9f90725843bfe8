package capture

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEntitiesAreNames: abbreviations, ids of objects, numbers and versions name nothing.
func TestEntitiesAreNames(t *testing.T) {
	text := "Use `RetryPolicy` (e.g. in `pkg/http`), i.e. not `9f2c1d07aa4b`, since `v1.2.3`, `10.0.0.1`, `2026-11-02` and/or `12345`; `deadbeef` and `cafe_2` stay."
	if diff := cmp.Diff([]string{"RetryPolicy", "cafe_2", "deadbeef", "pkg/http"}, entitiesIn(text, nil)); diff != "" {
		t.Error(diff)
	}
}
