package history

import (
	"strings"
	"testing"
)

func TestParseBlameOfAnything(t *testing.T) {
	for _, out := range []string{"", "\t\n", "author A\n\tx\n", strings.Repeat("a", 40) + "\n\tx\n", strings.Repeat("0", 40) + " 1 x 1\n\ty\n"} {
		parseBlame(out)
	}
}
