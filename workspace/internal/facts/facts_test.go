package facts

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
)

// TestNote: a note is read as it was written, and one that is damaged or of another
// kind or working tree is not there.
func TestNote(t *testing.T) {
	repo := &gitops.Repo{CommonDir: t.TempDir(), Root: "/here"}
	if err := os.Mkdir(repo.CacheDir(), 0o777); err != nil {
		t.Fatal(err)
	}
	if got := Read(repo, Tree); got != nil {
		t.Errorf("of nothing: %q", got)
	}
	for _, words := range [][]string{{"one"}, {"", "two", ""}, {"a/b", "+", "0123"}} {
		Write(repo, Tree, words)
		if diff := cmp.Diff(words, Read(repo, Tree)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if got := Read(&gitops.Repo{CommonDir: repo.CommonDir, Root: "/there"}, Tree); got != nil {
		t.Errorf("of another working tree: %q", got)
	}
	file := name(repo, Tree)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		for _, damaged := range [][]byte{whole[:i], append(append(append([]byte{}, whole[:i]...), whole[i]^1), whole[i+1:]...)} {
			if err := os.WriteFile(file, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			if got := Read(repo, Tree); got != nil {
				t.Errorf("damaged at byte %d: %q", i, got)
			}
		}
	}
	if err := os.WriteFile(name(repo, Merged), whole, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := Read(repo, Merged); got != nil {
		t.Errorf("of another kind: %q", got)
	}
}
