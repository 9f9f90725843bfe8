package gitops

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

func TestLeftovers(t *testing.T) {
	ctx := context.Background()
	dir := initRepo(t)
	r := openRepo(t, dir)
	capture(t, r, change("a", "text"))
	old := []string{
		".cortex/memories/fix/.cortex-12-3.tmp", ".git/cortex/.tmp-123", ".git/cortex/index/.tmp-9", ".git/cortex/clock-1",
		".git/cortex/cortex-44.tmp", ".git/cortex/log.44.tmp", ".git/index.lock", ".git/refs/cortex/journal.lock",
		".git/refs/cortex-remotes/o/journal.lock", ".merge_file_x.cortex-tmp",
	}
	kept := []string{".git/cortex/lock", ".git/cortex/notes.tmp.md", ".cortex/memories/fix/a-b.md", "cortex-1.tmp", ".git/cortex/index/seals"}
	for _, name := range slices.Concat(old, kept) {
		writeFile(t, filepath.Join(dir, name), "x")
		age(t, filepath.Join(dir, name))
	}
	writeFile(t, filepath.Join(dir, ".git/cortex/cortex-45.tmp"), "young")
	for _, name := range []string{".git/cortex/snapshot-12.tmp", ".git/cortex/merge-34"} {
		writeFile(t, filepath.Join(dir, name, "theirs"), "x")
		age(t, filepath.Join(dir, name))
		old = append(old, name)
	}
	old = append(old, killed(t, dir)...)
	slices.Sort(old)
	all, err := r.Leftovers(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range all {
		rel, _ := filepath.Rel(r.Root, l.Path)
		got = append(got, filepath.ToSlash(rel))
	}
	slices.Sort(got)
	if diff := cmp.Diff(old, got); diff != "" {
		t.Errorf("leftovers (-want +got):\n%s", diff)
	}
	stay, err := r.RemoveLeftovers(ctx, all)
	if err != nil {
		t.Fatal(err)
	}
	var locks []string
	for _, l := range stay {
		locks = append(locks, filepath.Base(filepath.Dir(l.Path))+"/"+filepath.Base(l.Path))
	}
	slices.Sort(locks)
	if diff := cmp.Diff([]string{".git/index.lock"}, locks); diff != "" {
		t.Errorf("what stays (-want +got):\n%s", diff)
	}
	for _, name := range kept {
		if !gitcmd.Exists(filepath.Join(dir, name)) {
			t.Errorf("%s is gone", name)
		}
	}
}

// killed leaves behind what a process does that is killed while it replaces
// files, and returns the names.
func killed(t *testing.T, dir string) []string {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, temp := range map[string]string{
		".gitattributes": "", ".merge_file_a": "", ".cortex/memories/fix/a-b.md": "", ".claude/settings.json": "",
		".git/config": "", ".git/info/exclude": "", ".git/hooks/pre-commit": "", "notes.md": ".git/cortex",
	} {
		if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		f, err := atomicfile.Create(root, name, atomicfile.Options{Temp: temp})
		if err == nil {
			err = f.Seal()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for _, path := range filesBelow(dir) {
		if rel, err := filepath.Rel(dir, path); err == nil && atomicfile.IsTemp(filepath.Base(path)) {
			age(t, path)
			names = append(names, filepath.ToSlash(rel))
		}
	}
	if len(names) != 8 {
		t.Fatalf("%d files left behind", len(names))
	}
	return names
}

// age makes a file an hour old.
func age(t *testing.T, path string) {
	t.Helper()
	then := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

func TestBusy(t *testing.T) {
	ctx := context.Background()
	r := openRepo(t, initRepo(t))
	if busy, _ := r.Journal().Busy(ctx, time.Millisecond); busy {
		t.Error("busy without a lock")
	}
	capture(t, r, change("a", "text"))
	if busy, _ := r.Journal().Busy(ctx, time.Millisecond); busy {
		t.Error("busy with a lock that nobody holds")
	}
	l := flock.New(filepath.Join(r.CacheDir(), "lock"))
	if err := l.Lock(); err != nil {
		t.Fatal(err)
	}
	defer l.Unlock()
	if busy, _ := r.Journal().Busy(ctx, 20*time.Millisecond); !busy {
		t.Error("not busy with a lock that is held")
	}
}

func TestVerifyJournal(t *testing.T) {
	ctx := context.Background()
	r := openRepo(t, initRepo(t))
	if err := r.Journal().Verify(ctx); err != nil {
		t.Errorf("without a journal: %v", err)
	}
	capture(t, r, change("a", "text"))
	if err := r.Journal().Verify(ctx); err != nil {
		t.Errorf("a sound journal: %v", err)
	}
	if err := os.Remove(r.Journal().ref.log()); err != nil {
		t.Skipf("the log of the ref is no file here (reftable): %v", err)
	}
	if err := r.Journal().Verify(ctx); err != nil {
		t.Errorf("without a log, and with the safe: %v", err)
	}
	r.Journal().safe.forget()
	if err := r.Journal().Verify(ctx); !errors.Is(err, ErrNoLog) {
		t.Errorf("without a log and a safe: %v", err)
	}
}

func TestMerges(t *testing.T) {
	ctx := context.Background()
	dir := initRepo(t)
	runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "base")
	base := runGit(t, dir, "rev-parse", "HEAD")
	runGit(t, dir, "switch", "-q", "-c", "side")
	runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "side")
	runGit(t, dir, "switch", "-q", "-c", "other", "HEAD~1")
	runGit(t, dir, "commit", "-q", "--allow-empty", "-m", "other")
	r := openRepo(t, dir)
	a, errA := r.History().Commit(ctx, "side")
	b, errB := r.History().Commit(ctx, "other")
	bases, err := r.History().MergeBases(ctx, a, b)
	if err != nil || errA != nil || errB != nil || len(bases) != 1 || string(bases[0]) != strings.TrimSpace(base) {
		t.Errorf("bases %v, %v %v %v", bases, err, errA, errB)
	}
	if heads, err := r.MergeHeads(); err != nil || heads != nil {
		t.Errorf("no merge: %v, %v", heads, err)
	}
	runGit(t, dir, "merge", "-q", "--no-ff", "--no-commit", "side")
	if heads, err := r.MergeHeads(); err != nil || !slices.Equal(heads, []ObjectID{a}) {
		t.Errorf("a merge under way: %v, %v", heads, err)
	}
	runGit(t, dir, "commit", "-q", "-m", "merge")
	m, err := r.History().Commit(ctx, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if parents, err := r.History().Parents(ctx, m); err != nil || !slices.Equal(parents, []ObjectID{b, a}) {
		t.Errorf("parents %v, %v", parents, err)
	}
	for _, rev := range []string{"", "nowhere", "-x", "HEAD^{tree}", "--all"} {
		if _, err := r.History().Commit(ctx, rev); !errors.Is(err, ErrNoRevision) {
			t.Errorf("%q: %v", rev, err)
		}
	}
	if r.Shallow() {
		t.Error("shallow")
	}
}
