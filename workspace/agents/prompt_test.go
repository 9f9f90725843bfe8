package agents

import (
	"strings"
	"testing"
)

// TestChoicesIn: those sentences of a prompt count that choose or turn down, and no more
// of them than are compared with all decisions, however they are put.
func TestChoicesIn(t *testing.T) {
	for name, tt := range map[string]struct {
		prompt string
		want   int
	}{
		"none":                      {"The gauge at the weir reads too low.", 0},
		"one":                       {"The gauge is slow. Use Redis for the cache", 1},
		"two lines":                 {"Use Redis\nNever use Memcached", 2},
		"after many that take none": {strings.Repeat("It is slow.\n", 100) + "Use Redis", 1},
		"more than are compared":    {strings.Repeat("Use Redis. ", 100), chosenSentences},
	} {
		if got := len(choicesIn(tt.prompt)); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}
