package workspace

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// Conflicted is a memory file in which git's own merge left conflict markers,
// and the two memories that it was made of.
type Conflicted struct {
	Path         string
	Line         int // of the first marker
	Ours, Theirs Entry
	OursName     string // what git wrote behind the markers; may be ""
	TheirsName   string

	Base *memory.Memory // in the diff3 styles; may be nil
	Data []byte
}

// FindConflicted returns the conflicted file of which one side has an id that
// begins with prefix. Like [Workspace.Find], of which it is the answer to
// [ErrNotFound], it knows a file by what the view said of it.
func (w *Workspace) FindConflicted(ctx context.Context, v *View, prefix string) (*Conflicted, error) {
	prefix = strings.ToLower(strings.TrimSpace(prefix))
	for _, p := range v.Problems {
		c, err := w.Conflicted(ctx, v, p)
		if err != nil {
			continue // the view tells what is wrong with it
		}
		for _, side := range []Entry{c.Ours, c.Theirs} {
			if strings.HasPrefix(string(side.Memory.ID), prefix) && memory.IsIDPrefix(prefix) {
				return c, nil
			}
		}
	}
	return nil, fmt.Errorf("%s: %w in this view", prefix, ErrNotFound)
}

// Conflicted takes a file with markers apart. The error of one that has no
// markers is [memory.ErrNoConflict].
func (w *Workspace) Conflicted(ctx context.Context, v *View, p index.Problem) (*Conflicted, error) {
	data, err := v.fileOf(ctx, w.Repo, w.tree, p.Path)
	if err != nil {
		return nil, err
	}
	apart, err := memory.ParseConflict(data)
	if err != nil {
		return nil, err
	}
	ours, err := memory.Parse(p.Path, apart.Ours)
	if err != nil {
		return nil, fmt.Errorf("the side %s: %w", apart.OursName, err)
	}
	theirs, err := memory.Parse(p.Path, apart.Theirs)
	if err != nil {
		return nil, fmt.Errorf("the side %s: %w", apart.TheirsName, err)
	}
	c := &Conflicted{Path: p.Path, Line: apart.Line, OursName: apart.OursName, TheirsName: apart.TheirsName, Data: data}
	c.Ours, c.Theirs = sideEntry(w, p.Path, ours), sideEntry(w, p.Path, theirs)
	if base, err := memory.Parse(p.Path, apart.Base); err == nil && base.ID == ours.ID {
		c.Base = base
	}
	return c, nil
}

func sideEntry(w *Workspace, path string, m *memory.Memory) Entry {
	it := index.Item{Path: path, Stage: index.Landed, Status: memory.StatusContested}
	it.Effective = w.Config.decay().Effective(m, w.Now(), memory.Use{}, 0)
	return Entry{Item: it, Memory: m}
}

// fileOf reads a landed file as the view sees it.
func (v *View) fileOf(ctx context.Context, repo *gitops.Repo, tree *worktree, rel string) (data []byte, err error) {
	if v.rev == "" {
		t, err := tree.folder()
		if err != nil {
			return nil, err
		}
		data, ok, err := t.ReadCapped(rel, 2*memory.MaxFile)
		if err == nil && !ok {
			err = fmt.Errorf("%s: %w", rel, ErrNotFound)
		}
		return data, err
	}
	at, err := repo.PathsAt(ctx, v.rev, []string{rel})
	if err != nil {
		return nil, err
	}
	err = repo.Blobs(ctx, slices.Collect(maps.Values(at)), 2*memory.MaxFile, func(_ gitops.ObjectID, got []byte) error {
		data = got
		return nil
	})
	if err == nil && data == nil {
		err = fmt.Errorf("%s: %w", rel, ErrNotFound)
	}
	return data, err
}
