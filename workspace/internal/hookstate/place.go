package hookstate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Place says where a working tree and its repository have their files.
type Place struct{ Root, Git, Common string }

func (p Place) cache() string { return filepath.Join(p.Common, "cortex") }

// Table is the file of the table by which memories are recalled: one for each
// working tree, since a view depends on the branch.
func (p Place) Table() string {
	name := "main"
	if p.Git != p.Common {
		name = "worktree-" + filepath.Base(p.Git)
	}
	return filepath.Join(p.cache(), "recall", name)
}

// hasCache reports whether the folders of the cache are there, and are no links.
func (p Place) hasCache() bool {
	for _, folder := range []string{p.cache(), filepath.Dir(p.Table())} {
		if info, err := os.Lstat(folder); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// Find finds the working tree that dir is in by its folder or file .git, if that
// belongs to the user of this process. It is a guess that git may correct.
func Find(dir string) (p Place, ok bool) {
	dir, err := filepath.EvalSymlinks(dir)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	for err == nil {
		git := filepath.Join(dir, ".git")
		if info, e := os.Lstat(git); e == nil {
			p = Place{Root: dir, Git: git, Common: git}
			return p, ours(info) && (info.IsDir() || p.follow())
		}
		above := filepath.Dir(dir)
		if above == dir {
			break
		}
		dir = above
	}
	return p, false
}

// follow reads a file .git, as a linked working tree has it.
func (p *Place) follow() bool {
	line, ok := strings.CutPrefix(firstLine(p.Git), "gitdir: ")
	if !ok {
		return false
	}
	if p.Git = filepath.FromSlash(line); !filepath.IsAbs(p.Git) {
		p.Git = filepath.Join(p.Root, p.Git)
	}
	common := filepath.FromSlash(firstLine(filepath.Join(p.Git, "commondir")))
	if common == "" {
		p.Common = p.Git // a submodule
		return true
	}
	if p.Common = common; !filepath.IsAbs(common) {
		p.Common = filepath.Join(p.Git, common)
	}
	return true
}

// firstLine is the first line of a small file, "" if it has none.
func firstLine(name string) string {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 8<<10 {
		return ""
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimRight(line, "\r")
}

// maxMonths bounds how many folders of memories are looked at.
const maxMonths = 512

// joining reports whether a merge, cherry-pick, revert or rebase is under way, which a hook may
// have to do something about.
func (p Place) joining() bool {
	for _, name := range []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"} {
		if _, err := os.Lstat(filepath.Join(p.Git, name)); err == nil {
			return true
		}
	}
	return false
}

// State returns a fingerprint of the files that the memories of the working tree
// depend on: the branch, the journal, the settings, and the folders of memory files.
// A commit that changes none of them changes no table; the text of a file that was
// edited by hand is taken in when the next prompt is read.
func (p Place) State() string {
	var b strings.Builder
	b.WriteString(firstLine(filepath.Join(p.Git, "HEAD")) + "\n")
	b.WriteString(firstLine(filepath.Join(p.Common, "refs", "cortex", "journal")) + "\n")
	b.WriteString(firstLine(filepath.Join(p.Common, "reftable", "tables.list")) + "\n")
	for _, name := range []string{"packed-refs", "config", "config.worktree", "cortex/spool", "cortex/spool.jsonl"} {
		mark(&b, filepath.Join(p.Common, filepath.FromSlash(name)))
	}
	mark(&b, filepath.Join(p.Root, filepath.FromSlash(ConfigPath)))
	memories := filepath.Join(p.Root, filepath.FromSlash(MemoriesDir))
	left := maxMonths
	for _, kind := range folders(memories) {
		mark(&b, filepath.Join(memories, kind))
		for _, month := range folders(filepath.Join(memories, kind)) {
			if left--; left >= 0 {
				mark(&b, filepath.Join(memories, kind, month))
			}
		}
	}
	return b.String()
}

func folders(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out
}

// mark writes what tells one state of a file or folder from another.
func mark(b *strings.Builder, name string) {
	info, err := os.Lstat(name)
	if err != nil {
		b.WriteString("-\n")
		return
	}
	fmt.Fprintf(b, "%d %d\n", info.Size(), info.ModTime().UnixNano())
}
