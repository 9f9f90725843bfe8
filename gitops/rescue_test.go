package gitops

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops/internal/remotes"
)

// wound is one kind of damage to a journal. Newest says that the newest state is lost, where
// nothing holds it once more.
type wound struct {
	name   string
	newest bool
	do     func(t *testing.T, r *Repo)
}

func wounds() []wound {
	lose := func(what string) func(*testing.T, *Repo) {
		return func(t *testing.T, r *Repo) { removeFile(t, looseOf(t, r, JournalRef+what)) }
	}
	return []wound{
		{"commit gone", true, lose("")},
		{"commit empty", true, func(t *testing.T, r *Repo) { writeOver(t, looseOf(t, r, JournalRef), "") }},
		{"commit cut", true, func(t *testing.T, r *Repo) {
			name := looseOf(t, r, JournalRef)
			writeOver(t, name, readFile(t, name)[:20])
		}},
		{"tree gone", true, lose("^{tree}")},
		{"inner tree gone", true, lose(":pending/main/decision")},
		{"blob gone", true, lose(":" + memoryPath("three-0000003"))},
		{"blob empty", true, func(t *testing.T, r *Repo) {
			writeOver(t, looseOf(t, r, JournalRef+":"+memoryPath("three-0000003")), "")
		}},
		{"two commits gone", true, func(t *testing.T, r *Repo) {
			lost := []string{looseOf(t, r, JournalRef), looseOf(t, r, JournalRef+":"+memoryPath("three-0000003"))}
			for _, name := range lost {
				removeFile(t, name)
			}
		}},
		{"ref gone", false, func(t *testing.T, r *Repo) { removeFile(t, r.Journal().ref.file()) }},
		{"ref empty", false, func(t *testing.T, r *Repo) { writeOver(t, r.Journal().ref.file(), "") }},
		{"ref of zeros", false, func(t *testing.T, r *Repo) { writeOver(t, r.Journal().ref.file(), strings.Repeat("\x00", 41)) }},
		{"ref to nowhere", false, func(t *testing.T, r *Repo) {
			writeOver(t, r.Journal().ref.file(), strings.Repeat("1", len(r.Head))+"\n")
		}},
	}
}

func looseOf(t *testing.T, r *Repo, name string) string {
	t.Helper()
	return r.objects.loosePath(ObjectID(runGit(t, r.Root, "rev-parse", name)))
}

