package gitops

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// many is a change of so many memories.
func many(n int) Change {
	c := Change{Message: "capture", Put: map[string][]byte{}}
	for i := range n {
		text := fmt.Appendf(nil, "memory %d\n%s", i, strings.Repeat("x", i*i*i)) // sizes of one to four bytes
		c.Put[fmt.Sprintf("pending/main/%s/2026-11/memory-%07d.md", []string{"fix", "plan"}[i%2], i)] = text
	}
	return c
}

func packs(t *testing.T, r *Repo) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.ObjectsDir, "pack", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestCaptureOfMany: what would be many loose objects is one pack that git reads.
func TestCaptureOfMany(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			dir := initRepo(t, "--object-format="+format)
			r := openRepo(t, dir)
			c := many(40)
			capture(t, r, c)
			files := packs(t, r)
			if len(files) != 2 || filepath.Ext(files[0]) != ".idx" || filepath.Ext(files[1]) != ".pack" {
				t.Fatalf("packs %v", files)
			}
			runGit(t, dir, "verify-pack", files[0])
			// git makes the same index of the pack.
			made := filepath.Join(t.TempDir(), "made.idx")
			if name := runGit(t, dir, "index-pack", "--object-format="+format, "-o", made, files[1]); !strings.Contains(files[0], name) {
				t.Errorf("%s has the checksum %s", files[0], name)
			}
			if readFile(t, made) != readFile(t, files[0]) {
				t.Error("git makes another index of the pack")
			}
			fsck(t, dir)
			capture(t, r, change("last-0000009", "last"))
			want := map[string]string{memoryPath("last-0000009"): "last"}
			for path, data := range c.Put {
				want[path] = string(data)
			}
			for _, step := range [][]string{{"pack-refs", "--all"}, {"repack", "-q", "-a", "-d"}, {"gc", "-q", "--prune=now"}} {
				if diff := cmp.Diff(want, contents(t, r)); diff != "" {
					t.Errorf("before git %s (-want +got):\n%s", step[0], diff)
				}
				runGit(t, dir, step...)
			}
			if diff := cmp.Diff(want, contents(t, r)); diff != "" {
				t.Errorf("after a gc (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPackTaken: a gc deletes the new pack before the ref has moved.
func TestPackTaken(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	s := newStore(r.objects)
	defer s.close()
	for i := range packFrom {
		s.stage("blob", fmt.Appendf(nil, "%d", i))
	}
	if err := s.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	ids := slices.Collect(maps.Keys(s.staged))
	for _, file := range packs(t, r) {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.confirm(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		runGit(t, dir, "cat-file", "-e", string(id))
	}
	if files := packs(t, r); len(files) != 0 {
		t.Errorf("packs %v", files)
	}
}

// TestPackKept: a repack before the ref moves deletes no pack that was just written.
func TestPackKept(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	s := newStore(r.objects)
	defer s.close()
	for i := range packFrom {
		s.stage("blob", fmt.Appendf(nil, "%d", i))
	}
	if err := s.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	runGit(t, dir, "repack", "-a", "-d", "-q")
	for id := range s.staged {
		runGit(t, dir, "cat-file", "-e", string(id))
	}
	if kept := r.keptPacks(); len(kept) != 1 {
		t.Errorf("kept packs %v", kept)
	}
	s.objects.release(s.written)
	if kept := r.keptPacks(); len(kept) != 0 {
		t.Errorf("kept packs %v", kept)
	}
	s.stage("blob", []byte("another")) // makes another pack
	cut, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.flush(cut); err == nil {
		t.Error("flushed after the end of its context")
	}
	if kept := r.keptPacks(); len(kept) != 0 {
		t.Errorf("kept after a failure: %v", kept)
	}
}

// TestPackOverDamage: a damaged loose object is replaced, and not only packed again.
func TestPackOverDamage(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	c := many(40)
	for _, data := range c.Put {
		path := r.objects.loosePath(r.Hash(data))
		writeFile(t, path, "")
	}
	capture(t, r, c)
	fsck(t, dir)
}

// TestComposed: a commit that is pushed before any ref here names it survives a repack,
// and is written again where a gc took it.
func TestComposed(t *testing.T) {
	for name, n := range map[string]int{"pack": packFrom, "loose": 1} {
		t.Run(name, func(t *testing.T) {
			dir := initRepo(t)
			r := openRepo(t, dir)
			c := Change{When: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), Message: "many", Put: map[string][]byte{}}
			for i := range n {
				c.Put[memoryPath(fmt.Sprintf("one-%07d", i))] = fmt.Appendf(nil, "%d\n", i)
			}
			made, err := r.Journal().Compose(t.Context(), "", c)
			if err != nil {
				t.Fatal(err)
			}
			defer made.Close()
			runGit(t, dir, "repack", "-a", "-d", "-q")
			if n >= packFrom {
				runGit(t, dir, "rev-list", "--objects", string(made.Commit))
			}
			runGit(t, dir, "gc", "-q", "--prune=now")
			if err := made.Confirm(t.Context()); err != nil {
				t.Fatal(err)
			}
			runGit(t, dir, "rev-list", "--objects", string(made.Commit))
			made.Close()
			if kept := r.keptPacks(); len(kept) != 0 {
				t.Errorf("kept packs %v", kept)
			}
		})
	}
}
