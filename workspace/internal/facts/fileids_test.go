package facts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/testrun"
)

func TestMain(m *testing.M) { os.Exit(testrun.InMemory(m).Run()) }

// TestFileIDs: a file that is as it was is not read again, and one that is not is, whatever
// time it claims.
func TestFileIDs(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	opt := gitops.Options{Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}}
	if err := gitops.Create(ctx, dir, opt); err != nil {
		t.Fatal(err)
	}
	repo, err := gitops.Open(ctx, dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(repo.CacheDir(), 0o777); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat(text, large)), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	askOf := func(k *FileIDs, name string) (id string, read bool) {
		t.Helper()
		id, ok := k.ID(name, func() (string, bool) {
			read = true
			data, err := os.ReadFile(filepath.Join(dir, name))
			return string(data[:1]), err == nil
		})
		if !ok {
			t.Fatalf("%s: no id", name)
		}
		return id, read
	}
	ask := func(name string) (id string, read bool) {
		t.Helper()
		k := FilesOf(repo, time.Now)
		defer k.Keep()
		return askOf(k, name)
	}
	// wait lets the notes look as if they had been written later than they were.
	wait := func() {
		t.Helper()
		notes, err := filepath.Glob(filepath.Join(repo.CacheDir(), "blobs-*"))
		if err != nil || len(notes) != 1 {
			t.Fatalf("notes %v, %v", notes, err)
		}
		later := time.Now().Add(time.Hour)
		if err := os.Chtimes(notes[0], later, later); err != nil {
			t.Fatal(err)
		}
	}
	write("a b.go", "x")
	write("c.go", "y")
	for i, want := range []bool{true, true, false} { // what has just changed is read again
		if i == 2 {
			wait()
		}
		if id, read := ask("a b.go"); id != "x" || read != want {
			t.Errorf("asked %d times: %s, read %v", i+1, id, read)
		}
	}
	write("a b.go", "z") // of the same size, and with the same time
	if id, read := ask("a b.go"); id != "z" || !read {
		t.Errorf("changed: %s, read %v", id, read)
	}
	both := FilesOf(repo, time.Now)
	askOf(both, "a b.go")
	askOf(both, "c.go")
	both.Keep()
	wait()
	for _, name := range []string{"a b.go", "c.go"} {
		if _, read := ask(name); read {
			t.Errorf("%s is read again", name)
		}
	}
	write("c.go", "w")
	clock := time.Now()
	slow := FilesOf(repo, func() time.Time { return clock })
	askOf(slow, "c.go")
	clock = clock.Add(2 * time.Hour) // its note is as of an hour from now, see wait
	slow.Keep()
	wait()
	if _, read := ask("c.go"); !read {
		t.Error("a file is not read again that may have changed while a slow process was at work")
	}
	var none *FileIDs
	if id, ok := none.ID("c.go", func() (string, bool) { return "y", true }); id != "y" || !ok {
		t.Errorf("of none: %s, %v", id, ok)
	}
}
