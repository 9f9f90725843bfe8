package workspace

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

func TestAccessCounters(t *testing.T) {
	uses := map[memory.ID]memory.Use{
		"0123456789abcdef": {Recalls: 3, Last: time.Unix(1_790_000_000, 0).UTC()},
		"zzzzzzzzzzzzzzzz": {Recalls: 1, Last: time.Unix(5, 0).UTC()},
	}
	if diff := cmp.Diff(uses, ParseAccess(FormatAccess(uses))); diff != "" {
		t.Error(diff)
	}
	hostile := "0123456789abcdef\t-1\t0\nnot-an-id\t1\t1\n0123456789abcdef\t9999999\t1\n\x00\t\n0123456789abcdeg\t2\t3\n"
	if got := ParseAccess([]byte(hostile)); len(got) != 1 || got["0123456789abcdeg"].Recalls != 2 {
		t.Errorf("got %v", got)
	}
}
