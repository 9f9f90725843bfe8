package doctor

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// checkPages looks at the generated pages as this branch should have them: in
// step with the memories, untouched, or not there at all.
func (d *doctor) checkPages(ctx context.Context) workspace.Check {
	const name = "generated pages"
	var c workspace.Check
	var err error
	switch {
	case d.w.MaintainsPages(ctx):
		c, err = d.checkKeptPages(ctx, name)
	case d.w.Config.Projections == "off":
		c, err = d.checkOffPages(ctx, name)
	default:
		c, err = d.checkInheritedPages(ctx, name)
	}
	if err != nil {
		return workspace.Fault(name, "", "%v", err)
	}
	return c
}

// checkKeptPages compares the pages with a fresh rendering. A merge without the
// drivers leaves records doubled, cut or between markers; rendering anew mends
// all of that.
func (d *doctor) checkKeptPages(ctx context.Context, name string) (workspace.Check, error) {
	pages, err := d.w.Project(ctx, true, false)
	if err != nil {
		return workspace.Check{}, err
	}
	pages = lists.Without(pages, func(p workspace.Page) bool { return p.Current || p.Edited })
	if len(pages) == 0 {
		return workspace.Check{Name: name, OK: true}, nil
	}
	if !d.fix && d.areBehind(ctx, pages) {
		return workspace.Check{Name: name, OK: true, Note: "behind the memories: the next commit here renders them"},
			nil
	}
	var old, unmerged []string
	for _, p := range pages {
		trouble := d.pageTrouble(p)
		old = append(old, p.Path+trouble)
		if trouble == conflictMarkers {
			unmerged = append(unmerged, p.Path)
		}
	}
	hint := "cortex project"
	if len(unmerged) > 0 {
		hint += " && git add " + strings.Join(unmerged, " ")
	}
	c := workspace.Fault(name, hint, "out of step with the memories: %s", some(old))
	if d.fix {
		_, err := d.w.Project(ctx, false, false)
		did := "rewrote them"
		if len(unmerged) > 0 {
			did += "; git is told by: git add " + strings.Join(unmerged, " ")
		}
		c = c.Mended(did, err)
	}
	return c, nil
}

// areBehind reports whether the default branch alone keeps the pages, and none of these was written by
// hand: a server that merges leaves them so.
func (d *doctor) areBehind(ctx context.Context, pages []workspace.Page) bool {
	return workspace.WherePages(ctx, d.w, d.w.Config.Projections) == "default-branch" &&
		!slices.ContainsFunc(pages, func(p workspace.Page) bool {
			data, there, err := d.tree.Read(p.Path)
			return err != nil || there && !workspace.IsRendering(p.Kind, data)
		})
}

// conflictMarkers is the trouble of a page that git merged without the driver, as the
// strategies resolve and octopus do.
const conflictMarkers = " (conflict markers)"

// pageTrouble says in a few words what is wrong with a page that is out of date.
func (d *doctor) pageTrouble(p workspace.Page) string {
	if p.Missing {
		return " (missing)"
	}
	data, _, err := d.tree.Read(p.Path)
	if err != nil {
		return ""
	}
	if memory.Conflicted(data) {
		return conflictMarkers
	}
	return ""
}

// page is a page as the working tree has it.
type page struct {
	kind projection.Kind
	path string
	data []byte
}

func (d *doctor) pagesHere() ([]page, error) {
	var out []page
	for _, kind := range projection.Kinds() {
		p := page{kind: kind, path: workspace.Dir + "/" + kind.File()}
		data, ok, err := d.tree.Read(p.path)
		if err != nil {
			return nil, err
		}
		if p.data = workspace.NormalEOL(data); ok {
			out = append(out, p)
		}
	}
	return out, nil
}

// checkOffPages checks that there are no pages. With fix it removes those that
// nobody edited, or that are in history as they are.
func (d *doctor) checkOffPages(ctx context.Context, name string) (workspace.Check, error) {
	here, err := d.pagesHere()
	if err != nil || len(here) == 0 {
		return workspace.Check{Name: name, OK: true}, err
	}
	names := lists.Map(here, func(p page) string { return p.path })
	c := workspace.Fault(name, "cortex doctor --fix", "projections are off, so nothing keeps %s up to date",
		some(names))
	if !d.fix {
		return c, nil
	}
	var left []string
	for _, p := range here {
		safe, err := d.replaceable(ctx, p)
		if err != nil {
			return workspace.Check{}, err
		}
		if !safe {
			left = append(left, p.path)
		} else if err := d.tree.Remove(p.path, workspace.Dir); err != nil {
			return workspace.Check{}, err
		}
	}
	c = c.Mended("removed them; git has them", nil)
	if len(left) > 0 {
		c.Fixed, c.Wrong, c.Hint = false, some(left)+": edited by hand, and not committed",
			"commit them, then cortex doctor --fix"
	}
	return c, nil
}

