package review

import (
	"context"
	"errors"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// ErrMutes is returned where an agent would mute a memory, or have it told again.
var ErrMutes = errors.New("an agent mutes no memory")

// Muted returns the memories that are muted in this clone and still there.
func Muted(ctx context.Context, w *workspace.Workspace) []workspace.Entry {
	out := []workspace.Entry{}
	for _, id := range workspace.Muted(ctx, w.Repo) {
		if e, err := told(ctx, w, string(id)); err == nil {
			out = append(out, e)
		}
	}
	return out
}

// told is the memory whose id begins with prefix, or the note: a briefing may show the plan of one.
func told(ctx context.Context, w *workspace.Workspace, prefix string) (workspace.Entry, error) {
	r, err := Lookup(ctx, w, prefix)
	if !errors.Is(err, workspace.ErrNotFound) {
		return r.Entry, err
	}
	note, err := w.Note(ctx, prefix)
	if err != nil {
		return workspace.Entry{}, err
	}
	return workspace.NoteEntry(note), nil
}

// Mute has no session of this clone told of the memories that some prefixes name any more, or
// told again if off is set. It returns them.
func Mute(ctx context.Context, w *workspace.Workspace, prefixes []string, off bool) ([]workspace.Entry, error) {
	if w.ByAgent() {
		return nil, ErrMutes
	}
	var found []workspace.Entry
	ids := workspace.Muted(ctx, w.Repo)
	for _, prefix := range prefixes {
		e, err := told(ctx, w, prefix)
		if err != nil {
			return nil, err
		}
		found = append(found, e)
		ids = lists.Without(ids, func(id memory.ID) bool { return id == e.Memory.ID })
		if !off {
			ids = append(ids, e.Memory.ID)
		}
	}
	words := lists.Map(ids, func(id memory.ID) string { return string(id) })
	return found, w.Repo.LocalConfig().Edit(ctx,
		gitops.Setting{Key: workspace.MuteSetting, Value: strings.Join(words, " ")})
}
