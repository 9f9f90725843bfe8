package workspace

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/journal"
)

// TestStrays: which branches count as gone.
func TestStrays(t *testing.T) {
	w := newWorkspace(t)
	token := strings.Join([]string{"ghp", "fAkE1tEsT2tOkEn3oPeNs4nOtHiNg5aTaLl6"}, "_")
	pend := func(branch, title string) {
		t.Helper()
		m := sure(memory.Fix, title, 1, 1)
		err := w.Journal.Update(t.Context(), func(*gitops.Snapshot) (gitops.Change, error) {
			return gitops.Change{Message: "test", When: clock(), Put: map[string][]byte{
				gitops.PendingPrefix(w.Secrets.Branch(t.Context(), branch)) + "/" + m.Path(): memory.Format(m),
			}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	pend("gone", "Of a branch that is gone")
	pend("there", "Of a branch that is there")
	pend("with-"+token, "Of a branch with a secret in its name")
	pend("elsewhere", "Of a branch without a commit, in another worktree")
	pend("", "Of a detached HEAD")
	names := func() (out []string) {
		t.Helper()
		gone, err := w.Views.GoneBranches(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range gone {
			out = append(out, s.Branch)
		}
		return out
	}
	if got := names(); len(got) != 5 || !slices.Contains(got, DetachedName) {
		t.Errorf("gone: %v", got)
	}
	git(t, "-C", w.Repo.Root, "branch", "there")
	git(t, "-C", w.Repo.Root, "branch", "with-"+token)
	linked := filepath.Join(t.TempDir(), "linked")
	git(t, "-C", w.Repo.Root, "worktree", "add", "-q", "--detach", linked)
	if got := names(); !slices.Equal(got, []string{"elsewhere", "gone"}) {
		t.Errorf("gone: %v", got)
	}
	git(t, "-C", linked, "symbolic-ref", "HEAD", "refs/heads/elsewhere")
	if got := names(); !slices.Equal(got, []string{DetachedName, "gone"}) {
		t.Errorf("gone: %v", got)
	}
	// What came from another clone is theirs to move.
	id := string(sure(memory.Fix, "Of a branch that is gone", 1, 1).ID)
	err := w.Journal.Update(t.Context(), func(*gitops.Snapshot) (gitops.Change, error) {
		return gitops.Change{
			Message: "test", When: clock(),
			Put: map[string][]byte{journal.ReceivedFolder + id: {}},
		}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(); !slices.Equal(got, []string{DetachedName}) {
		t.Errorf("gone: %v", got)
	}
}
