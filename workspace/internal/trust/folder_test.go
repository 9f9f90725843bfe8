package trust

import "testing"

// TestWithin: where names fold, a folder is the same in all of its spellings.
func TestWithin(t *testing.T) {
	const folder = ".cortex/memories"
	for _, c := range []struct {
		path         string
		exact, folds bool
	}{
		{".cortex/memories/decision/a.md", true, true},
		{".Cortex/Memories/decision/a.md", false, true},
		{".cortex/MEMORIES/a.md", false, true},
		{".cortex/memorie\u017f/a.md", false, true}, // the long s is an s in lower case
		{".cortex/memories", false, false},
		{".cortex/memories2/a.md", false, false},
		{".cortex/memorie/a.md", false, false},
		{"x/.cortex/memories/a.md", false, false},
		{".cortex", false, false},
		{"", false, false},
	} {
		if got := within(folder, c.path, false); got != c.exact {
			t.Errorf("%q in exact letters: %v", c.path, got)
		}
		if got := within(folder, c.path, true); got != c.folds {
			t.Errorf("%q where names fold: %v", c.path, got)
		}
	}
}

// TestKey: spellings that a file system takes for one name have one key, and others none
// in common.
func TestKey(t *testing.T) {
	for _, same := range [][]string{
		{"decision/Pump.md", "DECISION/pump.MD", "Deci\u017fion/pump.md"},
		{"caf\u00e9.md", "cafe\u0301.md", "CAFE\u0301.md", "CAF\u00c9.MD"},
		{"\u212b.md", "\u00c5.md", "a\u030a.md"},
		{"\u03c3.md", "\u03c2.md", "\u03a3.md"},
		{"a.md"},
		{"b.md"},
		{"cafe.md"},
	} {
		for _, p := range same {
			if key(p, true) != key(same[0], true) {
				t.Errorf("%q is another file than %q", p, same[0])
			}
			if key(p, false) != p {
				t.Errorf("%q is changed where names are exact", p)
			}
		}
	}
	seen := map[string]bool{}
	for _, p := range []string{"a.md", "b.md", "cafe.md", "caf\u00e9.md", "\u00df.md", "ss.md", "caf\u00e9.md/x"} {
		if k := key(p, true); seen[k] {
			t.Errorf("%q is taken for another", p)
		} else {
			seen[k] = true
		}
	}
}
