package workspace

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
)

// WithoutIgnored takes anchors of files that git ignores from memories. A clone of
// somebody else has no such file, and the id of its blob would let anybody try out what a
// short secret in it is. What git cannot say of a file counts as ignored. It costs one git
// process, none without anchors.
func WithoutIgnored(ctx context.Context, repo *gitops.Repo, memories ...*memory.Memory) {
	var paths []string
	for _, m := range memories {
		for _, a := range m.Anchors {
			if !slices.Contains(paths, a.Path) {
				paths = append(paths, a.Path)
			}
		}
	}
	if len(paths) == 0 {
		return
	}
	ignored, err := repo.Ignored(ctx, paths...)
	if err != nil { // it says nothing of any path if one of them is in a submodule
		for _, p := range paths {
			if one, err := repo.Ignored(ctx, p); err != nil || len(one) > 0 {
				ignored = append(ignored, p)
			}
		}
	}
	for _, m := range memories {
		m.Anchors = slices.DeleteFunc(m.Anchors, func(a memory.Anchor) bool { return slices.Contains(ignored, a.Path) })
	}
}
