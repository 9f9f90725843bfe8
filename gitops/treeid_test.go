package gitops

import (
	"fmt"
	"path/filepath"
	"testing"
)

// TestFolderID names a folder by its files as git does.
func TestFolderID(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			dir := initRepo(t, "--object-format="+format)
			r := openRepo(t, dir)
			if tree, folder, err := r.History().TreeIDs(t.Context(), "HEAD", "a"); tree != r.EmptyTree() || folder != "" || err != nil {
				t.Errorf("of nothing: %q, %q, %v", tree, folder, err)
			}
			for _, name := range []string{"a/b/1.md", "a/b-c.md", "a/b.md", "a/z/y/2.md", "a/b/0.md", "other"} {
				writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), name+"\n")
			}
			runGit(t, dir, "add", ".")
			runGit(t, dir, "commit", "-q", "-m", "one")
			entries, err := r.Tree(t.Context(), "HEAD", "a")
			if err != nil {
				t.Fatal(err)
			}
			_, want, err := r.History().TreeIDs(t.Context(), "HEAD", "a")
			if err != nil || want == "" {
				t.Fatalf("git's name is %q: %v", want, err)
			}
			if got, err := r.FolderID("a", entries); got != want || err != nil {
				t.Errorf("got %s, %v, want %s", got, err, want)
			}
			if got, err := r.FolderID("a", entries[1:]); got == want || err != nil {
				t.Errorf("without a file it is %s, %v, too", got, err)
			}
			if tree, _, err := r.History().TreeIDs(t.Context(), "nowhere", "a"); tree != "" || err != nil {
				t.Errorf("a missing revision: %q, %v", tree, err)
			}
		})
	}
}

func BenchmarkFolderID(b *testing.B) {
	r := openRepo(b, initRepo(b))
	var entries []Entry
	for i := range 10000 {
		entries = append(entries, Entry{Path: fmt.Sprintf("a/b/2026-%02d/memory-about-something-%05d.md", i/1000, i), Blob: r.Hash(fmt.Append(nil, i))})
	}
	for b.Loop() {
		if _, err := r.FolderID("a", entries); err != nil {
			b.Fatal(err)
		}
	}
}
