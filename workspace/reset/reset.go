// Package reset clears what Cortex knows of a project, and brings it back. Call [Reset]
// and [Undo].
//
// It promises that everything it takes away is in a snapshot first, which only a person
// deletes; that what other clones brought stays, unless it is asked for; that what arrives
// meanwhile stays; that sessions which were read are not read again; and that HEAD, the
// index and the settings of the user stay as they are.
package reset

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
)

// Options say what to clear.
type Options struct {
	Project  bool // landed memories of the working tree, session records and refusals too
	Received bool // what other clones brought too: a sync takes it from them
	DryRun   bool // change nothing, and count
}

// Done says what a reset took away, or would take, and an undo brought back.
type Done struct {
	Snapshot string   `json:"snapshot"` // the ref that holds it; "" in a dry run, and when there was nothing
	Pending  int      `json:"pending"`  // memories on the journal
	Landed   int      `json:"landed"`   // memory files in the working tree
	Sessions int      `json:"sessions"` // session records that were emptied, or came back
	Other    int      `json:"other"`    // further files of the journal: counters and refusals
	Kept     int      `json:"kept"`     // pending memories that other clones brought, and that stay
	Files    []string `json:"files"`    // in the working tree
	Project  bool     `json:"project"`
	DryRun   bool     `json:"dry_run"`
}

// Empty reports whether there was nothing to do.
func (d *Done) Empty() bool { return d.Pending+d.Landed+d.Sessions+d.Other == 0 }

// ErrNoSnapshot is an undo without a reset before it.
var ErrNoSnapshot = errors.New("there is no such snapshot")

// Reset takes away what is pending and how often memories were recalled, for all
// branches, and with Project everything else that Cortex knows of this project.
// Memories that other branches or commits hold stay there. So does what other clones
// brought: the next sync would take it from them. With Received that goes too.
func Reset(ctx context.Context, w *workspace.Workspace, opt Options) (Done, error) {
	out := Done{Project: opt.Project, DryRun: opt.DryRun, Files: []string{}}
	if err := w.Journal.Writable(ctx); err != nil {
		return out, err
	}
	if err := settle(ctx, w, opt.DryRun); err != nil {
		return out, err
	}
	journal, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return out, err
	}
	change, err := out.journalChange(ctx, w, journal, opt.Received)
	if err != nil {
		return out, err
	}
	if err := out.countFiles(ctx, w); err != nil {
		return out, err
	}
	if opt.DryRun {
		err := out.countRecalls(ctx, w, journal)
		return out, err
	}
	if out.Empty() {
		return out, nil
	}
	dir := "" // undoing must not bring files that were not taken: another branch may be checked out by then
	if opt.Project {
		dir = workspace.Dir
	}
	kept, err := w.Repo.Keep(ctx, dir, journal.Commit(), gitops.BeforeReset, w.Now())
	if err != nil {
		return out, err
	}
	out.Snapshot = kept.Ref
	change.When = w.Now()
	change.Message = "reset: kept as " + kept.Ref
	err = w.Journal.Update(ctx, func(now *gitops.Snapshot) (gitops.Change, error) {
		return stillThere(ctx, journal, now, change)
	})
	if err != nil {
		return out, err
	}
	return out, out.removeFiles(ctx, w)
}

// settle writes to the journal what was waiting for that: spooled changes and, unless
// dry, recalls that are not counted yet.
func settle(ctx context.Context, w *workspace.Workspace, dry bool) error {
	if dry {
		return w.Journal.Update(ctx, func(*gitops.Snapshot) (gitops.Change, error) { return gitops.Change{}, nil })
	}
	counts, done := w.Diary.TakeRecalls()
	err := w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{Message: "access: counted before a reset", When: w.Now(), Put: map[string][]byte{}}
		return c, w.PutRecalls(ctx, snap, &c, counts)
	})
	done(err == nil)
	return err
}

// countRecalls counts the file of recalls that [settle] would have written, had it not been a dry run.
func (d *Done) countRecalls(ctx context.Context, w *workspace.Workspace, journal *gitops.Snapshot) error {
	counts, done := w.Diary.TakeRecalls()
	done(false)
	would := gitops.Change{Put: map[string][]byte{}}
	if err := w.PutRecalls(ctx, journal, &would, counts); err != nil {
		return err
	}
	for path := range would.Put {
		_, there, err := journal.File(ctx, path)
		if err != nil {
			return fmt.Errorf("reading %s: %w", path, err)
		}
		if !there {
			d.Other++
		}
	}
	return nil
}

