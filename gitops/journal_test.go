package gitops

import (
	"context"
	"os"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJournal(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			dir := initRepo(t, "--object-format="+format)
			r := openRepo(t, dir)
			first := capture(t, r, change("one-0000001", "first\n"))
			if first.Commit == "" || first.Spooled {
				t.Fatalf("outcome %+v", first)
			}
			fsck(t, dir)
			runGit(t, dir, "gc", "-q")
			capture(t, r, change("two-0000002", "second\n"))
			fsck(t, dir)
			if out := capture(t, r, change("two-0000002", "second\n")); out != (Outcome{}) {
				t.Errorf("replay: %+v", out)
			}
			want := map[string]string{memoryPath("one-0000001"): "first\n", memoryPath("two-0000002"): "second\n"}
			if diff := cmp.Diff(want, contents(t, r)); diff != "" {
				t.Error(diff)
			}
			capture(t, r, Change{Message: "land", Remove: []string{memoryPath("one-0000001"), memoryPath("absent")}})
			capture(t, r, Change{Message: "land", Remove: []string{memoryPath("two-0000002")}})
			fsck(t, dir)
			if got := contents(t, r); len(got) != 0 {
				t.Errorf("left: %v", got)
			}
			if n := runGit(t, dir, "rev-list", "--count", JournalRef); n != "4" {
				t.Errorf("%s commits", n)
			}
			if n := runGit(t, dir, "reflog", "show", "--format=%gs", JournalRef); n != "land\nland\ncapture: 1 memory from test (main)\ncapture: 1 memory from test (main)" {
				t.Errorf("reflog %q", n)
			}
			if got := runGit(t, dir, "log", "--format=%an <%ae> %at%n%B", "-1", string(first.Commit)); got !=
				"cortex <cortex@localhost> 1795132800\ncapture: 1 memory from test (main)\n\nCortex-Session: one-0000001" {
				t.Errorf("commit %q", got)
			}
			if got := runGit(t, dir, "status", "--porcelain"); got != "" {
				t.Errorf("status %q", got)
			}
		})
	}
}

// TestNeverCaptured holds the one state in which git is not asked whether there
// is a journal.
func TestNeverCaptured(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	if !r.Journal().ref.neverCaptured() {
		t.Error("a new repository has a journal")
	}
	runGit(t, dir, "pack-refs", "--all")
	if !r.Journal().ref.neverCaptured() {
		t.Error("a new repository with packed refs has a journal")
	}
	out := capture(t, r, change("one-0000001", "first\n"))
	if r.Journal().ref.neverCaptured() {
		t.Error("the log was not seen")
	}
	runGit(t, dir, "pack-refs", "--all")
	if err := os.Remove(r.Journal().ref.log()); err != nil {
		t.Fatal(err)
	}
	if r.Journal().ref.neverCaptured() {
		t.Error("the packed ref was not seen")
	}
	if got, err := r.Journal().Snapshot(t.Context()); err != nil || got.Commit() != out.Commit {
		t.Errorf("the journal stands at %v, want %s: %v", got, out.Commit, err)
	}
}

func BenchmarkJournalUpdate(b *testing.B) {
	r := openRepo(b, initRepo(b))
	ctx := context.Background()
	for n := 0; b.Loop(); n++ {
		c := change("m"+string(rune('a'+n%26))+"-"+strconv.Itoa(n), "text\n")
		if _, err := r.Journal().Update(ctx, nil, func(*Snapshot) (Change, error) { return c, nil }); err != nil {
			b.Fatal(err)
		}
	}
}
