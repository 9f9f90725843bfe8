package facts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// TestFormer: of what was noted at another commit the renames that still hold are known, and
// nothing else.
func TestFormer(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"log.go", "back.go", "both.go"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	repo := &gitops.Repo{Root: root, CommonDir: t.TempDir(), Head: "two"}
	if err := os.Mkdir(repo.CacheDir(), 0o777); err != nil {
		t.Fatal(err)
	}
	Keep(repo, Moves, "", keptRenames{"one index", map[string]string{
		"a wal.go": "log.go",  // holds
		"back.go":  "log.go",  // is there again
		"gone.go":  "went.go", // its new name is gone too
		"lost.go":  "",        // had none
	}})
	files, want := folder.Folder{Root: root}, map[string]string{"a wal.go": "log.go"}
	if diff := cmp.Diff(want, Former(repo, files)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	m := RenamesOf(repo, files)
	if m.read(); !cmp.Equal(want, m.known) {
		t.Errorf("at another commit: %s", cmp.Diff(want, m.known))
	}
	if got := Former(&gitops.Repo{Root: root, CommonDir: t.TempDir()}, files); len(got) > 0 {
		t.Errorf("without a note: %v", got)
	}
}

// TestFilesOf: files that a memory is anchored to, and those of its triggers.
func TestFilesOf(t *testing.T) {
	m := &memory.Memory{
		Anchors:  []memory.Anchor{{Path: "a.go"}},
		Triggers: []string{"file: store/b.go", "before: store/c.go", "before: make d", "before: bin/e now", "file: *.md", "file: docs/*.md", "when: f/g"},
	}
	if diff := cmp.Diff([]string{"a.go", "store/b.go", "store/c.go"}, filesOf(m)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