// replaceable reports whether a page can be replaced without losing what a
// person wrote: it is as cortex renders it, or as HEAD has it.
func (d *doctor) replaceable(ctx context.Context, p page) (bool, error) {
	if workspace.IsRendering(p.kind, p.data) {
		return true, nil
	}
	at, err := d.w.Repo.PathsAt(ctx, "HEAD", []string{p.path})
	return err == nil && at[p.path] == d.w.Repo.Hash(p.data), err
}

// checkInheritedPages checks, on a branch that does not keep the pages up to date,
// that they are as this branch got them from the default branch: merging cannot
// conflict on them then.
func (d *doctor) checkInheritedPages(ctx context.Context, name string) (workspace.Check, error) {
	ok := workspace.Check{Name: name, OK: true}
	here, err := d.pagesHere()
	if err != nil {
		return ok, err
	}
	want, known, err := d.pagesAtFork(ctx)
	if err != nil || !known {
		return ok, err
	}
	var changed []page
	var names []string
	for _, p := range here {
		if old, there := want[p.path]; !there || !bytes.Equal(old, p.data) {
			changed, names = append(changed, p), append(names, p.path)
		}
	}
	if len(changed) == 0 {
		return d.checkBehind(ctx, ok, want)
	}
	c := workspace.Fault(name, "cortex doctor --fix",
		"%s changed on this branch, although only the default branch keeps pages up to date: merging may conflict",
		some(names))
	if !d.fix {
		return c, nil
	}
	edited, err := d.putBack(ctx, changed, want)
	if err != nil {
		return ok, err
	}
	if edited != "" {
		c.Wrong, c.Hint = edited+": edited by hand, and not committed", "commit it, then cortex doctor --fix"
		return c, nil
	}
	return c.Mended("put the version of the default branch back", nil), nil
}

// putBack gives pages the content that they had, or removes those that were not there, up to the first
// that cannot be replaced without losing something, which it returns.
func (d *doctor) putBack(ctx context.Context, pages []page, want map[string][]byte) (edited string, err error) {
	for _, p := range pages {
		safe, err := d.replaceable(ctx, p)
		if err != nil || !safe {
			return p.path, err
		}
		if old, there := want[p.path]; there {
			_, err = d.tree.Write(p.path, old)
		} else {
			err = d.tree.Remove(p.path, workspace.Dir)
		}
		if err != nil {
			return "", err
		}
	}
	return "", nil
}

// checkBehind notes that a default branch has decisions or plans of which its pages say
// nothing: where a server alone merges, no hook renders them until a clone commits there.
func (d *doctor) checkBehind(ctx context.Context, ok workspace.Check, pages map[string][]byte) (workspace.Check,
	error,
) {
	if settings, err := d.w.Repo.Settings(ctx); err != nil || len(settings.Remotes()) == 0 {
		return ok, err
	}
	named := map[string]bool{}
	for _, kind := range projection.Kinds() {
		for _, name := range projection.Named(kind, pages[workspace.Dir+"/"+kind.File()]) {
			named[name] = true
		}
	}
	if len(named) == 0 && len(pages) > 0 {
		return ok, nil // of another version
	}
	fork, err := view.Fork(ctx, d.w.Repo, gitops.ObjectID(d.w.Repo.Head))
	if err != nil {
		return ok, err
	}
	entries, err := d.w.Repo.Tree(ctx, string(fork), workspace.MemoriesDir)
	if err != nil {
		return ok, err
	}
	missing := len(lists.Without(entries,
		func(e gitops.Entry) bool { return !onPage(e.Path) || named[projection.Name(string(e.Blob))] }))
	if missing > 0 {
		ok.Note = "the pages of the default branch say nothing of " + notices.Memories(missing) +
			" that it has: a commit there renders them, or ci/pages, as docs/ci.md of cortex says"
	}
	return ok, nil
}

// onPage reports whether a memory is of a type that a page names, by its path.
func onPage(path string) bool {
	return slices.ContainsFunc([]memory.Type{memory.Decision, memory.Rejected, memory.Plan},
		func(typ memory.Type) bool {
			return strings.HasPrefix(path, workspace.MemoriesDir+"/"+string(typ)+"/")
		})
}

// pagesAtFork reads the pages of the newest commit that this branch shares with
// the default branch, here or at a remote; known is false where there is none.
func (d *doctor) pagesAtFork(ctx context.Context) (pages map[string][]byte, known bool, err error) {
	fork, err := view.Fork(ctx, d.w.Repo, gitops.ObjectID(d.w.Repo.Head))
	if err != nil || fork == "" {
		return nil, false, err
	}
	paths := lists.Map(projection.Kinds(),
		func(kind projection.Kind) string { return workspace.Dir + "/" + kind.File() })
	at, err := d.w.Repo.PathsAt(ctx, string(fork), paths)
	if err != nil {
		return nil, false, err
	}
	pages = map[string][]byte{}
	err = d.w.Repo.Blobs(ctx, slices.Collect(maps.Values(at)), 0, func(id gitops.ObjectID, data []byte) error {
		for path, blob := range at {
			if blob == id {
				pages[path] = data
			}
		}
		return nil
	})
	if err == nil && len(pages) != len(at) {
		err = fmt.Errorf("reading the pages of %s: not all of them are in this clone", fork)
	}
	return pages, err == nil, err
}