func removeFile(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

func writeOver(t *testing.T, name, data string) {
	t.Helper()
	os.Remove(name)
	writeFile(t, name, data)
}

// threeStates captures three memories and withdraws a fourth.
func threeStates(t *testing.T, r *Repo) map[string]string {
	t.Helper()
	want := map[string]string{}
	for i, name := range []string{"one-0000001", "two-0000002", "three-0000003"} {
		c := change(name, name)
		c.When = c.When.Add(time.Duration(i) * time.Minute)
		switch i {
		case 0:
			c.Put[memoryPath("withdrawn-0000009")] = []byte("withdrawn")
		case 1:
			c.Remove = []string{memoryPath("withdrawn-0000009")}
		}
		capture(t, r, c)
		want[memoryPath(name)] = name
	}
	return want
}

// TestRescue damages a journal in each way, and leaves it one source at a time to heal
// from: it comes back by itself, and what a person withdrew does not.
func TestRescue(t *testing.T) {
	expire := func(t *testing.T, r *Repo) { writeOver(t, r.Journal().ref.log(), "") }
	unsafe := func(t *testing.T, r *Repo) {
		r.Journal().safe.forget()
		runGit(t, r.Root, "update-ref", "-d", SafeRef)
	}
	for _, source := range []struct {
		name  string
		leave func(t *testing.T, r *Repo)
		all   bool // nothing is lost at all
	}{
		{"safe", expire, true},
		{"log", unsafe, false},
		{"objects", func(t *testing.T, r *Repo) { expire(t, r); unsafe(t, r) }, false},
	} {
		for _, w := range wounds() {
			t.Run(source.name+"/"+w.name, func(t *testing.T) {
				r := openRepo(t, initRepo(t))
				want := threeStates(t, r)
				source.leave(t, r)
				w.do(t, r)
				if w.newest && !source.all {
					delete(want, memoryPath("three-0000003"))
				}
				if source.all || !strings.HasPrefix(w.name, "blob") { // which reading does not go back for
					if diff := cmp.Diff(want, contents(t, r)); diff != "" {
						t.Errorf("read (-want +got):\n%s", diff)
					}
				}
				heals(t, r, want, source.all && strings.HasPrefix(w.name, "blob"))
			})
		}
	}
}

// heals has a repair heal the journal, once, and another update follow. With done, reading
// has healed it before.
func heals(t *testing.T, r *Repo, want map[string]string, done bool) {
	t.Helper()
	out, err := r.Journal().Repair(t.Context())
	if err != nil || (out.Healed == "") != done || out.Spooled || strings.Contains(out.Healed, "\n") {
		t.Errorf("repaired: %+v, %v", out, err)
	}
	if out, err := r.Journal().Repair(t.Context()); err != nil || out.Healed != "" {
		t.Errorf("repaired again: %+v, %v", out, err)
	}
	capture(t, r, change("last-0000004", "last"))
	want = maps.Clone(want)
	want[memoryPath("last-0000004")] = "last"
	if diff := cmp.Diff(want, contents(t, r)); diff != "" {
		t.Errorf("healed (-want +got):\n%s", diff)
	}
	if err := r.Journal().Verify(t.Context()); err != nil {
		t.Error(err)
	}
	for _, name := range loose(t, r) { // git fsck complains of what nothing refers to, too
		if info, err := os.Stat(name); err == nil && (info.Size() == 0 || info.Size() == 20) {
			removeFile(t, name)
		}
	}
	fsck(t, r.Root)
}

// TestRescuePackedRef loses the file of the ref, so that packed-refs names a state long past.
func TestRescuePackedRef(t *testing.T) {
	for _, without := range []string{"log", "safe"} {
		t.Run("without "+without, func(t *testing.T) {
			r := openRepo(t, initRepo(t))
			capture(t, r, change("zero-0000000", "zero"))
			runGit(t, r.Root, "pack-refs", "--all")
			want := threeStates(t, r)
			want[memoryPath("zero-0000000")] = "zero"
			if without == "log" {
				writeOver(t, r.Journal().ref.log(), "")
			} else {
				r.Journal().safe.forget()
			}
			removeFile(t, r.Journal().ref.file())
			if diff := cmp.Diff(want, contents(t, r)); diff != "" {
				t.Errorf("read (-want +got):\n%s", diff)
			}
			heals(t, r, want, false)
			// A person may take the journal back: then that counts.
			runGit(t, r.Root, "update-ref", JournalRef, JournalRef+"~1")
			runGit(t, r.Root, "pack-refs", "--all")
			if diff := cmp.Diff(want, contents(t, r)); diff != "" {
				t.Errorf("taken back (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRescueFromRemotes loses every object of the journal that no remote has: what remotes
// were last seen to have comes back, and counts as theirs.
func TestRescueFromRemotes(t *testing.T) {
	r := openRepo(t, initRepo(t))
	threeStates(t, r)
	for i, remote := range []string{"origin", "fork"} {
		tree := runGit(t, r.Root, "rev-parse", fmt.Sprintf("%s~%d^{tree}", JournalRef, i+1))
		theirs := runGit(t, r.Root, "commit-tree", "-m", "theirs", tree)
		runGit(t, r.Root, "update-ref", remotes.TrackingRef(remote), theirs)
	}
	for range 3 {
		name := looseOf(t, r, JournalRef)
		runGit(t, r.Root, "update-ref", JournalRef, JournalRef+"~1")
		removeFile(t, name)
		if _, err := tryGit(r.Root, nil, "rev-parse", "-q", "--verify", JournalRef+"~1"); err != nil {
			break
		}
	}
	removeFile(t, looseOf(t, r, JournalRef))
	r.Journal().safe.forget()
	os.Remove(filepath.Join(r.CommonDir, filepath.FromSlash(SafeRef)))
	got := contents(t, r)
	for _, name := range []string{memoryPath("one-0000001"), memoryPath("two-0000002"), "received/0000001", "received/0000002"} {
		if _, ok := got[name]; !ok {
			t.Errorf("%s did not come back: %v", name, slices.Sorted(maps.Keys(got)))
		}
	}
	heals(t, r, got, false)
}

// TestSafeAcrossGC: beside a ref whose commit is gone and an expired log, a gc prunes
// everything that no other ref names. The states of the safe can be read all the same.
func TestSafeAcrossGC(t *testing.T) {
	r := openRepo(t, initRepo(t))
	want := threeStates(t, r)
	r.Journal().safe.forget()
	for i := range 3 { // of which the safe has the last ones only
		c := change(fmt.Sprintf("more-000001%d", i), fmt.Sprint(i))
		capture(t, r, c)
		maps.Insert(want, func(yield func(string, string) bool) {
			for path, data := range c.Put {
				yield(path, string(data))
			}
		})
	}
	writeOver(t, r.Journal().ref.log(), "")
	removeFile(t, looseOf(t, r, JournalRef))
	if out, err := tryGit(r.Root, nil, "gc", "-q", "--prune=now"); err != nil {
		t.Log(out) // it may complain of the ref
	}
	_, _ = tryGit(r.Root, nil, "prune", "--expire=now")
	if diff := cmp.Diff(want, contents(t, r)); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	heals(t, r, want, false)
}

// TestSafeTurns: a full file gives way to a new one, and what is in none is anchored.
func TestSafeTurns(t *testing.T) {
	r := openRepo(t, initRepo(t))
	text := strings.Repeat("long ", maxSafe/16)
	for i := range 9 {
		capture(t, r, change(fmt.Sprintf("long-000000%d", i), fmt.Sprint(i, text)))
	}
	s := r.Journal().safe
	for _, name := range []string{s.path, s.before()} {
		if info, err := os.Stat(name); err != nil || info.Size() > 2*maxSafe {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	all, states := s.read(r.objects.format)
	first := states[len(states)-1]
	if _, err := tryGit(r.Root, nil, "merge-base", "--is-ancestor", SafeRef, JournalRef); err != nil || len(all) == 0 {
		t.Error("the anchor is no state of the journal")
	}
	if _, err := tryGit(r.Root, nil, "merge-base", "--is-ancestor", string(first)+"~1", SafeRef); err != nil {
		t.Error("between the anchor and the safe there is a state that neither has")
	}
	// A torn record hides none of those after it.
	data := readFile(t, s.path)
	writeFile(t, s.path, safeHeader+"torn"+data)
	if _, again := s.read(r.objects.format); len(again) != len(states) {
		t.Errorf("%d of %d states behind a torn record", len(again), len(states))
	}
	r.Journal().safe.forget()
	capture(t, r, change("huge-0000010", strings.Repeat("huge ", maxInSafe/4)))
	if at := runGit(t, r.Root, "rev-parse", SafeRef); at != runGit(t, r.Root, "rev-parse", JournalRef) {
		t.Errorf("what the safe does not hold is not anchored: %s", at)
	}
}
