package grounding

import "testing"

// TestGroundedWords: how a reader tells a thing does not count, what it says does.
func TestGroundedWords(t *testing.T) {
	for name, tt := range map[string]struct {
		title, evidence string
		ok              bool
	}{
		"told by a reader": {"The user asked for a changelog entry along with each finished commit", "commit, and changelog entry", true},
		"another thing":    {"The user asked for a database migration along with each finished release", "commit, and changelog entry", false},
		"only such words":  {"The user wanted this and asked for that", "deploy the harbour service", false},
	} {
		c := &Claim{Title: tt.title, Evidence: Fold(tt.evidence)}
		if err := groundedWords(c); (err == nil) != tt.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
