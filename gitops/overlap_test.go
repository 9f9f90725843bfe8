package gitops

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestShared: of a folder of the journal and one of a commit, the paths that both have as files,
// loose and packed.
func TestShared(t *testing.T) {
	formats(t, func(t *testing.T, r *Repo) {
		ctx := t.Context()
		at := func(name string) string {
			return filepath.Join(r.Root, ".cortex", "memories", filepath.FromSlash(name))
		}
		for _, name := range []string{
			"decision/2026-11/both-0000001.md", "decision/2026-11/landed-0000002.md", "fix/2026-11/other-0000003.md",
			"decision/2026-11/folder-0000005.md/x",
		} {
			writeFile(t, at(name), name)
		}
		runGit(t, r.Root, "add", ".")
		runGit(t, r.Root, "commit", "-q", "-m", "landed")
		all := Change{Message: "pending", Put: map[string][]byte{}}
		for _, name := range []string{"both-0000001", "pending-0000004", "folder-0000005"} {
			all.Put[memoryPath(name)] = []byte("pending\n")
		}
		capture(t, r, all)
		for _, packed := range []bool{false, true} {
			if packed {
				runGit(t, r.Root, "gc", "-q")
			}
			head := ObjectID(runGit(t, r.Root, "rev-parse", "HEAD"))
			if at := r.Worktree().HeadCommit(); !packed && at != string(head) {
				t.Errorf("HEAD: %q, want %q", at, head)
			}
			s, err := r.Journal().Snapshot(ctx)
			if err != nil {
				t.Fatal(err)
			}
			pending, err := s.FolderID(ctx, "", PendingPrefix("main"))
			if err != nil || pending == "" {
				t.Fatalf("pending: %q, %v", pending, err)
			}
			landed, err := s.FolderID(ctx, head, ".cortex/memories")
			if want := runGit(t, r.Root, "rev-parse", "HEAD:.cortex/memories"); err != nil || string(landed) != want {
				t.Fatalf("landed: %q, %v; want %q", landed, err, want)
			}
			got, err := s.Shared(ctx, pending, landed)
			if diff := cmp.Diff([]string{"decision/2026-11/both-0000001.md"}, got); diff != "" || err != nil {
				t.Errorf("shared (-want +got): %v\n%s", err, diff)
			}
			for _, absent := range []string{"pending/other", "format", "pending/main/decision/2026-11/both-0000001.md"} {
				if id, err := s.FolderID(ctx, "", absent); err != nil || id != "" {
					t.Errorf("%s: %q, %v", absent, id, err)
				}
			}
			if id, err := s.FolderID(ctx, head, ".cortex/absent"); err != nil || id != "" {
				t.Errorf("a folder that is not there: %q, %v", id, err)
			}
			_ = s.Close()
		}
	})
}
