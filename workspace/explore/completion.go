package explore

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
)

// FilterValues are the values that a filter of a search can have in the present
// view, for completion in a shell; nil for filters with a fixed list of values.
func FilterValues(ctx context.Context, w *workspace.Workspace, key string) []string {
	if key == "branch" {
		return branchNames(ctx, w.Repo)
	}
	v, err := w.View(ctx, workspace.ViewOptions{Unreviewed: true})
	if err != nil {
		return nil
	}
	seen := map[string]bool{}
	for i := range v.Items {
		m, ok := w.Index.Catalog().Head(ctx, v.Items[i].Blob)
		if !ok {
			continue
		}
		values := []string{}
		switch key {
		case "tag":
			values = m.Tags
		case "entity":
			values = m.Entities
		case "file":
			values = m.Files
		case "session":
			values = []string{m.Source.Session}
		}
		for _, s := range values {
			seen[s] = s != ""
		}
	}
	var out []string
	for s, ok := range seen {
		if ok {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}

// branchNames are the branches of the repository.
func branchNames(ctx context.Context, repo *gitops.Repo) []string {
	branches, err := repo.Branches(ctx)
	if err != nil {
		return nil
	}
	var out []string
	for _, b := range branches {
		out = append(out, b.Name)
	}
	return out
}
