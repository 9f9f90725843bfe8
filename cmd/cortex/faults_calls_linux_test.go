package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/testrun"
)

// theirs is all that is the user's, as bytes by path: the working tree, and of
// the git folder what cortex may not touch. Paths below skip are left out.
func (v *victim) theirs(skip ...string) map[string]string {
	v.t.Helper()
	skip = append(skip, ".git/cortex", ".git/objects", ".git/refs/cortex", ".git/logs/refs/cortex", ".git/packed-refs", ".git/gc.log")
	found := map[string]string{}
	err := filepath.WalkDir(v.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(v.dir, path)
		if err != nil || slices.Contains(skip, rel) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return err
		}
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		found[rel] = string(data)
		return err
	})
	if err != nil {
		v.t.Fatal(err)
	}
	return found
}

// beside reports whether a fault met what is not cortex: the loader of the test
// binary, or the pipe with which Go's runtime wakes itself.
func beside(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "loading shared libraries") || strings.Contains(err.Error(), "runtime: netpollBreak"))
}

// same demands that nothing of the user's has changed.
func (v *victim) same(under string, before map[string]string, skip ...string) {
	v.t.Helper()
	if diff := cmp.Diff(before, v.theirs(skip...)); diff != "" {
		v.t.Errorf("%s changed what is not cortex's (-before +after):\n%s", under, diff)
	}
}

// TestNoDescriptors has almost no file descriptors (EMFILE).
func TestNoDescriptors(t *testing.T) {
	fullOnly(t, "faults at many calls")
	t.Parallel()
	if err := exec.Command("prlimit", "--nofile=64", "true").Run(); err != nil {
		t.Skipf("this takes prlimit (util-linux), which is missing or may not set a limit here: %v", err)
	}
	v := newVictim(t, newCheckout(t))
	for _, n := range []int{8, 9, 10, 11, 12, 14, 16, 20, 28} {
		fault := fmt.Sprintf("%d file descriptors", n)
		v.captures(fault, true, nil, "prlimit", fmt.Sprintf("--nofile=%d", n))
		v.landsUnder(fault, func() {}, "prlimit", fmt.Sprintf("--nofile=%d", n))
	}
}

// TestFailingCalls lets calls fail as broken disks and odd file systems do: one
// of them, or all.
func TestFailingCalls(t *testing.T) {
	fullOnly(t, "faults at many calls")
	t.Parallel()
	needStrace(t)
	v := newVictim(t, newCheckout(t))
	few, reads := []string{"1+", "2"}, []string{"6"}
	if testrun.Nightly() {
		few = nil
		for _, n := range counts() {
			few = append(few, fmt.Sprint(n))
		}
		few, reads = append(few, "1+"), append(few, "20+")
	}
	for _, f := range []struct {
		calls, errno string
		when         []string
	}{
		{"fsync,fdatasync", "EIO", few},
		{"rename,renameat,renameat2", "EIO", few},
		{"link,linkat", "EPERM", few}, // a file system without links
		{"mkdir,mkdirat", "ENOSPC", few},
		{"flock", "ENOLCK", few}, // a file server without locks
		{"ftruncate", "EIO", few},
		{"write,pwrite64", "ENOSPC", reads},
		{"write,pwrite64", "EIO", reads},
		{"read,pread64", "EIO", reads},
		{"openat", "EIO", reads},
		{"openat", "EMFILE", reads},
	} {
		for _, when := range f.when {
			fault := fmt.Sprintf("%s from %s number %s", f.errno, f.calls, when)
			program, log := v.strace(f.calls, "error="+f.errno+":when="+when)
			v.captures(fault, true, nil, program...)
			v.landsUnder(fault, func() {}, program...)
			if !hit(t, log, "INJECTED") {
				break
			}
		}
	}
}

// TestShortWrites has files that may not grow beyond a size: the write that
// meets it is a short one, and the next fails.
func TestShortWrites(t *testing.T) {
	fullOnly(t, "faults at many calls")
	t.Parallel()
	if err := exec.Command("prlimit", "--fsize=64", "true").Run(); err != nil {
		t.Skipf("this takes prlimit (util-linux), which is missing or may not set a limit here: %v", err)
	}
	v := newVictim(t, newCheckout(t))
	sizes := []int{0, 100, 200, 400, 1000}
	if testrun.Nightly() {
		sizes = nil
		for n := range 60 {
			sizes = append(sizes, n*n)
		}
	}
	for _, size := range sizes {
		fault := fmt.Sprintf("files of at most %d bytes", size)
		limit := []string{"prlimit", fmt.Sprintf("--fsize=%d", size)}
		v.captures(fault, true, nil, limit...)
		v.landsUnder(fault, func() {}, limit...)
	}
}

// TestUnreadFolder lets the calls that list the folders of memories fail, with a
// stat cache that knows them and without: a memory that cannot be seen now is not
// one that is gone, and no page may say so.
func TestUnreadFolder(t *testing.T) {
	fullOnly(t, "faults at many calls")
	t.Parallel()
	needStrace(t)
	v := newVictim(t, newCheckout(t))
	v.landsAll("the set-up")
	months, _ := filepath.Glob(filepath.Join(v.dir, ".cortex/memories/decision/*"))
	if len(months) != 1 {
		t.Fatalf("folders of decisions: %v", months)
	}
	for _, f := range []struct{ calls, folder string }{
		{"openat", filepath.Join(v.dir, ".cortex/memories")},
		{"openat", filepath.Join(v.dir, ".cortex/memories/decision")},
		{"openat", months[0]},
		{"getdents64", months[0]},
		{"newfstatat", months[0]},
	} {
		for _, cached := range []bool{true, false} {
			title, payload := v.session()
			v.run(payload, "cortex", "hook", "stop")
			v.kept = append(v.kept, title)
			if !cached { // what the stop hook has read is known, and not read again
				if err := os.RemoveAll(filepath.Join(v.dir, ".git/cortex")); err != nil {
					t.Fatal(err)
				}
			}
			program, log := v.strace(f.calls, "error=EIO")
			program = append(program, "-P", f.folder)
			fault := fmt.Sprintf("EIO from each %s of %s, cached %v", f.calls, filepath.Base(f.folder), cached)
			v.landsNow(fault, func() {}, program...)
			if !hit(t, log, "INJECTED") && !cached {
				t.Errorf("%s met nothing", fault)
			}
		}
	}
}
