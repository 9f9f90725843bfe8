package review

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/places"
	"github.com/git-cortex/cortex/workspace/internal/view"
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
// history of the journal. What none of them knows comes back to the user's own store,
// if that once had it, and is committed there.
func Restore(ctx context.Context, w *workspace.Workspace, prefix string) (Restored, error) {
	prefix = strings.ToLower(strings.TrimSpace(prefix))
	out, err := restore(ctx, w, prefix)
	if !errors.Is(err, workspace.ErrNotFound) || len(prefix) < prefixShort {
		return out, err
	}
	opened := false
	ownErr := w.InGlobal(ctx, false, func(store *workspace.Workspace) (err error) {
		opened = true
		if out, err = restore(ctx, store, prefix); err != nil {
			return err
		}
		return store.Repo.CommitAll(ctx, workspace.Dir, "restore: "+out.Entry.Memory.Title)
	})
	if !opened && !errors.Is(ownErr, workspace.ErrNoGlobal) {
		w.Notice("your own store was not looked at: %v", ownErr)
	}
	if !opened || errors.Is(ownErr, workspace.ErrNotFound) {
		return out, err
	}
	return out, ownErr
}

// prefixShort is how much of an id it takes to look for it in histories.
const prefixShort = 4

func restore(ctx context.Context, w *workspace.Workspace, prefix string) (Restored, error) {
	v, err := w.View(ctx, workspace.ViewOptions{Local: true, Unreviewed: true})
	if err != nil {
		return Restored{}, err
	}
	e, err := v.Find(ctx, prefix)
	if err == nil {
		return Restored{}, fmt.Errorf("%s is not removed: it is at %s", e.Memory.ID.Short(), e.Path)
	}
	if !errors.Is(err, workspace.ErrNotFound) || len(prefix) < prefixShort {
		return Restored{}, err
	}
	kept, err := dismissedCopy(ctx, w, prefix)
	if err != nil {
		return Restored{}, err
	}
	if kept != nil {
		prefix = string(kept.m.ID)
	} else if note, err := w.Note(ctx, prefix); err == nil {
		return promoteNote(ctx, w, note)
	}
	file, err := lastFile(ctx, w, prefix)
	if err != nil {
		return Restored{}, err
	}
	if file != nil {
		return restoreFile(ctx, w, *file, kept)
	}
	if kept == nil {
		kept, err = lastPending(ctx, w, prefix)
	}
	if err != nil {
		return Restored{}, err
	}
	if kept == nil {
		return Restored{}, fmt.Errorf("%s: %w, here or in the history", prefix, workspace.ErrNotFound)
	}
	return restorePending(ctx, w, *kept)
}

// promoteNote makes a pending memory of a note, and writes that into the record of its
// session.
func promoteNote(ctx context.Context, w *workspace.Workspace, note *memory.Memory) (Restored, error) {
	branch := w.Secrets.Branch(ctx, w.Repo.Topic)
	from := ""
	err := w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		path, err := places.New(ctx, snap, branch, note)
		if err != nil {
			return gitops.Change{}, err
		}
		c := gitops.Change{
			Message: "restore: " + note.Title, Trailers: w.Trailers("", branch), When: w.Now(),
			Put: map[string][]byte{path: memory.Format(note)},
		}
		from, err = journal.DecideNote(ctx, snap, &c, note, became(note.ID))
		return c, err
	})
	if err != nil {
		return Restored{}, err
	}
	return restored(ctx, w, lostMemory{m: note, from: from}, index.Pending)
}

// became is the verdict that a note is a memory.
func became(id memory.ID) session.Verdict {
	return session.Verdict{ID: id, Is: session.Became, Note: string(id)}
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
	out := lists.Map(copies, func(c lostMemory) *memory.Memory { return c.m })
	slices.SortFunc(out, func(a, b *memory.Memory) int { return olderFirst(b, a) })
	return out, err
}

