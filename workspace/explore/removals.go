package explore

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/dependencies"
	"github.com/git-cortex/cortex/workspace/internal/facts"
)

// Removal is a file or a dependency that a memory relies on, and the commit that removed it.
type Removal struct {
	What   string    `json:"what"`   // a path, or a technology that no dependency is for
	Commit string    `json:"commit"` // abbreviated
	Time   time.Time `json:"time"`
}

// String says what was removed, where and when.
func (r Removal) String() string {
	return r.What + ", in " + r.Commit + " on " + r.Time.Format(time.DateOnly)
}

// removalsOf asks git which commits removed what a memory relies on. What only the working tree lacks is left out.
func removalsOf(ctx context.Context, w *workspace.Workspace, m *memory.Memory) []Removal {
	files, err := w.Tree()
	if err != nil {
		return nil
	}
	moves := facts.RenamesOf(w.Repo, files)
	moves.Learn(ctx, m)
	gone := lists.Without(m.Anchors, func(a memory.Anchor) bool {
		_, there := moves.Place(a.Path)
		return there
	})
	out := lists.Map(gone, func(a memory.Anchor) Removal { return removal(ctx, w, a.Path, []string{a.Path}, "") })
	var manifests []string
	table := dependencies.Builtin().With(w.Config.Dependencies)
	unmet := dependencies.Unmet([]*memory.Memory{m}, table, func() (names []string) {
		names, manifests = files.AllDependencies()
		return names
	})
	out = append(out, lists.Map(unmet, func(c dependencies.Choice) Removal {
		return removal(ctx, w, c.Name, manifests,
			"(^|[^A-Za-z0-9])("+strings.Join(lists.Map(table[c.Name], regexp.QuoteMeta), "|")+")([^A-Za-z0-9]|$)")
	})...)
	return lists.Without(out, func(r Removal) bool { return r.Commit == "" })
}

// removal is the latest commit that took what matches a pattern, "" for everything, out of some files; without a
// commit if it is still in what that commit left.
func removal(ctx context.Context, w *workspace.Workspace, what string, paths []string, pattern string) (r Removal) {
	versions, _ := w.Repo.History().Versions(ctx, "HEAD", paths, pattern, 1)
	for _, v := range versions {
		r = Removal{what, workspace.Abbrev(string(v.Commit)), v.Time}
		_ = w.Repo.Blobs(ctx, []gitops.ObjectID{v.Blob}, 1<<20, func(_ gitops.ObjectID, data []byte) error {
			if regexp.MustCompile("(?m)" + pattern).Match(data) {
				r = Removal{}
			}
			return nil
		})
	}
	return r
}
