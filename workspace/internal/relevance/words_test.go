package relevance_test

import (
	"strings"
	"testing"

	"github.com/git-cortex/cortex/workspace/internal/relevance"
)

func TestPromptTerms(t *testing.T) {
	for name, tt := range map[string]struct {
		prompt string
		want   []string
	}{
		"stop words go":    {"where do the segment files go?", []string{"segment", "files", "go"}},
		"once each":        {"cache the cache, then Cache it", []string{"cache", "Cache"}},
		"paths and flags":  {"why does store/wal.go need --no-verify?", []string{"need", "store/wal.go", "no-verify"}},
		"other scripts":    {"索引 für Größe", []string{"索引", "für", "Größe"}},
		"nothing":          {"   ", nil},
		"punctuation only": {"... --- ///", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[string]bool{}
			for _, w := range relevance.Words(tt.prompt) {
				got[w] = true
			}
			for _, w := range tt.want {
				if !got[w] {
					t.Errorf("%q is missing in %v", w, got)
				}
			}
			if tt.want == nil && len(got) > 0 {
				t.Errorf("want none, got %v", got)
			}
			for _, w := range []string{"the", "do", "does", "it"} {
				if got[w] {
					t.Errorf("%q can tell no memories apart", w)
				}
			}
		})
	}
	if n := len(relevance.Words(strings.Repeat("alpha beta gamma delta ", 10_000))); n > 5 {
		t.Errorf("%d words of four, and of the one that is cut", n)
	}
	var many strings.Builder
	for i := range 500 {
		many.WriteString("w" + strings.Repeat("x", i%60) + strings.Repeat("y", i/60) + " ")
	}
	if n := len(relevance.Words(many.String())); n > 64 {
		t.Errorf("%d words, at most %d", n, 64)
	}
}
