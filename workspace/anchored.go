package workspace

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// Anchor anchors memories to what the files that each is about are now in a working tree,
// but for those that git ignores: a clone of somebody else has no such file, and the id of
// its blob would let anybody try out what a short secret in it is. What git cannot say of a
// file counts as ignored. It costs one git process, none where no file is there.
func Anchor(ctx context.Context, repo *gitops.Repo, tree Folder, about map[*memory.Memory][]string) {
	var paths []string
	for m, files := range about {
		m.Anchors = tree.Anchors(files)
		for _, a := range m.Anchors {
			if !slices.Contains(paths, a.Path) {
				paths = append(paths, a.Path)
			}
		}
	}
	if len(paths) == 0 {
		return
	}
	ignored := ignoredOf(ctx, repo, paths)
	for m := range about {
		m.Anchors = lists.Without(m.Anchors, func(a memory.Anchor) bool { return slices.Contains(ignored, a.Path) })
	}
}

// ignoredOf are those of some paths that git ignores or says nothing of.
func ignoredOf(ctx context.Context, repo *gitops.Repo, paths []string) []string {
	ignored, err := repo.Ignored(ctx, paths...)
	if err == nil {
		return ignored
	}
	for _, p := range paths { // it says nothing of any path if one of them is in a submodule
		if one, err := repo.Ignored(ctx, p); err != nil || len(one) > 0 {
			ignored = append(ignored, p)
		}
	}
	return ignored
}
