package view

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
// begins with prefix. Like [View.Find], of which it is the answer to
// [ErrNotFound], it knows a file by what the view said of it.
func (r *Reader) FindConflicted(ctx context.Context, v *View, prefix string) (*Conflicted, error) {
	prefix = strings.ToLower(strings.TrimSpace(prefix))
	for _, p := range v.Problems {
		c, err := r.Conflicted(ctx, v, p)
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
func (r *Reader) Conflicted(ctx context.Context, v *View, p index.Problem) (*Conflicted, error) {
	data, err := r.fileOf(ctx, v, p.Path)
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
	c := &Conflicted{
		Path: p.Path, Line: apart.Line, OursName: apart.OursName, TheirsName: apart.TheirsName, Data: data,
		Ours: r.side(p.Path, ours), Theirs: r.side(p.Path, theirs),
	}
	if base, err := memory.Parse(p.Path, apart.Base); err == nil && base.ID == ours.ID {
		c.Base = base
	}
	return c, nil
}

// side is one side of a conflict as an entry.
func (r *Reader) side(path string, m *memory.Memory) Entry {
	it := index.Item{Path: path, Stage: index.Landed, Status: memory.StatusContested}
	it.Effective = r.Fading.Effective(m, r.Now(), memory.Use{}, 0)
	return Entry{Item: it, Memory: m}
}

// fileOf reads a landed file as the view sees it.
func (r *Reader) fileOf(ctx context.Context, v *View, rel string) ([]byte, error) {
	data, ok, err := r.contents(ctx, v, rel)
	if err == nil && !ok {
		err = fmt.Errorf("%s: %w", rel, ErrNotFound)
	}
	return data, err
}

func (r *Reader) contents(ctx context.Context, v *View, rel string) (data []byte, ok bool, err error) {
	if v.OfWorktree() {
		t, err := r.Tree.Folder()
		if err != nil {
			return nil, false, err
		}
		return t.ReadCapped(rel, 2*memory.MaxFile)
	}
	at, err := r.Repo.PathsAt(ctx, v.source.rev, []string{rel})
	if err != nil {
		return nil, false, err
	}
	blobs := slices.Collect(maps.Values(at))
	err = r.Repo.Blobs(ctx, blobs, 2*memory.MaxFile, func(_ gitops.ObjectID, got []byte) error {
		data = got
		return nil
	})
	return data, data != nil, err
}
