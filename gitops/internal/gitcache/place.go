package gitcache

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Place says where a working tree and its repository have their files.
type Place struct{ Root, Git, Common string }

func (p Place) cache() string { return filepath.Join(p.Common, "cortex") }

// find finds the working tree that dir is in as git would, by its folder or file .git.
// Wherever git would look at more than that, nothing is found.
func find(dir string) (p Place, ok bool) {
	for {
		git := filepath.Join(dir, ".git")
		if info, err := os.Lstat(git); err == nil {
			p = Place{Root: dir, Git: git, Common: git}
			ok := info.IsDir() || info.Mode().IsRegular() && p.follow()
			return p, ok && p.whole() && ours(dir) && ours(git) && ours(p.Git)
		}
		if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err == nil {
			return p, false // it may be a bare repository
		}
		above := filepath.Dir(dir)
		if above == dir {
			return p, false
		}
		dir = above
	}
}

// whole reports whether git would take the folders for a repository.
func (p Place) whole() bool {
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(p.Common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// follow reads a file .git, as a linked working tree has it.
func (p *Place) follow() bool {
	line, ok := strings.CutPrefix(line(p.Git), "gitdir: ")
	if !ok {
		return false
	}
	p.Git = absolute(p.Root, line)
	p.Common = p.Git // as of a submodule
	if common, err := os.ReadFile(filepath.Join(p.Git, "commondir")); err == nil {
		p.Common = absolute(p.Git, strings.TrimRight(string(common), "\r\n"))
	} else if !os.IsNotExist(err) {
		return false
	}
	return true
}

func absolute(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// line is a file of one line without its end, "" if it is none.
func line(name string) string {
	data, err := os.ReadFile(name)
	if text := strings.TrimRight(string(data), "\r\n"); err == nil && len(text) < 8<<10 && !strings.ContainsAny(text, "\r\n") {
		return text
	}
	return ""
}

// head is the branch that HEAD points to, and all that its commit depends on. Names of refs other than branches are left
// to git, and so is HEAD without a branch and a branch without a commit.
func (p Place) head() (branch, state string, ok bool) {
	ref, ok := strings.CutPrefix(line(filepath.Join(p.Git, "HEAD")), "ref: ")
	if !ok || !strings.HasPrefix(ref, "refs/heads/") || strings.HasSuffix(ref, "/.invalid") {
		return "", "", false // the last is a stub, as with reftable
	}
	name := filepath.Join(p.Common, filepath.FromSlash(ref))
	if commit, err := os.ReadFile(name); err == nil {
		return ref, string(commit), !strings.HasPrefix(string(commit), "ref:")
	} else if !os.IsNotExist(err) {
		return "", "", false
	}
	packed := filepath.Join(p.Common, "packed-refs")
	info, err := os.Lstat(packed)
	if err != nil || !info.Mode().IsRegular() {
		return "", "", false
	}
	return ref, fmt.Sprintf("%d %d %d\n", info.Size(), info.ModTime().UnixNano(), inode(info)), true
}
