package workspace

import (
	"bytes"
	"context"
	"fmt"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// checkPages looks at the generated pages as this branch should have them: in
// step with the memories, untouched, or not there at all.
func (w *Workspace) checkPages(ctx context.Context, fix bool) Check {
	const name = "generated pages"
	var c Check
	var err error
	switch {
	case w.MaintainsPages(ctx):
		c, err = w.checkKeptPages(ctx, name, fix)
	case w.Config.Projections == "off":
		c, err = w.checkOffPages(ctx, name, fix)
	default:
		c, err = w.checkForeignPages(ctx, name, fix)
	}
	if err != nil {
		return Fault(name, "", "%v", err)
	}
	return c
}

// checkKeptPages wants what a fresh rendering says. A merge without the
// drivers leaves records doubled, cut or between markers; rendering mends all.
func (w *Workspace) checkKeptPages(ctx context.Context, name string, fix bool) (Check, error) {
	pages, err := w.Project(ctx, true, false)
	if err != nil {
		return Check{}, err
	}
	var old []string
	for _, p := range pages {
		if !p.Current {
			old = append(old, p.Path+w.pageTrouble(p))
		}
	}
	if len(old) == 0 {
		return Check{Name: name, OK: true}, nil
	}
	c := Fault(name, "cortex project", "not what the memories say: %s", some(old))
	if fix {
		_, err := w.Project(ctx, false, false)
		c = c.Mended("wrote them anew", err)
	}
	return c, nil
}

// pageTrouble says in a word or two what is odd about a page.
func (w *Workspace) pageTrouble(p Page) string {
	if p.Missing {
		return " (missing)"
	}
	data, _, err := Folder{root: w.Repo.Root}.Read(p.Path)
	if err != nil {
		return ""
	}
	if _, err := memory.ParseConflict(data); err == nil {
		return " (conflict markers)"
	}
	return ""
}

// page is a page as the working tree has it.
type page struct {
	kind projection.Kind
	path string
	data []byte
}

func (w *Workspace) pagesHere(t Folder) ([]page, error) {
	var out []page
	for _, kind := range projection.Kinds() {
		p := page{kind: kind, path: Dir + "/" + kind.File()}
		data, ok, err := t.Read(p.path)
		if err != nil {
			return nil, err
		}
		if p.data = NormalEOL(data); ok {
			out = append(out, p)
		}
	}
	return out, nil
}

// checkOffPages wants no pages. One that nobody wrote in, or that history has,
// is removed with fix.
func (w *Workspace) checkOffPages(ctx context.Context, name string, fix bool) (Check, error) {
	t, err := w.Tree()
	if err != nil {
		return Check{}, err
	}
	here, err := w.pagesHere(t)
	if err != nil || len(here) == 0 {
		return Check{Name: name, OK: true}, err
	}
	var names []string
	for _, p := range here {
		names = append(names, p.path)
	}
	c := Fault(name, "cortex doctor --fix", "projections are off, and nothing keeps %s up to date", some(names))
	if !fix {
		return c, nil
	}
	var left []string
	for _, p := range here {
		safe, err := w.replaceable(ctx, p)
		if err != nil {
			return Check{}, err
		}
		if !safe {
			left = append(left, p.path)
		} else if err := t.Remove(p.path, Dir); err != nil {
			return Check{}, err
		}
	}
	c = c.Mended("removed them; git has them", nil)
	if len(left) > 0 {
		c.Fixed, c.Wrong, c.Hint = false, some(left)+": edited by hand, and that is not committed", "commit them, then cortex doctor --fix"
	}
	return c, nil
}

// replaceable reports whether a page can be replaced without losing what a
// person wrote: it is as cortex renders it, or as HEAD has it.
func (w *Workspace) replaceable(ctx context.Context, p page) (bool, error) {
	if IsRendering(p.kind, p.data) {
		return true, nil
	}
	at, err := w.Repo.PathsAt(ctx, "HEAD", []string{p.path})
	return err == nil && at[p.path] == w.Repo.Hash(p.data), err
}

// checkForeignPages wants pages that the default branch keeps to be as they
// were when this branch left it, so that merging cannot conflict on them.
func (w *Workspace) checkForeignPages(ctx context.Context, name string, fix bool) (Check, error) {
	ok := Check{Name: name, OK: true}
	t, err := w.Tree()
	if err != nil {
		return ok, err
	}
	here, err := w.pagesHere(t)
	if err != nil || len(here) == 0 {
		return ok, err
	}
	want, known, err := w.pagesAtFork(ctx)
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
		return ok, nil
	}
	c := Fault(name, "cortex doctor --fix", "%s changed on this branch, and only the default branch keeps it: merging may conflict", some(names))
	if !fix {
		return c, nil
	}
	for _, p := range changed {
		safe, err := w.replaceable(ctx, p)
		if err != nil {
			return ok, err
		}
		old, there := want[p.path]
		switch {
		case !safe:
			c.Wrong, c.Hint = p.path+": edited by hand, and that is not committed", "commit it, then cortex doctor --fix"
			return c, nil
		case there:
			_, err = t.Write(p.path, old)
		default:
			err = t.Remove(p.path, Dir)
		}
		if err != nil {
			return ok, err
		}
	}
	return c.Mended("put them back as the default branch has them", nil), nil
}

// pagesAtFork reads the pages of the newest commit that this branch shares
// with the default branch, its remote-tracking one first; known is false where
// there is none.
func (w *Workspace) pagesAtFork(ctx context.Context) (pages map[string][]byte, known bool, err error) {
	fork, err := w.fork(ctx)
	if err != nil || fork == "" {
		return nil, false, err
	}
	var paths []string
	for _, kind := range projection.Kinds() {
		paths = append(paths, Dir+"/"+kind.File())
	}
	at, err := w.Repo.PathsAt(ctx, string(fork), paths)
	if err != nil {
		return nil, false, err
	}
	pages = map[string][]byte{}
	err = w.Repo.Blobs(ctx, blobsOf(at), 0, func(id gitops.ObjectID, data []byte) error {
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

func (w *Workspace) fork(ctx context.Context) (gitops.ObjectID, error) {
	name := w.DefaultBranch(ctx)
	if name == "" || w.Repo.Head == "" {
		return "", nil
	}
	tips := []string{"refs/heads/" + name}
	if settings, err := w.Repo.Settings(ctx); err == nil {
		for _, remote := range settings.Remotes() {
			tips = append(tips, "refs/remotes/"+remote+"/"+name)
		}
	}
	var fork gitops.ObjectID
	for _, rev := range tips {
		tip, err := w.Repo.History().Commit(ctx, rev)
		if err != nil {
			continue // no such branch here
		}
		bases, err := w.Repo.History().MergeBases(ctx, gitops.ObjectID(w.Repo.Head), tip)
		if err != nil {
			return "", err
		}
		if len(bases) == 0 {
			continue
		}
		if fork == "" {
			fork = bases[0]
			continue
		}
		// The newer of two is the one that comes from the other.
		between, err := w.Repo.History().MergeBases(ctx, bases[0], fork)
		if err != nil {
			return "", err
		}
		if len(between) > 0 && between[0] == fork {
			fork = bases[0]
		}
	}
	return fork, nil
}
