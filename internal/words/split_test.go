package words

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSplit freezes how texts are split: what stands on disk may have been compared by it.
func TestSplit(t *testing.T) {
	const text = "Größe of go1.27-rc1: don't_split, 索引 … 3,5 é\u0301!"
	for joiners, want := range map[string][]string{
		"":    {"Größe", "of", "go1", "27", "rc1", "don", "t", "split", "索引", "3", "5", "é"},
		".,":  {"Größe", "of", "go1.27", "rc1", "don", "t", "split,", "索引", "3,5", "é"},
		"-_.": {"Größe", "of", "go1.27-rc1", "don", "t_split", "索引", "3", "5", "é"},
		"_-'": {"Größe", "of", "go1", "27-rc1", "don't_split", "索引", "3", "5", "é"},
	} {
		if diff := cmp.Diff(want, slices.Collect(Split(text, joiners))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", joiners, diff)
		}
	}
	if got := slices.Collect(Split(" … --", "")); len(got) != 0 {
		t.Errorf("words of marks: %q", got)
	}
}
