package trust

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
		{".cortex/memorie\u017f/a.md", false, true},        // the long s is an s in lower case
		{".c\u200dortex/memo\ufeffries/a.md", false, true}, // HFS+ passes over both
		{"CORTEX~1/memories/a.md", false, true},
		{"cort~12/MEMORIES/a.md", false, true},
		{"CO7F21~1/memories/a.md", false, true},
		{"CO7F2~10/memories/a.md", false, true}, // a longer number takes digits from the sum
		{".cortex. ./memories::$INDEX_ALLOCATION/a.md", false, true},
		{"CORTEX~/memories/a.md", false, false},
		{"COZ921~1/memories/a.md", false, false},
		{"CORTEXX~1/memories/a.md", false, false},
		{"~1/memories/a.md", false, false},
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
		{"pump\u200c.md", "pump.md", "pump.md. ", "pump.md:x", "\u206apump.md"},
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

// TestShortNames: digits of the sum in a short name may be letters of the name as well.
func TestShortNames(t *testing.T) {
	for path, want := range map[string]bool{
		"EV7F21~1.MD": true, "EVE321~1.MD": true, "EVEE21~1.MD": true, "EV7F2~12.MD": true,
		"EV7F2G~1.MD": false, "AVE321~1.MD": false, "EVE3210~1.MD": false,
	} {
		if got := same([]string{"eveed-lock-opens.md"}, []string{path}); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// TestAt: a short name is one of each file that it may stand for.
func TestAt(t *testing.T) {
	c := Committed{
		folds: true,
		blobs: map[string][]string{key(".cortex/memories/fix/every-lock-opens.md", true): {"good"}},
		short: []shortPath{{strings.Split(".cortex/memories/FIX/EVERY-~1.MD", "/"), "bad"}},
	}
	for path, want := range map[string][]string{
		".cortex/memories/fix/every-lock-opens.md": {"good", "bad"},
		".cortex/memories/fix/every-pump.md":       {"bad"},
		".cortex/memories/fix/any-pump.md":         nil,
	} {
		if diff := cmp.Diff(want, c.At(path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// TestAtMany: of more short names than anybody has, each may stand for any file: they are
// not compared one by one with all that there are.
func TestAtMany(t *testing.T) {
	c := Committed{folds: true, blobs: map[string][]string{key(".cortex/memories/fix/any-pump.md", true): {"good"}}}
	for range mostShort + 1 {
		c.short = append(c.short, shortPath{strings.Split(".cortex/memories/FIX/EVERY-~1.MD", "/"), "bad"})
	}
	if got := c.At(".cortex/memories/fix/any-pump.md"); len(got) != mostShort+2 || got[0] != "good" || got[1] != "bad" {
		t.Errorf("%d contents: %.3q", len(got), got)
	}
}
