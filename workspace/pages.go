package workspace

import (
	"context"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/pages"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Page is a generated page of .cortex as it stands and as it should.
type Page = pages.Page

// TemplatesDir is the folder of the templates of a team: docs/behaviour.md, "Templates".
const TemplatesDir = pages.TemplatesDir

// TemplatePath is the path of the template by which a team may lay out a page.
func TemplatePath(kind projection.Kind) string { return pages.Template(kind) }

// WherePages returns where a value of projections has pages kept up to date: on each "branch", on the
// "default-branch", or "off". With "auto" it is the default branch where a remote is on a server,
// which merges without the merge drivers of this clone.
func WherePages(ctx context.Context, w *Workspace, projections string) string {
	if projections != "auto" {
		return projections
	}
	if len(HostedRemotes(ctx, w)) > 0 {
		return "default-branch"
	}
	return "branch"
}

// HostedRemotes returns the remotes on a server.
func HostedRemotes(ctx context.Context, w *Workspace) []string {
	settings, err := w.Repo.Settings(ctx)
	if err != nil {
		return nil
	}
	return settings.Hosted()
}

// MaintainsPages reports whether this branch keeps the pages up to date.
func (w *Workspace) MaintainsPages(ctx context.Context) bool {
	switch WherePages(ctx, w, w.Config.Projections) {
	case "branch":
		return true
	case "default-branch":
		return w.Repo.Branch != "" && w.Repo.Branch == view.DefaultBranch(ctx, w.Repo)
	}
	return false
}

// Project renders the pages from the landed memories of the working tree, and surfaces ([Surface]). With check nothing
// is written. Pages that this branch does not maintain, and what was edited on a surface, stay unless force is set.
func (w *Workspace) Project(ctx context.Context, check, force bool) ([]Page, error) {
	if !force && !w.MaintainsPages(ctx) {
		_, err := w.Tree()
		return nil, err
	}
	defer w.tree.Writing()()
	out, err := w.pages.Project(ctx, projection.Kinds(), func(projection.Kind, []byte) bool { return !check })
	if err != nil {
		return out, err
	}
	surfaces, err := w.pages.ProjectSurfaces(ctx, check, force)
	return append(out, surfaces...), err
}

// Surface renders what holds for every session, as it stands between markers in a file that agents read.
func Surface(ctx context.Context, w *Workspace) ([]byte, error) { return w.pages.RenderSurface(ctx) }

// RefreshPages renders the pages after a change of the working tree, where
// this branch maintains them. Nobody asked for that by name, so a page that
// was written or edited by hand stays, until somebody runs Project; and all do
// while a memory cannot be read.
func (w *Workspace) RefreshPages(ctx context.Context) error {
	return w.pages.Refresh(ctx, projection.Kinds())
}

// JoinPages renders and stages pages that git left between conflict markers: [pages.Set.Join].
func (w *Workspace) JoinPages(ctx context.Context) error {
	defer w.tree.Writing()()
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
	return &pages.Set{
		Repo: w.Repo, Index: w.Index, Folder: w.tree.Folder, Fetch: w.Views.Fetch(), Notice: w.notices.Add,
		Landed: func(ctx context.Context) ([]index.Item, []index.Problem, error) {
			return w.Views.Landed(ctx, ViewOptions{})
		},
		Maintained: w.MaintainsPages,
	}
}