// journalChange returns the change that a reset makes to the journal, and counts it.
func (d *Done) journalChange(ctx context.Context, w *workspace.Workspace, journal *gitops.Snapshot,
	received bool,
) (gitops.Change, error) {
	change := gitops.Change{Put: map[string][]byte{}}
	all, err := journal.List(ctx, "")
	if err != nil {
		return change, fmt.Errorf("reading the journal: %w", err)
	}
	others := map[string]bool{}
	if !received {
		if others, err = brought(ctx, w, journal, all); err != nil {
			return change, err
		}
	}
	var records []gitops.Entry
	for _, e := range all {
		folder, _, _ := strings.Cut(e.Path, "/")
		switch {
		case others[e.Path]:
			if folder == "pending" {
				d.Kept++
			}
		case folder == "sessions" && d.Project:
			records = append(records, e)
		case d.clears(folder, received):
			d.count(folder)
			change.Remove = append(change.Remove, e.Path)
		}
	}
	return change, d.emptyRecords(ctx, journal, records, &change)
}

// count counts a file of a folder of the journal.
func (d *Done) count(folder string) {
	switch folder {
	case "pending":
		d.Pending++
	case "sessions":
		d.Sessions++
	default:
		d.Other++
	}
}

// clears reports whether a reset removes the files of a folder of the journal.
func (d *Done) clears(folder string, received bool) bool {
	cleared := map[string]bool{
		"pending": true, "access": true, "dismissed": d.Project, "received": d.Project && received,
	}
	return cleared[folder]
}

