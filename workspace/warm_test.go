package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// TestOpenAhead reads the caches before git has said where the repository is,
// and answers as if it had not.
func TestOpenAhead(t *testing.T) {
	w := newWorkspace(t)
	w.put(t, sure(memory.Decision, "Chose one file a memory", 0.9, 3),
		sure(memory.Gotcha, "The lock is never unlinked", 0.9, 2))
	want := slices.Clone(w.view(t, ViewOptions{}).Items)
	if err := w.Index.Flush(); err != nil || len(want) != 2 {
		t.Fatalf("%d memories, %v", len(want), err)
	}
	below, hollow := filepath.Join(w.Repo.Root, "deep", "down"), filepath.Join(w.Repo.Root, "hollow")
	for _, dir := range []string{below, filepath.Join(hollow, ".git")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, dir string }{
		{"at the root", w.Repo.Root},
		{"below", below},
		{"where a folder .git is no repository", hollow},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := w.env
			env.Dir, env.Once, env.Ahead = c.dir, true, true
			got, err := Open(t.Context(), env)
			if err != nil {
				t.Fatal(err)
			}
			defer got.Close()
			same := slices.EqualFunc(got.view(t, ViewOptions{}).Items, want, func(a, b index.Item) bool {
				return a.Blob == b.Blob && a.Path == b.Path && a.Status == b.Status && a.Prior == b.Prior
			})
			if !same {
				t.Errorf("%v, want %v", got.view(t, ViewOptions{}).Items, want)
			}
		})
	}
	env := w.env
	env.Dir, env.Ahead = t.TempDir(), true
	if _, err := Open(t.Context(), env); err == nil {
		t.Error("opened a folder outside of any repository")
	}
}
