package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Restored says what came back, and from where.
type Restored struct {
	Entry workspace.Entry // as it is now
	From  string          // the commit or journal path that still had it
}

// Restore brings a removed memory back, by its id or the beginning of one. What
// was a file once becomes that file again, unstaged like any other edit; what
// was only ever pending is pending for the current branch. It looks at what was
// refused or forgotten, at the history of HEAD, of all branches and of the logs
// of refs, which reach back 90 days unless git is told otherwise, and at the
// history of the journal.
func Restore(ctx context.Context, w *workspace.Workspace, prefix string) (Restored, error) {
	prefix = strings.ToLower(strings.TrimSpace(prefix))
	v, err := w.View(ctx, workspace.ViewOptions{Local: true})
	if err != nil {
		return Restored{}, err
	}
	if e, err := v.Find(ctx, prefix); err == nil {
		return Restored{}, fmt.Errorf("%s is not removed: it is at %s", e.Memory.ID.Short(), e.Path)
	} else if !errors.Is(err, workspace.ErrNotFound) || len(prefix) < 4 {
		return Restored{}, err
	}
	kept, err := dismissedCopy(ctx, w, prefix)
	if err != nil {
		return Restored{}, err
	}
	if kept != nil {
		prefix = string(kept.m.ID)
	}
	file, err := lastFile(ctx, w, prefix)
	if err != nil {
		return Restored{}, err
	}
	if file != nil && kept != nil && file.m.ID != kept.m.ID {
		return Restored{}, fmt.Errorf("%s: %w: type more of it", prefix, workspace.ErrAmbiguous)
	}
	switch {
	case file != nil:
		return restoreFile(ctx, w, *file, kept)
	case kept == nil:
		if kept, err = lastPending(ctx, w, prefix); err != nil {
			return Restored{}, err
		}
	}
	if kept == nil {
		return Restored{}, fmt.Errorf("%s: %w, here or in the history", prefix, workspace.ErrNotFound)
	}
	return restorePending(ctx, w, *kept)
}

// lostMemory is a memory as it was before it was removed.
type lostMemory struct {
	m    *memory.Memory
	data []byte
	path string
	from string // where it was found
}

// Dismissed returns the memories that were refused or forgotten, newest first.
func Dismissed(ctx context.Context, w *workspace.Workspace) ([]*memory.Memory, error) {
	copies, err := dismissed(ctx, w, "")
	var out []*memory.Memory
	for _, c := range copies {
		out = append(out, c.m)
	}
	slices.SortFunc(out, func(a, b *memory.Memory) int { return olderFirst(b, a) })
	return out, err
}

func dismissed(ctx context.Context, w *workspace.Workspace, prefix string) ([]lostMemory, error) {
	snap, err := w.Journal(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := snap.List(ctx, "dismissed")
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(e gitops.Entry) bool {
		return !strings.HasPrefix(strings.TrimPrefix(e.Path, "dismissed/"), prefix)
	})
	var out []lostMemory
	err = snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		if m, err := memory.Parse(e.Path, data); err == nil && workspace.DismissedPath(m.ID) == e.Path {
			out = append(out, lostMemory{m, data, e.Path, gitops.JournalRef + ":" + e.Path})
		}
		return nil
	})
	return out, err
}

func dismissedCopy(ctx context.Context, w *workspace.Workspace, prefix string) (*lostMemory, error) {
	copies, err := dismissed(ctx, w, prefix)
	switch {
	case err != nil || len(copies) == 0:
		return nil, err
	case len(copies) > 1:
		return nil, fmt.Errorf("%s: %w: type more of it", prefix, workspace.ErrAmbiguous)
	}
	return &copies[0], nil
}

