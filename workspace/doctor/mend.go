package doctor

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// errLeave is the error of a conflicted file that only its user can mend.
var errLeave = errors.New("left as it is")

// mendConflict writes both sides of a conflicted file back as valid memories:
// one file for one memory, two for two. It does so only where the file is in
// history as it is, so that nothing can be lost. It returns what it did.
func (d *doctor) mendConflict(ctx context.Context, c *workspace.Conflicted, unmerged map[string]bool) (string, error) {
	if unmerged[c.Path] {
		return "", fmt.Errorf("%w: git's merge of it is not finished: edit it, then git add %s", errLeave,
			gitops.Quote(c.Path))
	}
	at, err := d.w.Repo.PathsAt(ctx, "HEAD", []string{c.Path})
	if err != nil {
		return "", err
	}
	if id := at[c.Path]; id == "" || id != d.w.Repo.Hash(c.Data) && id != d.w.Repo.Hash(workspace.NormalEOL(c.Data)) {
		return "", fmt.Errorf("%w: it is not committed, so nothing would keep a copy of it: edit it by hand", errLeave)
	}
	if c.Ours.Memory.ID == c.Theirs.Memory.ID {
		m, err := memory.Merge(c.Base, c.Ours.Memory, c.Theirs.Memory, workspace.TextMerge(ctx, d.w.Repo))
		if err != nil {
			return "", err
		}
		if _, err := d.tree.Write(c.Path, memory.Format(m)); err != nil {
			return "", err
		}
		if m.Contested {
			return "both versions are in " + c.Path +
				", which is contested now: edit it, and remove the line contested", nil
		}
		return "joined both sides in " + c.Path, nil
	}
	return d.splitConflict(c)
}

// splitConflict gives two memories that a merge put into one file a file each. The
// one whose id is in the name of the file stays there.
func (d *doctor) splitConflict(c *workspace.Conflicted) (string, error) {
	stays, moves := c.Ours.Memory, c.Theirs.Memory
	if strings.HasSuffix(c.Path, "-"+moves.ID.Short()+".md") {
		stays, moves = moves, stays
	}
	other := view.MemoryPath(moves.Path())
	if other == c.Path {
		other = path.Dir(c.Path) + "/" + string(moves.ID) + ".md"
	}
	have, there, err := d.tree.Read(other)
	if err != nil {
		return "", err
	}
	if there {
		m, err := memory.Parse(other, have)
		if err != nil || m.ID != moves.ID {
			return "", fmt.Errorf("%w: %s is in the way", errLeave, other)
		}
		// The merge left the memory there too: what this file says of it may
		// be newer, and nothing of either is lost.
		if moves, err = memory.Merge(nil, m, moves,
			func(_, a, b string) (string, bool) { return a, a == b }); err != nil {
			return "", err
		}
	}
	if _, err := d.tree.Write(other, memory.Format(moves)); err != nil {
		return "", err
	}
	if _, err := d.tree.Write(c.Path, memory.Format(stays)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s is in %s, %s in %s", stays.ID.Short(), c.Path, moves.ID.Short(), other), nil
}
