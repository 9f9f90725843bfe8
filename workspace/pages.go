package workspace

import (
	"context"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/pages"
)

// Page is a generated page of .cortex as it stands and as it should.
type Page = pages.Page

// TemplatesDir is the folder of the templates of a team: docs/behaviour.md, "Templates".
const TemplatesDir = pages.TemplatesDir

// TemplatePath is the path of the template by which a team may lay out a page.
func TemplatePath(kind projection.Kind) string { return pages.Template(kind) }

// MaintainsPages reports whether this branch keeps the pages up to date: always
// with "branch", on the default branch alone with "default-branch".
func (w *Workspace) MaintainsPages(ctx context.Context) bool {
	switch w.Config.Projections {
	case "branch":
		return true
	case "default-branch":
		return w.Repo.Branch != "" && w.Repo.Branch == DefaultBranch(ctx, w.Repo)
	}
	return false
}

// DefaultBranch returns what the user set as cortex.defaultBranch, else where a
// remote's HEAD points, else main, master or trunk if there is such a branch,
// else "".
func DefaultBranch(ctx context.Context, repo *gitops.Repo) string {
	return defaultBranch(ctx, repo, func() ([]gitops.Branch, error) { return repo.Branches(ctx) })
}

// defaultBranch is [DefaultBranch] with another way to list the branches.
func defaultBranch(ctx context.Context, repo *gitops.Repo, list func() ([]gitops.Branch, error)) string {
	settings, err := repo.Settings(ctx)
	if err == nil {
		if b := settings.Value("cortex.defaultbranch"); b != "" {
			return b
		}
		for _, remote := range settings.Remotes() {
			if b := repo.Remotes().Head(ctx, remote); b != "" {
				return b
			}
		}
	}
	branches, err := list()
	if err != nil {
		return ""
	}
	for _, want := range []string{"main", "master", "trunk"} {
		for _, b := range branches {
			if b.Name == want {
				return want
			}
		}
	}
	return ""
}

// Project renders the pages from the landed memories of the working tree.
// With check nothing is written. Pages that this branch does not maintain are
// left alone unless force is set.
func (w *Workspace) Project(ctx context.Context, check, force bool) ([]Page, error) {
	if !force && !w.MaintainsPages(ctx) {
		_, err := w.Tree()
		return nil, err
	}
	defer w.tree.writing()()
	return w.pages.Project(ctx, projection.Kinds(), func(projection.Kind, []byte) bool { return !check })
}

// RefreshPages renders the pages after a change of the working tree, where
// this branch maintains them. Nobody asked for that by name, so a page that
// was written or edited by hand stays, until somebody runs Project; and all do
// while a memory cannot be read.
func (w *Workspace) RefreshPages(ctx context.Context) error {
	return w.pages.Refresh(ctx, projection.Kinds())
}

// JoinPages renders and stages pages that git left between conflict markers: [pages.Set.Join].
func JoinPages(ctx context.Context, w *Workspace) error {
	defer w.tree.writing()()
	return w.pages.Join(ctx)
}

// NormalEOL returns data with line feeds alone: it undoes what autocrlf did to a
// file whose attributes are not committed yet.
func NormalEOL(data []byte) []byte { return pages.NormalEOL(data) }

// IsRendering reports whether a page is as some run of Project wrote it, so
// that replacing it loses nobody's words.
func IsRendering(kind projection.Kind, have []byte) bool { return pages.IsRendering(kind, have) }

// newPages returns what keeps the pages by the policy and on the branch of now.
func newPages(w *Workspace) *pages.Set {
	views := w.views
	return &pages.Set{
		Repo: w.Repo, Index: w.Index, Folder: w.tree.folder, Fetch: views.fetch(nil, nil), Notice: w.notices.add,
		Landed: func(ctx context.Context) ([]index.Item, []index.Problem, error) {
			v := &View{}
			items, err := views.landed(ctx, v, ViewOptions{})
			return items, v.Problems, err
		},
		Maintained: w.MaintainsPages,
	}
}