// lastFile returns the memory as the newest commit had it, whatever its file was
// called: the commit that brought it there added the line with its id.
func lastFile(ctx context.Context, w *workspace.Workspace, prefix string) (*lostMemory, error) {
	for _, rev := range []string{"HEAD", ""} {
		v, ok, err := w.Repo.History().LastVersion(ctx, rev, []string{workspace.MemoriesDir + "/**/*.md"}, "^id: "+prefix)
		if err != nil {
			return nil, err
		}
		if !ok || strings.ContainsAny(v.Path, `*?[\`) {
			continue
		}
		found, err := versionOf(ctx, w, rev, v.Path, prefix)
		if err != nil || found != nil {
			return found, err
		}
	}
	return nil, nil
}

// lastPending returns the memory as it was last in the journal's history.
func lastPending(ctx context.Context, w *workspace.Workspace, prefix string) (*lostMemory, error) {
	short := prefix[:min(len(prefix), len(memory.ID(prefix).Short()))]
	found, err := versionOf(ctx, w, gitops.JournalRef, "pending/**/*-"+short+"*.md", prefix)
	if err != nil || found != nil {
		return found, err
	}
	return versionOf(ctx, w, gitops.JournalRef, "dismissed/"+short+"*", prefix)
}

func versionOf(ctx context.Context, w *workspace.Workspace, rev, pattern, prefix string) (*lostMemory, error) {
	v, ok, err := w.Repo.History().LastVersion(ctx, rev, []string{pattern}, "")
	if err != nil || !ok {
		return nil, err
	}
	var found *lostMemory
	err = w.Repo.Blobs(ctx, []gitops.ObjectID{v.Blob}, memory.MaxFile, func(_ gitops.ObjectID, data []byte) error {
		if m, err := memory.Parse(v.Path, data); err == nil && strings.HasPrefix(string(m.ID), prefix) {
			found = &lostMemory{m, data, v.Path, string(v.Commit)[:12] + ":" + v.Path}
		}
		return nil
	})
	return found, err
}

// restoreFile writes the file again. The copy that was kept when it was
// forgotten may be newer than the last commit.
func restoreFile(ctx context.Context, w *workspace.Workspace, file lostMemory, kept *lostMemory) (Restored, error) {
	t, err := w.Tree()
	if err != nil {
		return Restored{}, err
	}
	if kept != nil && kept.m.Updated.After(file.m.Updated) {
		newer := *kept
		newer.path = file.path
		file = newer
	}
	path := ""
	for _, p := range []string{file.path, workspace.MemoryPath(file.m.Path())} {
		if !memory.ValidPath(p) || !strings.HasPrefix(p, workspace.MemoriesDir+"/") {
			continue
		}
		if _, there, err := t.Read(p); err == nil && !there {
			path = p
			break
		}
	}
	if path == "" {
		return Restored{}, fmt.Errorf("restoring %s: a different file is at %s", file.m.ID.Short(), file.path)
	}
	if err := writeMemory(ctx, w, path, file.data); err != nil {
		return Restored{}, err
	}
	if kept != nil {
		if err := undismiss(ctx, w, file.m); err != nil {
			return Restored{}, err
		}
	}
	return restored(ctx, w, file, index.Landed)
}

func restorePending(ctx context.Context, w *workspace.Workspace, old lostMemory) (Restored, error) {
	branch := w.JournalBranch(ctx, w.Repo.Topic)
	err := w.Update(ctx, func(*gitops.Snapshot) (gitops.Change, error) {
		return gitops.Change{
			Message: "restore: " + old.m.Title, Trailers: w.Trailers("", branch), When: w.Now(),
			Put:    map[string][]byte{gitops.PendingPrefix(branch) + "/" + old.m.Path(): old.data},
			Remove: []string{workspace.DismissedPath(old.m.ID)},
		}, nil
	})
	if err != nil {
		return Restored{}, err
	}
	return restored(ctx, w, old, index.Pending)
}

// restored reads the memory again and says where it is now.
func restored(ctx context.Context, w *workspace.Workspace, old lostMemory, stage index.Stage) (Restored, error) {
	v, err := w.View(ctx, workspace.ViewOptions{Local: true})
	if err != nil {
		return Restored{}, err
	}
	e, err := v.Find(ctx, string(old.m.ID))
	if err == nil && e.Stage != stage {
		err = fmt.Errorf("restoring %s: it is %s", old.m.ID.Short(), e.Stage)
	}
	return Restored{Entry: e, From: old.from}, err
}
