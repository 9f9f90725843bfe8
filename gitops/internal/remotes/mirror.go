package remotes

import (
	"context"
	"fmt"
	"os"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/history"
)

// Mirror copies all that a remote shows at one of its addresses into a folder, which must be
// empty, through the same door as from any other machine, and returns its history. Nothing
// of the repository changes.
func (m *Remotes) Mirror(ctx context.Context, remote, address, dir string, n gitcmd.Network) (history.Reader, error) {
	args := []string{
		"-c", "core.hooksPath=" + os.DevNull, "clone", "--quiet", "--mirror", "--no-local", "--template=", "--",
	}
	if _, failed := m.Git.Online(ctx, remote, n, append(args, address, dir)); failed != nil {
		return history.Reader{}, fmt.Errorf("copying what it has: %w", failed)
	}
	g := *m.Git
	g.Dir, g.Asked = dir, new(gitcmd.Asked)
	return history.New(&g), nil
}
