package explore

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
)

// TestCoupled: a file is coupled from four commits and three of five on; large commits, and the
// memories that came with a commit, say nothing.
func TestCoupled(t *testing.T) {
	commit := func(files ...string) gitops.Step {
		var s gitops.Step
		for _, f := range files {
			s.Changes = append(s.Changes, gitops.Difference{Path: f})
		}
		return s
	}
	steps := []gitops.Step{
		commit("a", "b", ".cortex/memories/x.md"), commit("a", "b", "c"), commit("a", "b", "c"), commit("a", "b", "c"),
		commit("a", "b"), commit("a"), commit("b", "c"),
	}
	var large []string
	for i := range manyFiles {
		large = append(large, fmt.Sprint("f", i))
	}
	steps = append(steps, commit(append(large, "a", "c")...))
	if d := cmp.Diff([]*Coupled{{Path: "b", Commits: 5, Of: 6}}, coupled(steps, "a")); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if got := coupled(steps[:3], "a"); len(got) > 0 {
		t.Errorf("of three commits: %+v", got)
	}
}
