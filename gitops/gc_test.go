package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"

	"github.com/google/go-cmp/cmp"
)

// TestGCTookPartAway has a gc at work while three changes are committed, and
// lets it take away some of their objects: those that it met after it had
// looked at the refs. All three were acknowledged.
func TestGCTookPartAway(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name  string
		more  bool     // another change comes after
		taken []string // what is gone, of "journal~N"
	}{
		{"nothing", false, nil},
		{"first commit", true, []string{"~2"}},
		{"first tree", false, []string{"~2^{tree}"}},
		{"first memory", false, []string{"~2:" + memoryPath("two-0000002")}},
		{"two commits", true, []string{"~1", "~2"}},
		{"all", true, []string{"", "^{tree}", "~1", "~1^{tree}", "~2", "~2^{tree}", ":" + memoryPath("four-0000004")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, dir := context.Background(), initRepo(t)
			r := openRepo(t, dir)
			capture(t, r, change("one-0000001", "one\n"))
			pid := filepath.Join(r.CommonDir, "gc.pid")
			writeFile(t, pid, fmt.Sprintf("%d %s", os.Getpid(), host))
			for i, name := range []string{"two-0000002", "three-0000003", "four-0000004"} {
				if out := capture(t, r, change(name, fmt.Sprint(i))); out.Commit == "" || out.Spooled {
					t.Fatalf("outcome %+v", out)
				}
			}
			contents(t, r) // which notes that the spool changes nothing
			if !gitcmd.Exists(r.Journal().spool.path + idleName) {
				t.Error("a second copy is laid over at each reading")
			}
			var taken []string
			for _, name := range tc.taken {
				taken = append(taken, r.objects.loosePath(ObjectID(runGit(t, dir, "rev-parse", JournalRef+name))))
			}
			for _, path := range taken {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Remove(pid); err != nil {
				t.Fatal(err)
			}
			if tc.more {
				capture(t, r, change("five-0000005", "five"))
			} else if _, err := r.Journal().Repair(ctx); err != nil {
				t.Fatal(err)
			}
			got := contents(t, r)
			want := map[string]string{"one-0000001": "one\n", "two-0000002": "0", "three-0000003": "1", "four-0000004": "2"}
			if tc.more {
				want["five-0000005"] = "five"
			}
			for name, text := range want {
				if got[memoryPath(name)] != text {
					t.Errorf("%s is %q, want %q", name, got[memoryPath(name)], text)
				}
			}
			if len(got) != len(want) {
				t.Errorf("journal %v", got)
			}
			if gitcmd.Exists(r.Journal().spool.path) {
				t.Error("the spool was not drained")
			}
			fsck(t, dir)
		})
	}
}

