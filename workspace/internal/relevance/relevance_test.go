package relevance

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStems(t *testing.T) {
	for text, want := range map[string][]string{
		"The readers cached entries in store/wal.go": {"reader", "cach", "entr", "stor", "wal", "go"},
		"caching caches": {"cach"},
		"yes, it is":     {"yes"},
	} {
		got := Stems(text)
		if len(got) != len(want) || len(want) > 0 && !cmp.Equal(want, got) {
			t.Errorf("Stems(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestShare(t *testing.T) {
	if got := Share(nil, "anything"); got != 1 {
		t.Errorf("of no words: %v", got)
	}
	if got := Share([]string{"cach", "disk"}, "it caches"); got != .5 {
		t.Errorf("of one in two: %v", got)
	}
}
