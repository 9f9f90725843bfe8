package ui

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
	"github.com/git-cortex/cortex/workspace/review"
)

type memoryPage struct {
	Entry   workspace.Entry
	Names   []string // that it mentions, with what they stand for
	Around  *explore.Relatives
	Log     []explore.LogEntry
	Anchors []anchored
}

// anchored is a file that a memory is about: as it was when the memory was learned
// and as it is in the working tree.
type anchored struct {
	Path, Then, Now string // ids of the content; Now is "" for a file that is not there
	Same            bool
}

// Bounds of what is shown around a memory.
const (
	relativesShown = 12
	historyShown   = 20
)

// memory shows one memory, and what is around it.
func (v *visit) memory(ctx context.Context) (*page, error) {
	view, err := v.View(ctx, workspace.ViewOptions{})
	if err != nil {
		return nil, err
	}
	entry, err := view.Find(ctx, v.req.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if !v.req.URL.Query().Has("glance") { // as a key passes it in a list
		v.NoteRecalled(ctx, entry)
	}
	id := string(entry.Memory.ID)
	shown := explore.Show(ctx, v.Workspace, entry)
	data := memoryPage{Entry: entry, Names: shown.Names()}
	if data.Around, err = explore.Related(ctx, v.Workspace, id, 1, relativesShown,
		workspace.ViewOptions{}); err != nil {
		return nil, err
	}
	if data.Log, _, err = explore.Log(ctx, v.Workspace, id, historyShown); err != nil {
		return nil, err
	}
	if tree, err := v.Tree(); err == nil {
		for _, a := range entry.Memory.Anchors {
			now, _ := tree.Blob(a.Path)
			data.Anchors = append(data.Anchors,
				anchored{Path: a.Path, Then: a.Blob, Now: now, Same: now != "" && strings.HasPrefix(now, a.Blob)})
		}
	}
	return &page{Name: "memory", Title: entry.Memory.Title, Data: data, JSON: asJSON(shown)}, nil
}

// forget removes a memory, if it is as the person saw it.
func (v *visit) forget(ctx context.Context) (string, error) {
	id := v.req.PostFormValue("id")
	view, err := v.View(ctx, workspace.ViewOptions{})
	if err != nil {
		return "", err
	}
	seen, err := view.Find(ctx, id)
	if err != nil {
		return "", err
	}
	if seen.Blob != v.req.PostFormValue("blob") {
		return "", fmt.Errorf("%s: %w", seen.Memory.ID.Short(), review.ErrMovedOn)
	}
	out, err := v.Forget(ctx, id)
	if err != nil {
		return "", err
	}
	v.server.undo.say(v.Repo.Root,
		"Forgot “"+out.Entry.Memory.Title+"”. cortex restore "+out.Entry.Memory.ID.Short()+" brings it back.")
	return "memories", nil
}
