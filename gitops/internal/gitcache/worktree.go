package gitcache

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/stamp"
)

// Worktree says where a working tree and its repository have their files.
type Worktree struct{ Root, Git, Common string }

// Cache is the folder of cortex in the repository.
func (w Worktree) Cache() string { return filepath.Join(w.Common, "cortex") }

// FindWorktree finds the working tree that a folder is in as git would, by its folder or file
// .git, if all of that belongs to the user of this process, as git demands. Wherever git would
// look at more, none is found. The path of the folder is physical.
func FindWorktree(dir string) (w Worktree, ok bool) {
	top, ok := topOf(dir)
	if !ok {
		return w, false
	}
	w, ok = follow(top)
	return w, ok && w.whole() && ours(top, filepath.Join(top, ".git"), w.Git)
}

// topOf is the first folder from dir upwards that has a .git; not ok if a folder on the way
// may be a bare repository.
func topOf(dir string) (top string, ok bool) {
	for !gitcmd.Exists(filepath.Join(dir, ".git")) {
		above := filepath.Dir(dir)
		if above == dir || gitcmd.Exists(filepath.Join(dir, "HEAD")) {
			return "", false
		}
		dir = above
	}
	return dir, true
}

// follow reads the folder .git of a working tree, or the file that a linked one has.
func follow(root string) (w Worktree, ok bool) {
	git := filepath.Join(root, ".git")
	if atomicfile.IsFolder(git) {
		return Worktree{root, git, git}, true
	}
	dir, ok := strings.CutPrefix(Line(git), "gitdir: ")
	w = Worktree{root, absolute(root, dir), absolute(root, dir)} // as of a submodule
	if common := Line(filepath.Join(w.Git, "commondir")); common != "" {
		w.Common = absolute(w.Git, common)
	}
	return w, ok
}

// whole reports whether git would take the folders for a repository.
func (w Worktree) whole() bool {
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(w.Common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

func absolute(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// longestLine is how long a file of one line may be, in bytes.
const longestLine = 8 << 10

// Line is a regular file of one line without its end, "" if it is none.
func Line(name string) string {
	data, _ := atomicfile.Read(name, longestLine) // what cannot be read says nothing
	text := strings.TrimRight(string(data), "\r\n")
	if strings.ContainsAny(text, "\r\n") {
		return ""
	}
	return text
}

// Mark changes with a file or a folder that is written to.
func Mark(name string) string {
	now, _ := stamp.Lstat(name)
	return fmt.Sprintf("%d\n", now)
}

// Head returns the full name of the branch that HEAD points to, "" where git has to say it,
// and all that the commit of HEAD depends on. Names of refs other than branches are left to git.
func (w Worktree) Head() (branch, state string) {
	head := Line(filepath.Join(w.Git, "HEAD"))
	ref := strings.TrimPrefix(head, "ref: ")
	commit, err := os.ReadFile(filepath.Join(w.Common, filepath.FromSlash(ref)))
	if state = head + "\n" + string(commit); err != nil {
		for _, name := range []string{
			w.Common + "/packed-refs", w.Common + "/reftable/tables.list", w.Git + "/reftable/tables.list",
		} {
			state += Mark(filepath.FromSlash(name))
		}
	}
	stub := strings.HasSuffix(ref, "/.invalid") // as with reftable
	if stub || !strings.HasPrefix(ref, "refs/heads/") || strings.HasPrefix(string(commit), "ref:") {
		return "", state
	}
	return ref, state
}

// HeadCommit is the id of the commit that HEAD is at, where a file says it; else "".
func (w Worktree) HeadCommit() string {
	at := Line(filepath.Join(w.Git, "HEAD"))
	if ref, ok := strings.CutPrefix(at, "ref: refs/heads/"); ok {
		at = Line(filepath.Join(w.Common, "refs", "heads", filepath.FromSlash(ref)))
	}
	if !gitobject.IsID(at) {
		return ""
	}
	return at
}

// ours reports whether files belong to the user that runs this process.
func ours(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		info, err := os.Lstat(name)
		return err != nil || !ownedByUs(info)
	})
}
