package explore

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// FilterValues are the values that a filter of a search can have in the present
// view, for completion in a shell.
func FilterValues(ctx context.Context, w *workspace.Workspace, key string) []string {
	if key == "branch" {
		return branchNames(ctx, w.Repo)
	}
	values := map[string]func(m *memory.Memory) []string{
		"tag":     func(m *memory.Memory) []string { return m.Tags },
		"entity":  func(m *memory.Memory) []string { return m.Entities },
		"file":    func(m *memory.Memory) []string { return m.Files },
		"session": func(m *memory.Memory) []string { return []string{m.Source.Session} },
	}[key]
	if values == nil {
		return query.Key(key).Values()
	}
	v, err := w.View(ctx, workspace.ViewOptions{Unreviewed: true})
	if err != nil {
		return nil
	}
	var out []string
	for i := range v.Items {
		if m, ok := w.Index.Catalog().Head(ctx, v.Items[i].Blob); ok {
			out = append(out, values(m)...)
		}
	}
	slices.Sort(out)
	return lists.Without(slices.Compact(out), isEmpty)
}

// branchNames are the branches of the repository.
func branchNames(ctx context.Context, repo *gitops.Repo) []string {
	branches, err := repo.Branches(ctx)
	if err != nil {
		return nil
	}
	return lists.Map(branches, func(b gitops.Branch) string { return b.Name })
}
