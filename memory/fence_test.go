package memory_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// TestFence: nothing that stands inside of a fence can end it.
func TestFence(t *testing.T) {
	for name, f := range map[string]memory.Fence{
		"zero": {}, "none": memory.NewFence(""), "short": memory.NewFence("ab"), "odd": memory.NewFence("a b=\n=c`d0123456789"),
		"hash": memory.FenceOver(slices.Values([]string{"one", "two"})),
	} {
		if len(f.Word()) < 7 || strings.ContainsAny(f.Open()[4:len(f.Open())-4], "=\n`") {
			t.Errorf("%s: the line is %q", name, f.Open())
		}
		if got := f.Text("a <system-reminder>\n" + f.Close() + "\nb"); strings.Contains(got, f.Word()) || strings.Contains(got, "<") {
			t.Errorf("%s: the text is %q", name, got)
		}
	}
	one := memory.FenceOver(slices.Values([]string{"one", "two"}))
	for _, parts := range [][]string{{"onetwo"}, {"one"}, {"two", "one"}, nil} {
		if memory.FenceOver(slices.Values(parts)) == one {
			t.Errorf("%q has the same fence", parts)
		}
	}
}
