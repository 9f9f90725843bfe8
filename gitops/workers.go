package gitops

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/locks"
)

// Worker is another cortex that runs in a working tree of the repository.
type Worker struct {
	PID     int
	Command string // such as "mcp"; "" where it has none
}

// Workers lists those of a repository: hooks, servers and commands of agents and people. Only Linux
// tells; elsewhere there are none to name.
func Workers(r *Repo) []Worker {
	var all []Worker
	for _, pid := range locks.Processes() {
		args, _, ok := locks.Process(pid)
		if !ok || pid == os.Getpid() || len(args) == 0 ||
			strings.TrimSuffix(filepath.Base(args[0]), ".exe") != "cortex" {
			continue
		}
		if isIn(r, locks.Folder(pid)) {
			w := Worker{PID: pid}
			if i := slices.IndexFunc(args[1:], func(a string) bool { return !strings.HasPrefix(a, "-") }); i >= 0 {
				w.Command = args[1+i]
			}
			all = append(all, w)
		}
	}
	return all
}

// isIn reports whether a folder is in a working tree of the repository, or in its git
// folder.
func isIn(r *Repo, dir string) bool {
	if dir == "" {
		return false
	}
	for at := dir; ; at = filepath.Dir(at) {
		if at == r.CommonDir || at == r.Root {
			return true
		}
		git := filepath.Join(at, ".git")
		if info, err := os.Lstat(git); err == nil {
			return leadsTo(r, git, info)
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// leadsTo reports whether the .git of a working tree leads to the repository: a folder that is
// its own, or a file that names one of its working trees.
func leadsTo(r *Repo, git string, info os.FileInfo) bool {
	if info.IsDir() {
		return sameFile(git, r.CommonDir)
	}
	data, err := os.ReadFile(git)
	name, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
	if err != nil || !ok {
		return false
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(git), name)
	}
	rel, err := filepath.Rel(r.CommonDir, filepath.Clean(name))
	return err == nil && filepath.IsLocal(rel)
}
