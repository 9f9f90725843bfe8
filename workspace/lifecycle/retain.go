package lifecycle

import (
	"context"
	"errors"
	"path"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
)

// What a clone keeps for no longer than the team's settings say, in the order of those.
const (
	pending = iota
	notes
	records
	snapshots
)

// overdue finds what is older than the settings of a workspace say, and how it is removed.
type overdue struct {
	now    time.Time
	kinds  [4]workspace.Overdue
	change gitops.Change
	refs   []string // of snapshots
}

// Overdue says what a clone keeps for longer than `retain` in config.yaml says, for each kind that
// has some; nothing where no limit is set. What came from a remote is left to the clone that made
// it, and pinned memories stay.
func Overdue(ctx context.Context, w *workspace.Workspace) ([]workspace.Overdue, error) {
	o, err := findOverdue(ctx, w)
	return lists.Where(o.kinds[:], func(k workspace.Overdue) bool { return k.Count > 0 }), err
}

func findOverdue(ctx context.Context, w *workspace.Workspace) (*overdue, error) {
	r := w.Config.Retain
	o := &overdue{now: w.Now(), kinds: [4]workspace.Overdue{
		pending:   {What: "pending memories", Days: r.Pending},
		notes:     {What: "notes", Days: r.Notes},
		records:   {What: "session records", Days: r.Sessions},
		snapshots: {What: "snapshots", Days: r.Snapshots},
	}}
	if r.Pending+r.Notes+r.Sessions+r.Snapshots == 0 {
		return o, nil
	}
	list, err := w.Repo.Keepsakes(ctx)
	if err != nil {
		return o, err
	}
	for _, k := range list {
		stamp, _, _ := strings.Cut(path.Base(k.Ref), "-")
		made, _ := time.Parse("20060102T150405Z", stamp)
		if o.is(snapshots, made) {
			o.refs = append(o.refs, k.Ref)
		}
	}
	snap, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return o, err
	}
	return o, o.journal(ctx, snap)
}

// is reports whether what is of a time is older than the limit of its kind, and counts it.
func (o *overdue) is(kind int, at time.Time) bool {
	k := &o.kinds[kind]
	old := k.Days > 0 && !at.IsZero() && o.now.Sub(at).Hours() > 24*k.Days
	if old {
		k.Count++
	}
	return old
}

// journal finds what is overdue in a state of the journal, and how it is removed.
func (o *overdue) journal(ctx context.Context, snap *gitops.Snapshot) error {
	for _, kind := range []int{pending, notes, records} {
		o.kinds[kind].Count = 0
	}
	o.change = gitops.Change{Message: "gc: by the settings of retain", When: o.now, Put: map[string][]byte{}}
	marks := journal.MarksIn(ctx, snap)
	all, err := snap.List(ctx, "")
	if err != nil {
		return err
	}
	return snap.Read(ctx, all, func(e gitops.Entry, data []byte) error {
		folder, _, _ := strings.Cut(e.Path, "/")
		switch {
		case folder == "sessions" && !marks.Record(e.Path):
			o.record(e.Path, data)
		case folder == "pending" && o.isOldMemory(data, marks):
			o.change.Remove = append(o.change.Remove, e.Path)
		}
		return nil
	})
}

// isOldMemory reports whether a pending file is overdue.
func (o *overdue) isOldMemory(data []byte, marks journal.Marks) bool {
	m, err := memory.Parse("", data)
	return err == nil && !m.Pinned && !marks.Memory(m.ID) && o.is(pending, m.Created)
}

// record finds what is overdue in a session record. One that is emptied still says how far the
// session was read, so that it is not read again.
func (o *overdue) record(at string, data []byte) {
	s, err := session.Parse(data)
	if err != nil {
		return
	}
	if bare := session.Emptied(s); string(bare) != string(data) && o.is(records, s.End) {
		o.change.Put[at] = bare
		return
	}
	before := len(s.Notes)
	s.Notes = lists.Without(s.Notes, func(m *memory.Memory) bool { return o.is(notes, m.Created) })
	if len(s.Notes) < before {
		o.change.Put[at] = session.Format(s)
	}
}

// removeOverdue removes what [Overdue] names. No command brings it back.
func removeOverdue(ctx context.Context, w *workspace.Workspace) error {
	o, err := findOverdue(ctx, w)
	if err != nil {
		return err
	}
	err = w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		err := o.journal(ctx, snap)
		return o.change, err
	})
	for _, ref := range o.refs {
		_, failed := w.Repo.AsUser(ctx, "update-ref", "-d", ref)
		err = errors.Join(err, failed)
	}
	return err
}
