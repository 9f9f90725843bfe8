package agents

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/facts"
)

// Bounds of the session records that are looked at.
const (
	latestRecords = 120  // records, the latest first
	datedAtOnce   = 480  // records that are read at a time to learn when their sessions began
	recordHead    = 4096 // bytes of a record in which it says when the session began
)

// latestSessions returns the records of the sessions of this clone that began last, the
// latest first, with those of their subagents. Those that came from a remote are left out:
// they may be somebody else's.
func latestSessions(ctx context.Context, w *workspace.Workspace, snap *gitops.Snapshot) ([]*session.Session, error) {
	entries, err := ownRecords(ctx, w, snap)
	if err != nil {
		return nil, err
	}
	if len(entries) > latestRecords {
		known := facts.Read(w.Repo, facts.Began)
		var words []string
		if entries, words, err = latest(ctx, entries, known, snap.Read); err != nil {
			return nil, err
		}
		if !slices.Equal(words, known) {
			facts.Write(w.Repo, facts.Began, words)
		}
	}
	var sessions []*session.Session
	err = snap.Read(ctx, entries, func(_ gitops.Entry, data []byte) error {
		if s, err := session.Parse(data); err == nil {
			sessions = append(sessions, s)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading session records: %w", err)
	}
	slices.SortStableFunc(sessions, func(a, b *session.Session) int { return b.Start.Compare(a.Start) })
	return sessions, nil
}

// ownRecords are the records of this clone in the latest months, so many that those that
// are looked at are among them.
func ownRecords(ctx context.Context, w *workspace.Workspace, snap *gitops.Snapshot) ([]gitops.Entry, error) {
	others := w.Journal.Marks(ctx)
	months, err := snap.Folders(ctx, "sessions")
	if err != nil {
		return nil, fmt.Errorf("listing session records: %w", err)
	}
	var entries []gitops.Entry
	for _, month := range slices.Backward(months) {
		of, err := snap.List(ctx, "sessions/"+month)
		if err != nil {
			return nil, fmt.Errorf("listing session records: %w", err)
		}
		own := slices.DeleteFunc(of, func(e gitops.Entry) bool { return others.Record(e.Path) })
		entries = append(entries, own...)
		if len(entries) >= latestRecords {
			break
		}
	}
	return entries, nil
}

// readEntries reads files of the journal, as [gitops.Snapshot.Read] does.
type readEntries func(context.Context, []gitops.Entry, func(gitops.Entry, []byte) error) error

// latest are the records of the sessions that began last, as many as are looked at. Their
// names do not tell; of a record only the lines above its text are read, and when it began
// is kept, as pairs of its blob and that time. Of records that are not known yet some are
// read each time, so that it takes no longer however many there are; the rest comes later.
func latest(ctx context.Context, entries []gitops.Entry, known []string, read readEntries) (found []gitops.Entry, words []string, err error) {
	began := make(map[gitops.ObjectID]string, len(entries))
	for i := 0; i+1 < len(known); i += 2 {
		began[gitops.ObjectID(known[i])] = known[i+1]
	}
	var unknown []gitops.Entry
	for _, e := range slices.Backward(entries) {
		if began[e.Blob] == "" && len(unknown) < datedAtOnce {
			unknown = append(unknown, e)
		}
	}
	err = read(ctx, unknown, func(e gitops.Entry, data []byte) error {
		began[e.Blob] = startIn(data)
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("reading when sessions began: %w", err)
	}
	for _, e := range entries {
		if stamp := began[e.Blob]; stamp != "" {
			found, words = append(found, e), append(words, string(e.Blob), stamp)
		}
	}
	slices.SortFunc(found, func(a, b gitops.Entry) int {
		return cmp.Or(cmp.Compare(began[b.Blob], began[a.Blob]), cmp.Compare(a.Path, b.Path))
	})
	return found[:min(len(found), latestRecords)], words, nil
}

// startIn is when the session of a record began, as the record writes it; "-" where it
// does not say so.
func startIn(record []byte) string {
	_, from, _ := bytes.Cut(record[:min(len(record), recordHead)], []byte("\nstart: "))
	stamp, _, _ := bytes.Cut(from, []byte("\n"))
	return cmp.Or(strings.Join(strings.Fields(string(stamp)), ""), "-")
}
