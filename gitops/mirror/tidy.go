package mirror

import (
	"context"
	"path/filepath"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// maxPacks is how many packs a mirror has at most: each fetch and each reading of files may leave one.
const maxPacks = 24

// tidy makes few packs of many. All that they hold stays, since no git knows what was left at the remote on purpose,
// and nothing is fetched. The mirror is as good without it, so a failure is none: whatever is damaged is found by who
// reads it.
func (m *Mirror) tidy(ctx context.Context, repo string) {
	packs, _ := filepath.Glob(filepath.Join(m.path(repo), "objects", "pack", "*.pack"))
	if len(packs) <= maxPacks {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, m.opt.Time)
	defer cancel()
	env := settingsEnv([][2]string{
		{"core.fsync", "all"}, {"pack.threads", "1"}, {"remote." + remote + ".promisor", "true"},
	})
	args := []string{"repack", "-a", "-d", "--quiet", "--no-write-bitmap-index"}
	_, _ = m.in(repo).Run(ctx, gitcmd.Command{Args: args, Env: env})
}
