package workspace

import (
	"context"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
)

// TextMerge returns git's own merge of lines, which [memory.Merge] uses for the
// texts of memories.
func TextMerge(ctx context.Context, repo *gitops.Repo) memory.TextMerge {
	return func(base, ours, theirs string) (string, bool) {
		merged, clean, err := repo.MergeText(ctx, base, ours, theirs)
		return merged, clean && err == nil
	}
}
