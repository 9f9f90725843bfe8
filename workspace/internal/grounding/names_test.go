package grounding

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIsPath(t *testing.T) {
	for word, want := range map[string]bool{
		"store/open.go": true, "open.go": true, "/etc/hosts": true, "./x": true, "internal/store": false, "a/b/c": true, "cmd/cortex-2": true,
		"https://example.org": true, "2/3": false, "and/or": false, "word": false, "e.G.": false, "e.g": false, "i.e": false, "c.go": true, "ab.c": true, "v1.2": false, "Makefile": false,
	} {
		if got := IsPath(word); got != want {
			t.Errorf("IsPath(%q) = %v", word, got)
		}
	}
}

func TestNamed(t *testing.T) {
	for word, want := range map[string]bool{
		"word": false, "Redis": true, "I": false, "parseEvent": true, "HTTP": true, "snake_case": true, "--force": true, "x86": true, "2026": false,
		"a.b": true, "std::vector": true, "well-known": false, "größer": false,
	} {
		if got := (token{text: word}).named(); got != want {
			t.Errorf("named(%q) = %v", word, got)
		}
	}
	if (token{text: "Redis", first: true}).named() {
		t.Error("a capital at the beginning of a sentence makes a name")
	}
}

func TestCamelParts(t *testing.T) {
	for id, want := range map[string][]string{
		"SessionIDConflict": {"Session", "ID", "Conflict"}, "parseEvent": {"parse", "Event"}, "ABCd": {"AB", "Cd"}, "word": {"word"},
	} {
		if diff := cmp.Diff(want, camelParts(id)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

// TestCheck: what a claim names stands in its evidence or around it.
func TestCheck(t *testing.T) {
	evidence := Fold("The importer reads 400 files with parseEvent in store/open.go, because Redis was slow: phase 3 drops it.")
	for text, want := range map[string]bool{
		"The importer reads files with parseEvent because Redis was slow.":             true,
		"The importer reads 400 files in store/open.go.":                               true,
		"The importer reads files with parseEvent, e.g. 400 files, as Redis was slow.": true,
		"The importer reads 500 files with parseEvent because Redis was slow.":         false,
		"The importer reads files with parseRecord because Redis was slow.":            false,
		"The importer reads files in store/close.go because Redis was slow.":           false,
		"The importer reads files with parseEvent because Postgres was slow.":          false,
		"Kafka brokers elect leaders by quorum and replicate partitions elsewhere.":    false,
		"The importer reads 16px files of issue 77 because Redis was slow.":            true,
	} {
		c := Claim{
			Title: "The importer reads files slowly", Text: text, Evidence: evidence,
			Around: []Text{{Line: 3, Said: "a border of 16px, see issue 77"}},
		}
		if err := c.Check(); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
