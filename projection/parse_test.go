package projection

import (
	"fmt"
	"strings"
	"testing"
)

// TestMergeOfManyNames: who writes a page says which files are read for it; there is an end.
func TestMergeOfManyNames(t *testing.T) {
	page := func(n int) []byte {
		var b strings.Builder
		b.WriteString(pageOpen + "decisions 2 -->\n" + filesOpen + "\n")
		for i := range n {
			b.WriteString(encodeName(fmt.Sprintf("%0*x", digits, i)) + "\n")
		}
		b.WriteString(filesClose + "\n")
		return []byte(b.String())
	}
	asked := 0
	store := &Store{Files: func(names []string) (map[string]File, error) {
		asked = max(asked, len(names))
		return nil, nil
	}}
	for n, want := range map[int]int{10: 10, maxNamed: maxNamed, maxNamed + 1: 0} {
		asked = 0
		if got, err := Merge(Decisions, nil, page(n), page(1), store); err == nil || asked != want {
			t.Errorf("a page that names %d files: %d were asked for, %q, %v", n, asked, got, err)
		}
	}
}
