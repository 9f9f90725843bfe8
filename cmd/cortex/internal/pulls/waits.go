package pulls

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/changes"
	"github.com/git-cortex/cortex/workspace/review"
)

// Read compares the two states of a range. Where its head is what is checked out, it says too what of that branch
// waits.
func Read(ctx context.Context, w *workspace.Workspace, at changes.Range) (*changes.Report, error) {
	r, err := changes.Read(ctx, w, at)
	if err != nil || !at.Worktree && string(at.Head) != w.Repo.Head {
		return r, err
	}
	r.Waits, err = waiting(ctx, w)
	return r, err
}

// waiting counts what waits on the branch that is checked out by the reason, the most frequent first.
func waiting(ctx context.Context, w *workspace.Workspace) ([]changes.Wait, error) {
	items, v, err := review.List(ctx, w, review.Options{})
	if err != nil {
		return nil, err
	}
	out := []changes.Wait{}
	waits := func(it review.Item) bool { return it.Stage == index.Pending && !it.Lands && it.Branch == v.Branch }
	n := map[string]int{}
	for _, it := range lists.Where(items, waits) {
		n[it.Why]++
	}
	for why, count := range n {
		out = append(out, changes.Wait{Why: why, Count: count})
	}
	lists.Sort(out, func(a, b changes.Wait) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Why, b.Why))
	})
	return out, nil
}

// maxReasons is how many reasons for waiting are named.
const maxReasons = 3

// waitText says in a line how many memories wait, and why.
func waitText(waits []changes.Wait) string {
	n := 0
	for _, wait := range waits {
		n += wait.Count
	}
	named := lists.Map(waits[:min(len(waits), maxReasons)], func(wait changes.Wait) string {
		return fmt.Sprintf("%s (%d)", wait.Why, wait.Count)
	})
	return console.Plural(n, "memory waits", "memories wait") + " on this branch: " + strings.Join(named, "; ")
}
