package purge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
)

// Remotes looks through all that the remotes of the clone show, in a new copy of each that is
// removed again, and adds what has the text. A remote that does not answer is said to be
// unseen. It uses the network.
func (p *Places) Remotes(ctx context.Context, w *workspace.Workspace, n gitops.Network) error {
	for _, host := range p.hosts {
		addresses, err := w.Repo.Remotes().Addresses(ctx, host)
		if err != nil {
			return err
		}
		for _, address := range addresses {
			err := p.remote(ctx, w, host, address, n)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				p.Unseen = append(p.Unseen, fmt.Sprintf("the remote %s, which could not be read: %s",
					p.masked(host), p.masked(err.Error())))
				continue
			}
			p.Proved = append(p.Proved, p.masked(host))
		}
	}
	return nil
}

func (p *Places) remote(ctx context.Context, w *workspace.Workspace, host, address string, n gitops.Network) error {
	dir, err := os.MkdirTemp("", "cortex-purge-")
	if err != nil {
		return fmt.Errorf("making a folder for it: %w", err)
	}
	defer os.RemoveAll(dir)
	h, err := w.Repo.Remotes().Mirror(ctx, host, address, filepath.Join(dir, "mirror"), n)
	if err != nil {
		return err
	}
	found, err := inspect(ctx, h, p.pattern)
	if err != nil {
		return err
	}
	refs, err := found.holding(ctx, h)
	if err != nil {
		return err
	}
	refs = append(refs, found.namedFor(p.pattern)...)
	slices.Sort(refs)
	for _, ref := range refs {
		p.add(Mirror, host+" "+ref, "")
	}
	if len(refs) == 0 && found.inObjects() {
		p.add(Mirror, host, "")
	}
	return nil
}