// emptyRecords adds to a change that session records are emptied, and counts them.
func (d *Done) emptyRecords(ctx context.Context, journal *gitops.Snapshot, records []gitops.Entry,
	change *gitops.Change,
) error {
	err := journal.Read(ctx, records, func(e gitops.Entry, data []byte) error {
		bare := emptied(data)
		if bare != nil && string(bare) == string(data) {
			return nil
		}
		if d.Sessions++; bare == nil {
			change.Remove = append(change.Remove, e.Path)
		} else {
			change.Put[e.Path] = bare
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading session records: %w", err)
	}
	return nil
}

// emptied is a session record without what it held; nil for one that cannot be read.
func emptied(data []byte) []byte {
	s, err := session.Parse(data)
	if err != nil {
		return nil
	}
	return session.Emptied(s)
}

// stillThere is the part of a change that is about files of the journal which are as
// they were in the snapshot.
func stillThere(ctx context.Context, was, now *gitops.Snapshot, c gitops.Change) (gitops.Change, error) {
	if was.Commit() == now.Commit() {
		return c, nil
	}
	same, err := blobs(ctx, was)
	if err != nil {
		return c, err
	}
	newer, err := blobs(ctx, now)
	if err != nil {
		return c, err
	}
	moved := func(path string) bool { return same[path] != newer[path] }
	out := c
	out.Remove = lists.Without(c.Remove, moved)
	out.Put = map[string][]byte{}
	for path, data := range c.Put {
		if !moved(path) {
			out.Put[path] = data
		}
	}
	return out, nil
}

func blobs(ctx context.Context, s *gitops.Snapshot) (map[string]gitops.ObjectID, error) {
	all, err := s.List(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	out := make(map[string]gitops.ObjectID, len(all))
	for _, e := range all {
		out[e.Path] = e.Blob
	}
	return out, nil
}

// countFiles lists the memory files of the working tree, if they go too.
func (d *Done) countFiles(ctx context.Context, w *workspace.Workspace) error {
	if !d.Project {
		return nil
	}
	if _, err := w.Tree(); errors.Is(err, gitops.ErrNoWorktree) {
		return nil
	}
	items, _, err := w.Views.Landed(ctx, workspace.ViewOptions{})
	if err != nil {
		return err
	}
	for _, it := range items {
		if it.Stage == index.Landed {
			d.Files = append(d.Files, it.Path)
		}
	}
	d.Landed = len(d.Files)
	return nil
}

// removeFiles removes the memory files, and what was made of them.
func (d *Done) removeFiles(ctx context.Context, w *workspace.Workspace) error {
	if len(d.Files) > 0 {
		t, err := w.Tree()
		if err != nil {
			return err
		}
		for _, name := range d.Files {
			if err := t.Remove(name, workspace.Dir); err != nil {
				return err
			}
		}
		if err := w.RefreshPages(ctx); err != nil {
			return err
		}
	}
	_, err := w.Reindex(ctx, nil)
	return err
}

// Undo brings back what a reset took away, from the snapshot of that name, or the newest
// that was made before a reset for "". It only adds: a file that is there now stays as it is.
func Undo(ctx context.Context, w *workspace.Workspace, name string, dry bool) (Done, error) {
	out := Done{Project: true, DryRun: dry, Files: []string{}}
	if err := w.Journal.Writable(ctx); err != nil {
		return out, err
	}
	list, err := w.Repo.Keepsakes(ctx)
	if err != nil {
		return out, err
	}
	slices.Reverse(list) // the newest first
	i := slices.IndexFunc(list, func(k gitops.Keepsake) bool { return isMeant(k, name) })
	if i < 0 {
		return out, ErrNoSnapshot
	}
	out.Snapshot = list[i].Ref
	if err := out.journalBack(ctx, w, list[i].Journal); err != nil {
		return out, err
	}
	return out, out.filesBack(ctx, w, list[i].Commit)
}

// isMeant reports whether a snapshot is that of a name, or was made before a reset for "".
func isMeant(k gitops.Keepsake, name string) bool {
	if name == "" {
		return k.Before == gitops.BeforeReset
	}
	return k.Ref == name || strings.HasSuffix(k.Ref, "/"+name)
}

// journalBack adds the files of an earlier state that the journal lacks. A session
// record that was only emptied gets its content again.
func (d *Done) journalBack(ctx context.Context, w *workspace.Workspace, commit gitops.ObjectID) error {
	if commit == "" {
		return nil
	}
	then, err := w.Repo.Journal().At(ctx, commit)
	if err != nil {
		return fmt.Errorf("reading the snapshot: %w", err)
	}
	defer then.Close()
	all, err := then.List(ctx, "")
	if err != nil {
		return fmt.Errorf("reading the snapshot: %w", err)
	}
	if d.DryRun {
		now, err := w.Journal.Snapshot(ctx)
		if err == nil {
			_, err = d.takeBack(ctx, then, now, all)
		}
		return err
	}
	return w.Journal.Update(ctx, func(now *gitops.Snapshot) (gitops.Change, error) {
		c, err := d.takeBack(ctx, then, now, all)
		c.Message, c.When = "reset: undone from "+d.Snapshot, w.Now()
		return c, err
	})
}

// takeBack returns the change that adds to a state those of some files of an earlier one that it lacks,
// and counts them.
func (d *Done) takeBack(ctx context.Context, then, now *gitops.Snapshot, all []gitops.Entry) (gitops.Change, error) {
	d.Pending, d.Sessions, d.Other = 0, 0, 0
	c := gitops.Change{Take: map[string]gitops.ObjectID{}}
	have, err := blobs(ctx, now)
	if err != nil {
		return c, err
	}
	for _, e := range all {
		folder, _, _ := strings.Cut(e.Path, "/")
		emptied := folder == "sessions" && onlyEmptied(ctx, then, now, e, have[e.Path])
		if have[e.Path] == "" || emptied {
			c.Take[e.Path] = e.Blob
			d.count(folder)
		}
	}
	return c, nil
}

// onlyEmptied reports whether a session record, whose blob is another one now, differs from what it
// was only in that it was emptied.
func onlyEmptied(ctx context.Context, then, now *gitops.Snapshot, e gitops.Entry, blob gitops.ObjectID) bool {
	if blob == "" || blob == e.Blob {
		return false
	}
	old, _, errOld := then.File(ctx, e.Path)
	data, _, errNow := now.File(ctx, e.Path)
	return errors.Join(errOld, errNow) == nil && string(data) == string(emptied(old))
}

// filesBack writes the memory files of a snapshot that the working tree lacks.
func (d *Done) filesBack(ctx context.Context, w *workspace.Workspace, commit gitops.ObjectID) error {
	t, err := w.Tree()
	if errors.Is(err, gitops.ErrNoWorktree) {
		return nil
	}
	if err != nil {
		return err
	}
	all, err := w.Repo.Tree(ctx, string(commit), workspace.MemoriesDir)
	if err != nil {
		return fmt.Errorf("reading the snapshot: %w", err)
	}
	var ids []gitops.ObjectID
	for _, e := range all {
		if !t.Exists(e.Path) {
			d.Files, ids = append(d.Files, e.Path), append(ids, e.Blob)
		}
	}
	d.Landed = len(d.Files)
	if d.DryRun || d.Landed == 0 {
		return nil
	}
	at := 0
	err = w.Repo.Blobs(ctx, ids, 0, func(_ gitops.ObjectID, data []byte) error {
		name := d.Files[at]
		at++
		if data == nil {
			return fmt.Errorf("git has lost %s", name)
		}
		_, err := t.Write(name, data)
		return err
	})
	if err != nil {
		return fmt.Errorf("bringing the files back: %w", err)
	}
	return w.RefreshPages(ctx)
}

// Snapshots returns the names of the snapshots that [Undo] knows, oldest first.
func Snapshots(ctx context.Context, w *workspace.Workspace) ([]string, error) {
	list, err := w.Repo.Keepsakes(ctx)
	return lists.Map(list, func(k gitops.Keepsake) string { return k.Ref[strings.LastIndexByte(k.Ref, '/')+1:] }), err
}
