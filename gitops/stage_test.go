package gitops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// TestKilledOnTheWayToTheIndex leaves what a kill between the two calls leaves
// that make a new index: the next capture takes it away, and nothing of others.
func TestKilledOnTheWayToTheIndex(t *testing.T) {
	dir := initRepo(t)
	linked := filepath.Join(t.TempDir(), "linked")
	runGit(t, dir, "worktree", "add", "-q", "-b", "side", linked)
	r := openRepo(t, dir)
	capture(t, r, change("one-0000001", "one\n"))
	gitDir := runGit(t, linked, "rev-parse", "--absolute-git-dir")
	for _, tc := range []struct{ waiting, lock string }{
		{"staged-index-" + "1", filepath.Join(r.GitDir, "index.lock")},
		{"staged-lock-" + "2", filepath.Join(r.GitDir, "index.lock.lock")},
		{"staged-index-" + "3", filepath.Join(gitDir, "index.lock")},
		{"unstaged-" + "4", ""},
	} {
		own := filepath.Join(r.CacheDir(), tc.waiting)
		writeFile(t, own, "an index\n")
		if tc.lock != "" {
			if err := os.Link(own, tc.lock); err != nil {
				t.Fatal(err)
			}
		}
		capture(t, r, change("two-0000002", tc.waiting))
		if gitcmd.Exists(own) || tc.lock != "" && gitcmd.Exists(tc.lock) {
			t.Errorf("%s is there: %v, its lock: %v", tc.waiting, gitcmd.Exists(own), gitcmd.Exists(tc.lock))
		}
	}

	// `git commit -a` at work: the lock that it uses as its index had our file
	// put in its place, and cortex was killed after that.
	own := filepath.Join(r.CacheDir(), "staged-lock-5")
	lock := filepath.Join(r.GitDir, "index.lock")
	writeFile(t, own, "an index\n")
	if err := os.Link(own, lock); err != nil {
		t.Fatal(err)
	}
	capture(t, r, change("three-0000003", "three\n"))
	if !gitcmd.Exists(lock) || gitcmd.Exists(own) {
		t.Errorf("the lock of git: %v, our file: %v", gitcmd.Exists(lock), gitcmd.Exists(own))
	}

	// The lock of another git stays, and nothing is landed meanwhile.
	_, err := r.StagingArea().Land(context.Background(), []File{{Path: landPath, Data: []byte("one\n")}})
	var locked *IndexLockedError
	if !errors.As(err, &locked) || !gitcmd.Exists(lock) {
		t.Errorf("a locked index: %v", err)
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if _, err := r.StagingArea().Land(context.Background(), []File{{Path: landPath, Data: []byte("one\n")}}); err != nil {
		t.Fatal(err)
	}
	if got := runGit(t, dir, "status", "--porcelain"); got != "A  "+landPath {
		t.Errorf("status %q", got)
	}
	if left, _ := filepath.Glob(filepath.Join(r.CacheDir(), "*staged-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
