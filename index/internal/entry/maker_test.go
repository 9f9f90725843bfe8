package entry

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/google/go-cmp/cmp"
)

// TestMaker: what a maker made of one file stays as it is when the memory of that file,
// and of the maker, is used for others, short and long ones.
func TestMaker(t *testing.T) {
	var by Maker
	var data []byte
	var want []*memory.Memory
	var made []Made
	for i := range 300 {
		m := memory.New(memory.Decision, fmt.Sprintf("Number %d", i), strings.Repeat(fmt.Sprintf("word%d and ", i), 1+i*i%700), time.Unix(1700000000, 0))
		m.Links = []memory.Link{{Rel: memory.Refines, To: memory.NewID(memory.Fix, "x", fmt.Sprint(i))}}
		m.Tags, m.Unknown = []string{fmt.Sprintf("tag%d", i)}, fmt.Sprintf("reviewed_by: ann%d\n", i)
		data = append(data[:0], memory.Format(m)...)
		got, err := by.Make(strings.Repeat("b", 20), "x.md", data)
		if err != nil {
			t.Fatal(err)
		}
		want, made = append(want, m), append(made, got)
		clear(data)
	}
	for i, e := range made {
		m := &memory.Memory{Text: e.Body.Text, Unknown: e.Body.Unknown}
		e.Head.Fill(m)
		r := cachefile.Reader{Rest: e.Body.Meta}
		if ReadMeta(&r, m); r.Err != nil || !e.Head.Sound() {
			t.Fatalf("%d: %v", i, r.Err)
		}
		want[i].Tidy()
		if diff := cmp.Diff(want[i], m); diff != "" || !slices.Equal(e.Links, want[i].Links) {
			t.Fatalf("%d: (-want +got)\n%s", i, diff)
		}
		if s := SketchOf(sameness.Signature(m.Title, m.Text)); e.Head.Sketch() != s.Bytes() {
			t.Errorf("%d: another sketch than that of the signature", i)
		}
	}
}
