package gitops

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMoved(t *testing.T) {
	r := openRepo(t, initRepo(t))
	writeFile(t, r.Root+"/old name.go", "package a\n\nfunc A() {}\n\nfunc B() {}\n")
	writeFile(t, r.Root+"/stays.go", "package a\n")
	runGit(t, r.Root, "add", ".")
	runGit(t, r.Root, "commit", "-q", "-m", "one")
	runGit(t, r.Root, "mv", "old name.go", "new.go")
	runGit(t, r.Root, "commit", "-q", "-m", "two")
	older, newer := ObjectID(runGit(t, r.Root, "rev-parse", "HEAD~1")), ObjectID(runGit(t, r.Root, "rev-parse", "HEAD"))
	got, err := r.History().Moved(t.Context(), older, newer)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"old name.go": "new.go"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMergesSince: a merge counts if it differs from a parent below the path, also one
// that threw a side away.
func TestMergesSince(t *testing.T) {
	r := openRepo(t, initRepo(t))
	commit := func(path string) ObjectID {
		writeFile(t, r.Root+"/"+path, path)
		runGit(t, r.Root, "add", ".")
		runGit(t, r.Root, "commit", "-q", "-m", path)
		return ObjectID(runGit(t, r.Root, "rev-parse", "HEAD"))
	}
	base := commit("base")
	runGit(t, r.Root, "branch", "trunk")
	runGit(t, r.Root, "branch", "code")
	runGit(t, r.Root, "branch", "kept")
	runGit(t, r.Root, "switch", "-q", "code")
	commit("code")
	runGit(t, r.Root, "switch", "-q", "kept")
	commit("kept/a")
	runGit(t, r.Root, "switch", "-q", "trunk")
	commit("trunk")
	runGit(t, r.Root, "merge", "-q", "--no-edit", "code")
	runGit(t, r.Root, "merge", "-q", "--no-edit", "-s", "ours", "kept")
	head := ObjectID(runGit(t, r.Root, "rev-parse", "HEAD"))
	got, err := r.History().Merges(t.Context(), base, head, "kept", 10)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]ObjectID{head}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, err := r.History().Merges(t.Context(), head, head, "kept", 10); err != nil || len(got) != 0 {
		t.Errorf("an empty range has the merges %v: %v", got, err)
	}
}
