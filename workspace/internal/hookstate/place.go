package hookstate

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
)

// Place says where a working tree and its repository have their files.
type Place struct{ gitops.Worktree }

// Table is the file of the table by which memories are recalled: one for each
// working tree, since a view depends on the branch.
func (p Place) Table() string {
	name := "main"
	if p.Git != p.Common {
		name = "worktree-" + filepath.Base(p.Git)
	}
	return filepath.Join(p.Cache(), "recall", name)
}

// hasCache reports whether the folders of the cache are there, and are no links.
func (p Place) hasCache() bool {
	return atomicfile.IsFolder(p.Cache()) && atomicfile.IsFolder(filepath.Dir(p.Table()))
}

// Find finds the working tree that dir is in by its folder or file .git, if that
// belongs to the user of this process. It is a guess that git may correct.
func Find(dir string) (Place, bool) {
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return Place{}, false
	}
	w, ok := gitops.FindWorktree(real)
	return Place{w}, ok
}

// maxMonths bounds how many folders of memories are looked at.
const maxMonths = 512

// joining reports whether a merge, cherry-pick, revert or rebase is under way, which a hook may
// have to do something about.
func (p Place) joining() bool {
	states := []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"}
	return slices.ContainsFunc(states, func(name string) bool {
		_, err := os.Lstat(filepath.Join(p.Git, name))
		return err == nil
	})
}

// State returns a fingerprint of the files that the memories of the working tree
// depend on: the branch, the journal, the settings, and the folders of memory files.
// A commit that changes none of them changes no table; the text of a file that was
// edited by hand is taken in when the next prompt is read.
func (p Place) State() string {
	var b strings.Builder
	b.WriteString(gitops.FirstLine(filepath.Join(p.Git, "HEAD")) + "\n")
	p.markJournal(&b)
	for _, name := range []string{"packed-refs", "config", "config.worktree", "cortex/spool", "cortex/spool.jsonl"} {
		b.WriteString(gitops.FileMark(filepath.Join(p.Common, filepath.FromSlash(name))))
	}
	b.WriteString(gitops.FileMark(filepath.Join(p.Root, filepath.FromSlash(ConfigPath))))
	memories := filepath.Join(p.Root, filepath.FromSlash(MemoriesDir))
	left := maxMonths
	for _, kind := range folders(memories) {
		b.WriteString(gitops.FileMark(filepath.Join(memories, kind)))
		for _, month := range folders(filepath.Join(memories, kind)) {
			if left--; left >= 0 {
				b.WriteString(gitops.FileMark(filepath.Join(memories, kind, month)))
			}
		}
	}
	return b.String()
}

// markJournal writes what the ref of the journal says.
func (p Place) markJournal(b *strings.Builder) {
	b.WriteString(gitops.FirstLine(filepath.Join(p.Common, filepath.FromSlash(gitops.JournalRef))) + "\n")
	b.WriteString(gitops.FileMark(filepath.Join(p.Common, "reftable", "tables.list")))
}

func folders(dir string) []string {
	entries, _ := os.ReadDir(dir) // else there are none
	return lists.Map(lists.Where(entries, fs.DirEntry.IsDir), fs.DirEntry.Name)
}
