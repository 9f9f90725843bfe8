package hubtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/forgetest"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// How much the contract asks.
const (
	contractGrants    = 10
	contractQuestions = 40 // of each
)

// Contract asks a store that holds a corpus some hundred questions, in the name of callers who may read all
// of it, nothing, and some. Every answer is that of `cortex search` in one repository that holds the files of
// what is granted: the same memories in the same order, with the same scores, snippets and hints, to the bit.
func (c *Corpus) Contract(t *testing.T, s hub.Finder) {
	t.Helper()
	hits, misses := 0, 0
	for round := range contractGrants {
		in := c.Repos // then none, then some
		switch {
		case round == 1:
			in = nil
		case round > 1:
			for in = c.Grants(); len(in) == 0; {
				in = c.Grants()
			}
		}
		w := c.workspace(t, in)
		for i, text := range c.Questions(contractQuestions) {
			limit := []int{10, 1, 3, 25, 100}[i%5]
			want := c.wanted(t, w, text, limit)
			got := Lines(s.Search(t.Context(), in, query.Parse(text, Clock()), limit))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q, %d at most, in %d repositories (-cortex search +hub):\n%s", text, limit, len(in), diff)
			}
			if len(got) == 1 {
				misses++
			}
			hits += len(got) - 1
		}
	}
	if all := contractGrants * contractQuestions; hits < 3*all || misses < all/20 {
		t.Errorf("%d hits in all, %d questions without one", hits, misses)
	}
}

// workspace is a repository that holds the files of others.
func (c *Corpus) workspace(t *testing.T, in []*hub.Repo) *workspace.Workspace {
	t.Helper()
	dir := forgetest.Work(t)
	for path, text := range c.union(in) {
		name := filepath.Join(dir, filepath.FromSlash(path))
		err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666))
		if err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.Open(t.Context(), workspace.Env{
		Dir: dir, Environ: forgetest.Environ(t.TempDir()), Now: Clock, Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// wanted is the answer of a workspace.
func (c *Corpus) wanted(t *testing.T, w *workspace.Workspace, text string, limit int) []string {
	t.Helper()
	v, err := w.View(t.Context(), workspace.ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	q := query.Parse(text, Clock())
	a, err := w.SearchIn(t.Context(), v, q, workspace.SearchOptions{Limit: limit, Alone: true})
	if err != nil {
		return []string{err.Error()}
	}
	hints := a.Hints[len(q.Hints):]
	out := []string{head(a.Total, len(v.Items), a.Filters, a.Notes, hints)}
	for _, f := range a.Results {
		hit := index.Hit{Item: f.Entry.Item, Memory: f.Entry.Memory, Score: f.Score, Snippet: f.Snippet, Twins: f.Twins}
		out = append(out, line(&hit))
	}
	return out
}

// Lines say all of an answer, each number to the bit.
func Lines(r *index.Result, err error) []string {
	if err != nil {
		return []string{err.Error()}
	}
	out := []string{head(r.Total, r.View, r.Query.Filters(), r.Query.Notes, r.Hints)}
	for i := range r.Hits {
		out = append(out, line(&r.Hits[i]))
	}
	return out
}

func head(total, view int, filters map[string][]string, notes, hints []string) string {
	return fmt.Sprintf("%d of %d %v %q %q", total, view, filters, notes, hints)
}

func line(h *index.Hit) string {
	it := h.Item
	return fmt.Sprintf("%s %s %b %v %+v %s %b %b %v %v\n%s", it.Blob, it.Path, h.Score, h.Twins, h.Snippet, it.Status,
		it.Effective, it.Prior, it.Open, it.Stage, memory.Format(h.Memory))
}
