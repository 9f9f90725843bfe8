package gitops

import (
	"context"
	"fmt"
	"os"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/history"
)

// Mirror copies all that a remote shows at one of its addresses into a folder, which must be empty, through the same
// door as from any other machine, and returns its history. Nothing of the repository
// changes.
func (m *Remotes) Mirror(ctx context.Context, remote, address, dir string, n Network) (History, error) {
	args := []string{
		"-c", "core.hooksPath=" + os.DevNull, "clone", "--quiet", "--mirror", "--no-local", "--template=", "--",
	}
	if _, failed := m.git.Online(ctx, remote, n, append(args, address, dir)); failed != nil {
		return History{}, fmt.Errorf("copying what it has: %w", failed)
	}
	g := *m.git
	g.Dir, g.Asked = dir, new(gitcmd.Asked)
	return history.New(&g), nil
}
