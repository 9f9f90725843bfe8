package sameness_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/sameness"
)

// TestSignatureVectors: sketches in caches hold these hashes, so they stay what they are.
func TestSignatureVectors(t *testing.T) {
	for text, want := range map[string][]uint32{
		"":                          {},
		"the of and x":              {},
		"Use flock for 3 locks_now": {906799682, 1469170932, 2053012012, 3083503734},
		"検索索引 GRÖSSE":               {875483728, 1541071376, 1924951598, 2676226103},
	} {
		if diff := cmp.Diff(want, sameness.Signature(text)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}