func dismissed(ctx context.Context, w *workspace.Workspace, prefix string) ([]lostMemory, error) {
	entries, err := w.Journal.List(ctx, "dismissed")
	if err != nil {
		return nil, err
	}
	entries = lists.Without(entries, func(e gitops.Entry) bool {
		return !strings.HasPrefix(strings.TrimPrefix(e.Path, "dismissed/"), prefix)
	})
	var out []lostMemory
	err = w.Journal.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		if m, err := memory.Parse(e.Path, data); err == nil && journal.DismissedPath(m.ID) == e.Path {
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
// called, on HEAD or else anywhere.
func lastFile(ctx context.Context, w *workspace.Workspace, prefix string) (*lostMemory, error) {
	for _, rev := range []string{"HEAD", ""} {
		found, err := lastVersion(ctx, w, rev, workspace.MemoriesDir+"/**/*.md", prefix)
		if err != nil || found != nil {
			return found, err
		}
	}
	return nil, nil
}

// lastPending returns the memory as it was last in the journal's history, or in
// what a log remembers of a history that it had before.
func lastPending(ctx context.Context, w *workspace.Workspace, prefix string) (*lostMemory, error) {
	short := prefix[:min(len(prefix), len(memory.ID(prefix).Short()))]
	for _, rev := range []string{gitops.JournalRef, ""} {
		for _, pattern := range []string{"pending/**/*-" + short + "*.md", "dismissed/" + short + "*"} {
			found, err := lastVersion(ctx, w, rev, pattern, prefix)
			if err != nil || found != nil {
				return found, err
			}
		}
	}
	return nil, nil
}

// versionsRead is how many commits that touched the line of an id are looked at.
const versionsRead = 50

// lastVersion returns the memory as the newest commit of rev had it that knew it.
// The newest commit that touched the line with its id tells the path: it brought the
// memory there, or took it away, be it by removing the file or by writing another
// memory into it.
func lastVersion(ctx context.Context, w *workspace.Workspace, rev, pattern, prefix string) (*lostMemory, error) {
	versions, err := w.Repo.History().Versions(ctx, rev, []string{pattern}, "^id: "+prefix, versionsRead)
	if err != nil || len(versions) == 0 {
		return nil, err
	}
	known, err := memoriesIn(ctx, w, versions, prefix)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(versions, func(v gitops.Version) bool {
		return known[v.Before] != nil ||
			known[v.Blob] != nil
	})
	if i < 0 {
		return nil, nil
	}
	touched := versions[i]
	found := known[touched.Blob]
	from := string(touched.Commit)[:12]
	if found == nil {
		found, from = known[touched.Before], from+"^"
	}
	found.path, found.from = touched.Path, from+":"+touched.Path
	if strings.ContainsAny(touched.Path, `*?[\`) {
		return found, nil
	}
	there, err := w.Repo.History().Versions(ctx, rev, []string{touched.Path}, "", versionsRead)
	if err != nil {
		return nil, err
	}
	if known, err = memoriesIn(ctx, w, there, string(found.m.ID)); err != nil {
		return nil, err
	}
	for _, v := range there {
		if newest := known[v.Blob]; newest != nil {
			newest.path, newest.from = v.Path, string(v.Commit)[:12]+":"+v.Path
			return newest, nil
		}
	}
	return found, nil
}

// memoriesIn reads the memories of which versions speak, by their blobs: those
// whose id begins with prefix. Several ids are [workspace.ErrAmbiguous].
func memoriesIn(ctx context.Context, w *workspace.Workspace, versions []gitops.Version,
	prefix string,
) (map[gitops.ObjectID]*lostMemory, error) {
	var blobs []gitops.ObjectID
	for _, v := range versions {
		for _, b := range []gitops.ObjectID{v.Blob, v.Before} {
			if b != "" && !slices.Contains(blobs, b) {
				blobs = append(blobs, b)
			}
		}
	}
	known := map[gitops.ObjectID]*lostMemory{}
	var id memory.ID
	err := w.Repo.Blobs(ctx, blobs, memory.MaxFile, func(blob gitops.ObjectID, data []byte) error {
		m, err := memory.Parse("a version", data)
		if err != nil || !strings.HasPrefix(string(m.ID), prefix) {
			return nil //nolint:nilerr // another memory, or none
		}
		if id != "" && m.ID != id {
			return fmt.Errorf("%s: %w: type more of it", prefix, workspace.ErrAmbiguous)
		}
		known[blob], id = &lostMemory{m: m, data: data}, m.ID
		return nil
	})
	return known, err
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
	own := view.MemoryPath(file.m.Path())
	paths := []string{file.path, own, places.Long(own, file.m.ID)}
	free := func(path string) bool { return isMemoryPath(path) && isFree(t, path) }
	i := slices.IndexFunc(paths, free)
	if i < 0 {
		return Restored{}, fmt.Errorf("restoring %s: a different file is at %s", file.m.ID.Short(), file.path)
	}
	if err := writeMemory(ctx, w, paths[i], file.data); err != nil {
		return Restored{}, err
	}
	if kept != nil {
		if err := undismiss(ctx, w, file.m); err != nil {
			return Restored{}, err
		}
	}
	return restored(ctx, w, file, index.Landed)
}

func isMemoryPath(path string) bool {
	return memory.ValidPath(path) && strings.HasPrefix(path, workspace.MemoriesDir+"/")
}

// isFree reports whether a file can be written at a path without losing anything.
func isFree(t workspace.Folder, path string) bool {
	have, there, err := t.Read(path)
	return err == nil && (!there || len(bytes.TrimSpace(have)) == 0)
}

func restorePending(ctx context.Context, w *workspace.Workspace, old lostMemory) (Restored, error) {
	branch := w.Secrets.Branch(ctx, w.Repo.Topic)
	err := w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		path, err := places.New(ctx, snap, branch, old.m)
		return gitops.Change{
			Message: "restore: " + old.m.Title, Trailers: w.Trailers("", branch), When: w.Now(),
			Put:    map[string][]byte{path: old.data},
			Remove: []string{journal.DismissedPath(old.m.ID)},
		}, err
	})
	if err != nil {
		return Restored{}, err
	}
	return restored(ctx, w, old, index.Pending)
}

// restored reads the memory again and says where it is now. Bringing it back is a use of
// it: one that was archived is not archived again at once.
func restored(ctx context.Context, w *workspace.Workspace, old lostMemory, stage index.Stage) (Restored, error) {
	e, err := find(ctx, w, old.m.ID)
	if err != nil {
		return Restored{From: old.from}, err
	}
	inPlace := e.Stage == stage || e.Stage == index.Global // as files of the user's own store are
	if !inPlace {
		return Restored{e, old.from}, fmt.Errorf("restoring %s: it is %s", old.m.ID.Short(), e.Stage)
	}
	if e.Status == memory.StatusArchived {
		w.NoteRecalled(ctx, e)
		if again, err := find(ctx, w, old.m.ID); err == nil {
			e = again
		}
	}
	return Restored{e, old.from}, nil
}

// find looks a memory up in a new view.
func find(ctx context.Context, w *workspace.Workspace, id memory.ID) (workspace.Entry, error) {
	v, err := w.View(ctx, workspace.ViewOptions{Local: true, Unreviewed: true})
	if err != nil {
		return workspace.Entry{}, err
	}
	return v.Find(ctx, string(id))
}
