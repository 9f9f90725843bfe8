package hub_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/git-cortex/cortex/gitops/mirror"
	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/internal/forgetest"
	"github.com/git-cortex/cortex/memory"
)

// TestNoAddressOfARepositoryIsCalled: whatever addresses a repository names, in files that git, its extensions and
// Cortex read, the hub calls none of them.
func TestNoAddressOfARepositoryIsCalled(t *testing.T) {
	var calls atomic.Int32
	trap := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	defer trap.Close()
	y, ref := newYard(t, t.TempDir(), "trap")
	for name, text := range map[string]string{
		".gitmodules":         "[submodule \"x\"]\n\tpath = x\n\turl = %s/x.git\n",
		".lfsconfig":          "[lfs]\n\turl = %s/lfs\n",
		".gitattributes":      "*.md filter=lfs diff=lfs merge=lfs\n# %s\n",
		".cortex/config.yaml": "hub:\n  url: %s\nembed: %[1]s/embed\nllm: curl %[1]s\n",
		".git-blame":          "%s",
	} {
		path := filepath.Join(y.work, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, fmt.Appendf(nil, text, trap.URL), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m := note("care: fetch " + trap.URL + "/memory first")
	m.Files, m.Entities = []string{trap.URL + "/file"}, []string{trap.URL}
	y.commit(t, ann, m)
	s := newStation(t, []hub.RepoRef{ref})
	for range 2 {
		if err := s.Sweep(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		if got := s.finds(t, "care"); len(got) != 1 {
			t.Fatalf("found %q", got)
		}
	}
	for key := range s.Repos() {
		if _, err := s.Differences(t.Context(), key); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Purge(t.Context(), hub.Purge{Text: trap.URL}); err != nil {
		t.Fatal(err)
	}
	if n := calls.Load(); n > 0 {
		t.Errorf("the hub called an address of a repository %d times", n)
	}
}

// TestRestoreFromGit: what a forced push took away is answered again, though the server has it no more.
func TestRestoreFromGit(t *testing.T) {
	y, ref := newYard(t, t.TempDir(), "web")
	var all []*memory.Memory
	for i := range 5 {
		all = append(all, note(fmt.Sprintf("care for queue %d", i)))
	}
	y.commit(t, ann, all...)
	s := newStation(t, []hub.RepoRef{ref})
	look := func(want int) {
		t.Helper()
		if err := s.Sweep(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		if got := s.finds(t, "care"); len(got) != want {
			t.Fatalf("%d are found, want %d", len(got), want)
		}
	}
	look(5)
	forgetest.Git(t, y.work, "update-ref", "-d", "HEAD")
	forgetest.Git(t, y.work, "rm", "-q", "-r", "--cached", ".")
	forgetest.Git(t, y.work, "clean", "-q", "-f", "-d")
	forgetest.Commit(t, y.work, map[string]string{"README": "gone"})
	forgetest.Git(t, y.work, "push", "-q", "-f", y.bare, "main")
	forgetest.Git(t, y.bare, "gc", "-q", "--prune=now")
	look(0)
	for key, r := range s.Repos() {
		if r.Lost == nil || r.Lost.Gone != 5 {
			t.Fatalf("lost: %+v", r.Lost)
		}
		held := forgetest.Git(t, filepath.Join(s.folder, mirror.Key(r.URL)+".git"), "rev-parse", "refs/hub/held")
		if held != r.Lost.Commit {
			t.Errorf("the mirror keeps %s, not %s", held, r.Lost.Commit)
		}
		if err := s.Restore(t.Context(), key); err != nil {
			t.Fatal(err)
		}
	}
	look(5)
}
