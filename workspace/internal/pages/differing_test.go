package pages

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
)

// changesOf reads "path:old>new" words.
func changesOf(s string) (out []gitops.Difference) {
	for _, w := range strings.Fields(s) {
		path, blobs, _ := strings.Cut(w, ":")
		old, now, _ := strings.Cut(blobs, ">")
		out = append(out, gitops.Difference{Path: path, Old: gitops.ObjectID(old), New: gitops.ObjectID(now)})
	}
	return out
}

func TestDiffering(t *testing.T) {
	for _, tt := range []struct{ before, after, want string }{
		{"", "", ""},
		{"", "a:1>2", "a:1>2"},
		{"a:1>2", "", "a:2>1"}, // it is as in the base again
		{"a:1>2", "a:1>2", ""},
		{"a:1>2 c:>3", "a:1>4 b:>5 c:>3", "a:2>4 b:>5"},
		{"a:>1 b:>2", "b:>2 c:3>", "a:1> c:3>"},
	} {
		if diff := cmp.Diff(changesOf(tt.want), differing(changesOf(tt.before), changesOf(tt.after))); diff != "" {
			t.Errorf("%q to %q: %s", tt.before, tt.after, diff)
		}
	}
}

// TestSet: a change that leads back to the base is none, and the changes stay sorted.
func TestSet(t *testing.T) {
	k := renderedPages{changes: changesOf("b:1>2 d:>3")}
	k.set("c", "4", "5") // new
	k.set("b", "1", "2") // as in the base
	k.set("d", "6", "3") // its base stays
	k.set("a", "7", "7") // unchanged
	if diff := cmp.Diff(changesOf("c:5>4 d:>6"), k.changes); diff != "" {
		t.Error(diff)
	}
}
