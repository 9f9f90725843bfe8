package sentence

import "testing"

// TestNarrates: how somebody went about the work is told apart from what they found.
func TestNarrates(t *testing.T) {
	for s, want := range map[string]bool{
		"I've verified everything directly in the source":                  true,
		"I removed the stale tide hook":                                    true,
		"I also added the experiment for the office":                       true,
		"Confirms the earlier call: strip the bytes there":                 true,
		"Verified against your tables again, the output is the same":       true,
		"Looks like this was already fixed":                                true,
		"Review written to `docs/tide.md`":                                 true,
		"The reviewer was right about the gauge":                           true,
		"The gauge verified its readings before it sent them":              false,
		"I prefer one table for each harbour":                              false,
		"Readings are confirmed by the office before they count":           false,
		"Looks are kept in `theme.css`, which the build overwrites":        false,
		"Checksums are written by the exporter, and checked by the office": false,
	} {
		if got := Narrates(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}
