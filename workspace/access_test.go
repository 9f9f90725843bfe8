package workspace

import (
	"bytes"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
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

// TestUsesOfAServer: counters are read once as long as they are the same, whatever else
// is captured, and anew when another process has counted.
func TestUsesOfAServer(t *testing.T) {
	w := newWorkspace(t)
	const id = "0123456789abcdef"
	write := func(path, data string) {
		t.Helper()
		err := w.again(t).Update(t.Context(), func(*gitops.Snapshot) (gitops.Change, error) {
			return gitops.Change{Message: "m", Trailers: w.Trailers("", ""), When: w.Now(), Put: map[string][]byte{path: []byte(data)}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	uses := func() map[memory.ID]memory.Use {
		t.Helper()
		now, err := w.Refresh(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		snap, err := now.Journal(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		uses, _ := now.recalls.uses(t.Context(), snap)
		return uses
	}
	if n := len(uses()); n != 0 {
		t.Errorf("%d of none", n)
	}
	write("access/0000000000000001.tsv", id+"\t2\t5\n")
	first := uses()
	write("accepted/0", "")
	if again := uses(); reflect.ValueOf(again).Pointer() != reflect.ValueOf(first).Pointer() || again[id].Recalls != 2 {
		t.Errorf("%v, and again %v", first, again)
	}
	write("access/0000000000000002.tsv", id+"\t3\t6\n")
	if got := uses(); got[id].Recalls != 5 || first[id].Recalls != 2 {
		t.Errorf("%v after another clone counted, %v before", got, first)
	}
}