// TestIdleSpool: what is noted of a spool that changes nothing holds for its lines and that state of the
// journal alone, and a note that was damaged is none.
func TestIdleSpool(t *testing.T) {
	r := openRepo(t, initRepo(t))
	spool := r.Journal().spool
	wait := func(c Change) {
		t.Helper()
		if err := spool.append(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(name string, want bool) {
		t.Helper()
		for range 2 { // the second time by the note
			if _, got := contents(t, r)[memoryPath(name)]; got != want {
				t.Errorf("%s is there: %v, want %v", name, got, want)
			}
		}
	}
	one, two := change("one-0000001", "one\n"), change("two-0000002", "two\n")
	capture(t, r, one)
	capture(t, r, two)
	removal := Change{Message: "land: 1 memory (main)", When: one.When, Remove: []string{memoryPath("one-0000001")}}
	capture(t, r, removal)
	wait(removal)
	holds("one-0000001", false)
	wait(Change{Message: removal.Message, When: one.When, Remove: []string{memoryPath("two-0000002")}}) // the spool is longer
	holds("two-0000002", false)

	runGit(t, r.Root, "update-ref", JournalRef, JournalRef+"~1") // the journal is another: one is there again
	holds("one-0000001", false)
	writeFile(t, spool.path+idleName, "damaged")
	holds("one-0000001", false)
	capture(t, r, change("three-0000003", "three\n"))
	holds("one-0000001", false)
	holds("two-0000002", false)
	holds("three-0000003", true)
	fsck(t, r.Root)
}

// TestGCTookOnlyState has a gc take the only states that a journal ever had. The
// spool has all of their changes, so the journal begins anew from it.
func TestGCTookOnlyState(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name   string
		states int
		atWork bool // the gc still is
		packed bool // the ref is
		taken  []string
	}{
		{"commit", 1, false, false, []string{""}},
		{"commit, while the gc is at work", 1, true, false, []string{""}},
		{"commit and tree, of a packed ref", 1, false, true, []string{"", "^{tree}"}},
		{"two commits", 2, false, false, []string{"", "~1"}},
		{"tip's commit, first memory", 2, true, false, []string{"", "~1:" + memoryPath("one-0000001")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, dir := context.Background(), initRepo(t)
			r := openRepo(t, dir)
			pid := filepath.Join(r.CommonDir, "gc.pid")
			writeFile(t, pid, fmt.Sprintf("%d %s", os.Getpid(), host))
			want := map[string]string{}
			for i := range tc.states {
				name := []string{"one-0000001", "two-0000002"}[i]
				capture(t, r, change(name, name))
				want[memoryPath(name)] = name
			}
			if tc.packed {
				runGit(t, dir, "pack-refs", "--all")
			}
			old := runGit(t, dir, "rev-parse", JournalRef)
			var taken []string
			for _, name := range tc.taken {
				taken = append(taken, r.objects.loosePath(ObjectID(runGit(t, dir, "rev-parse", JournalRef+name))))
			}
			for _, path := range taken {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			r.Journal().safe.forget()
			if !tc.atWork {
				if err := os.Remove(pid); err != nil {
					t.Fatal(err)
				}
			}
			s, err := r.Journal().Snapshot(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if healed := s.Healed(); !strings.Contains(healed, "spool") || !strings.Contains(healed, old) {
				t.Errorf("healed: %q", healed)
			}
			s.Close()
			if diff := cmp.Diff(want, contents(t, r)); diff != "" {
				t.Errorf("before an update (-want +got):\n%s", diff)
			}
			out := capture(t, r, change("last-0000009", "last"))
			want[memoryPath("last-0000009")] = "last"
			if out.Commit == "" || out.Spooled || !strings.Contains(out.Healed, "spool") {
				t.Errorf("outcome %+v", out)
			}
			if diff := cmp.Diff(want, contents(t, r)); diff != "" {
				t.Errorf("memories (-want +got):\n%s", diff)
			}
			if log := runGit(t, dir, "reflog", "show", "--format=%gs", JournalRef); !strings.Contains(log, old) {
				t.Errorf("the log does not name %s:\n%s", old, log)
			}
			if gitcmd.Exists(r.Journal().spool.path) == !tc.atWork {
				t.Errorf("the spool is there: %v", tc.atWork)
			}
			fsck(t, dir)
		})
	}
}

// TestLostMoreThanSpooled: the spool holds less than what was lost, and nothing else holds
// any of it. A new journal begins all the same, and says of which it stands in the place;
// but not while a part of the repository is out of reach.
func TestLostMoreThanSpooled(t *testing.T) {
	ctx, dir := context.Background(), initRepo(t)
	r := openRepo(t, dir)
	capture(t, r, change("one-0000001", "one"))
	capture(t, r, change("two-0000002", "two"))
	tip := runGit(t, dir, "rev-parse", JournalRef)
	for _, name := range []string{"~1:" + memoryPath("one-0000001"), ""} {
		if err := os.Remove(r.objects.loosePath(ObjectID(runGit(t, dir, "rev-parse", JournalRef+name)))); err != nil {
			t.Fatal(err)
		}
	}
	r.Journal().safe.forget()
	alternates := filepath.Join(r.ObjectsDir, "info", "alternates")
	writeFile(t, alternates, filepath.Join(t.TempDir(), "not-mounted"))
	if out := capture(t, r, change("three-0000003", "three")); !out.Spooled {
		t.Errorf("outcome %+v", out)
	}
	if _, err := r.Journal().Snapshot(ctx); !errors.Is(err, ErrUnreadable) {
		t.Errorf("snapshot: %v", err)
	}
	if out, err := r.Journal().Repair(ctx); !errors.Is(err, ErrUnreadable) {
		t.Errorf("repaired: %+v, %v", out, err)
	}
	if got := strings.TrimSpace(readFile(t, r.Journal().ref.file())); got != tip {
		t.Errorf("the ref is %s, was %s", got, tip)
	}
	if err := os.Remove(alternates); err != nil {
		t.Fatal(err)
	}
	out, err := r.Journal().Repair(ctx)
	if err != nil || !strings.Contains(out.Healed, tip) {
		t.Errorf("repaired: %+v, %v", out, err)
	}
	if diff := cmp.Diff(map[string]string{memoryPath("three-0000003"): "three"}, contents(t, r)); diff != "" {
		t.Errorf("memories (-want +got):\n%s", diff)
	}
	fsck(t, dir)
}
