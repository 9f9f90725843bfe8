package gitops

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestSnapshotIsShared reads one snapshot from many goroutines while others
// build on it and one closes it. Everything in it is packed, so that all of them
// want its one git process.
func TestSnapshotIsShared(t *testing.T) {
	ctx := t.Context()
	r := openRepo(t, initRepo(t))
	const files = 300
	all := Change{Message: "many", Put: map[string][]byte{}}
	for i := range files {
		all.Put[memoryPath(fmt.Sprintf("a-%07d", i))] = fmt.Appendf(nil, "text %d\n", i)
	}
	capture(t, r, all)
	runGit(t, r.Root, "gc", "-q")
	s, err := r.Journal().Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	read := func() error {
		entries, err := s.List(ctx, PendingPrefix("main"))
		if err != nil || len(entries) != files {
			return fmt.Errorf("%d files, %w", len(entries), err)
		}
		n := 0
		return s.Read(ctx, entries, func(e Entry, data []byte) error {
			if want := fmt.Sprintf("text %d\n", n); string(data) != want {
				return fmt.Errorf("%s holds %q, want %q", e.Path, data, want)
			}
			if n++; n%100 != 0 {
				return nil
			}
			_, _, err := s.File(ctx, e.Path) // a reader may read on
			return err
		})
	}
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for range 3 {
				if err := read(); err != nil {
					t.Error(err)
				}
			}
		})
		group.Go(func() {
			_, err := r.Journal().Update(ctx, s, func(now *Snapshot) (Change, error) {
				if got, err := now.List(ctx, PendingPrefix("main")); err != nil || len(got) < files {
					return Change{}, fmt.Errorf("%d files to build on, %w", len(got), err)
				}
				return change(fmt.Sprintf("b-%07d", i), "new\n"), nil
			})
			if err != nil {
				t.Error(err)
			}
			if i == 3 {
				_ = s.Close()
			}
		})
	}
	group.Wait()
	if err := read(); err != nil {
		t.Errorf("after closing: %v", err)
	}
	if s.reading.store.batch != nil {
		t.Error("a closed snapshot holds a git process")
	}
	if got := contents(t, r); len(got) != files+4 {
		t.Errorf("the journal holds %d files, want %d", len(got), files+4)
	}
}

// TestSnapshotCurrent: a snapshot knows that the journal was written since,
// wherever the ref stands.
func TestSnapshotCurrent(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	snapshot := func() *Snapshot {
		t.Helper()
		s, err := r.Journal().Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		if !s.Current() {
			t.Error("a new snapshot is not current")
		}
		return s
	}
	s := snapshot()
	for i, write := range []func(){
		func() { capture(t, r, change("one-0000001", "one\n")) },
		func() { capture(t, r, change("two-0000002", "two\n")) },
		func() { runGit(t, dir, "pack-refs", "--all") }, // may count as written
		func() { capture(t, r, change("three-0000003", "three\n")) },
		func() {
			if err := r.Journal().spool.append(t.Context(), change("four-0000004", "four\n")); err != nil {
				t.Fatal(err)
			}
		},
		func() { capture(t, r, change("five-0000005", "five\n")) }, // drains the spool
	} {
		before, err := s.List(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		write()
		now := snapshot()
		after, err := now.List(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if s.Current() && !slices.Equal(before, after) {
			t.Errorf("write %d was not seen", i+1)
		}
		s = now
	}
}

// TestSnapshotSkipped: what somebody else wrote into the journal is named.
func TestSnapshotSkipped(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	capture(t, r, change("one-0000001", "one\n"))
	own := []string{"GIT_INDEX_FILE=" + filepath.Join(t.TempDir(), "index")}
	git := func(args ...string) string {
		t.Helper()
		out, err := tryGit(dir, own, args...)
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(out)
	}
	git("read-tree", JournalRef)
	blob := git("rev-parse", JournalRef+":"+memoryPath("one-0000001"))
	git("update-index", "--add", "--cacheinfo", "120000,"+blob+",pending/main/link")
	git("update-index", "--add", "--cacheinfo", "100644,"+blob+","+memoryPath("two-0000002"))
	git("update-ref", JournalRef, git("commit-tree", "-p", JournalRef, "-m", "by hand", git("write-tree")))

	s, err := r.Journal().Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got, err := s.Skipped(t.Context()); err != nil || !slices.Equal(got, []string{"pending/main/link"}) {
		t.Errorf("skipped %q, %v", got, err)
	}
	if got, err := s.List(t.Context(), ""); err != nil || len(got) != 2 {
		t.Errorf("shown %v, %v", got, err)
	}
}
