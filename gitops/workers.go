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
		args, _, _ := locks.Process(pid) // none where the system does not tell
		if pid != os.Getpid() && isCortex(args) && isIn(r, locks.Folder(pid)) {
			all = append(all, Worker{PID: pid, Command: subcommand(args[1:])})
		}
	}
	return all
}

func isCortex(args []string) bool {
	return len(args) > 0 && strings.TrimSuffix(filepath.Base(args[0]), ".exe") == "cortex"
}

// subcommand is the first argument that is no flag; "" for none.
func subcommand(args []string) string {
	i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	if i < 0 {
		return ""
	}
	return args[i]
}

// isIn reports whether a folder is in a working tree of the repository, or in its git
// folder.
func isIn(r *Repo, dir string) bool {
	if dir == "" {
		return false
	}
	if _, in := Below(r.CommonDir, dir); in {
		return true
	}
	w, ok := FindWorktree(dir)
	return ok && w.Common == r.CommonDir
}
