package pages

import (
	"bytes"
	"context"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// State is one page as it stands in the index and in the working tree.
type State struct {
	staged gitops.Entry // without a blob where it is not in the index
	data   []byte
	there  bool
}

func (s State) equal(other State) bool {
	return s.staged == other.staged && s.there == other.there && bytes.Equal(s.data, other.data)
}

// States returns the states of the pages, in the order of [projection.Kinds].
func (p *Set) States(ctx context.Context) ([]State, error) {
	t, err := p.Folder()
	if err != nil {
		return nil, err
	}
	out := make([]State, 0, 3)
	var paths []string
	for _, kind := range projection.Kinds() {
		s := State{staged: gitops.Entry{Path: folder.Dir + "/" + kind.File()}}
		if s.data, s.there, err = t.Read(s.staged.Path); err != nil {
			return nil, err
		}
		out, paths = append(out, s), append(paths, s.staged.Path)
	}
	staged, err := p.Repo.StagingArea().Staged(ctx, paths...)
	for _, e := range staged {
		for i := range out {
			if out[i].staged.Path == e.Path {
				out[i].staged = e
			}
		}
	}
	return out, err
}

// PutBack makes the pages what they were before something landed, if they are as
// that left them.
func (p *Set) PutBack(ctx context.Context, before, after []State) (done bool, err error) {
	now, err := p.States(ctx)
	if err != nil || !slices.EqualFunc(now, after, State.equal) {
		return false, err
	}
	t, err := p.Folder()
	if err != nil {
		return false, err
	}
	var staged []gitops.Entry
	for i, was := range before {
		if was.staged != now[i].staged {
			staged = append(staged, was.staged)
		}
		switch {
		case was.there:
			_, err = t.Write(was.staged.Path, was.data)
		case now[i].there:
			err = t.Remove(was.staged.Path, folder.Dir)
		}
		if err != nil {
			return false, err
		}
	}
	return true, p.Repo.StagingArea().Restage(ctx, staged)
}
