package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/notices"
)

// ErrNoStray is returned for a branch that is there, or for which nothing waits.
var ErrNoStray = errors.New("no deleted branch of that name has pending memories")

// Rehome makes what waits for a branch that is gone pending for another one:
// to, or, when that is "", the branch it was renamed to, or the current one. It
// is one commit of the journal.
func Rehome(ctx context.Context, w *workspace.Workspace, from, to string) (Decision, error) {
	gone, err := w.Views.GoneBranches(ctx)
	if err != nil {
		return Decision{}, err
	}
	i := slices.IndexFunc(gone, func(s workspace.GoneBranch) bool {
		return s.Branch == from ||
			s.Branch == w.Secrets.Branch(ctx, from)
	})
	if i < 0 {
		return Decision{}, fmt.Errorf("%s: %w", from, ErrNoStray)
	}
	return rehome(ctx, w, gone[i], to)
}

func rehome(ctx context.Context, w *workspace.Workspace, s workspace.GoneBranch, to string) (Decision, error) {
	to = cmp.Or(to, s.Renamed, w.Repo.Topic)
	if to == "" {
		return Decision{}, errors.New("HEAD is detached: switch to the branch that the memories are for")
	}
	branch := w.Secrets.Branch(ctx, to)
	known, err := w.Views.KnownBranches(ctx)
	if err != nil {
		return Decision{}, err
	}
	if !known[branch] {
		return Decision{}, fmt.Errorf("%s: %w: there is no such branch to move memories to", to, gitops.ErrNoRevision)
	}
	moved := map[string]gitops.Entry{} // new path to what was there
	message := fmt.Sprintf("rehome: %s from %s to %s", notices.Memories(len(s.Entries)), s.Branch, branch)
	err = w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{Message: message, When: w.Now(), Trailers: w.Trailers("", branch), Put: map[string][]byte{}}
		clear(moved)
		return c, snap.Read(ctx, s.Entries, func(e gitops.Entry, data []byte) error {
			path := gitops.PendingPrefix(branch) + strings.TrimPrefix(e.Path, gitops.PendingPrefix(s.JournalName()))
			there, _, err := snap.File(ctx, e.Path)
			if err != nil || w.Repo.Hash(there) != e.Blob || data == nil {
				return err // it moved on since it was looked at
			}
			if _, taken, err := snap.File(ctx, path); err != nil || taken {
				return err
			}
			c.Put[path], moved[path] = data, e
			c.Remove = append(c.Remove, e.Path)
			return nil
		})
	})
	d := Decision{Verb: Moved, Count: len(moved), From: s.Branch, Branch: to}
	d.undo = func(ctx context.Context) error { return moveBack(ctx, w, moved) }
	return d, err
}

// moveBack undoes a rehoming, as far as the memories are where it put them.
func moveBack(ctx context.Context, w *workspace.Workspace, moved map[string]gitops.Entry) error {
	return w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{Message: "rehome: taken back", When: w.Now(), Put: map[string][]byte{}}
		for path, old := range moved {
			data, ok, err := snap.File(ctx, path)
			if err != nil {
				return c, err
			}
			if ok {
				c.Put[old.Path] = data
				c.Remove = append(c.Remove, path)
			}
		}
		return c, nil
	})
}
