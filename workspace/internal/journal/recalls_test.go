package journal

import (
	"bytes"
	"runtime"
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

// TestAccessOfLineBreaks: a file without a single counter, as another clone may send one,
// takes little more memory than its own size.
func TestAccessOfLineBreaks(t *testing.T) {
	data := bytes.Repeat([]byte{'\n'}, 1<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	uses := ParseAccess(data)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; len(uses) != 0 || took > 16<<20 {
		t.Errorf("%d counters of %d line breaks took %d bytes", len(uses), len(data), took)
	}
}
