package journal

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
)

// MaxSessions is more sessions than any command looks at.
const MaxSessions = 1 << 20

// SessionsAtHand is [Journal.Sessions] for an answer that does without them: that they cannot
// be read is a notice.
func (j *Journal) SessionsAtHand(ctx context.Context, limit int) []*session.Session {
	out, err := j.Sessions(ctx, limit)
	if err != nil {
		j.notices.Add("the session records cannot be read: %v", err)
	}
	return out
}

// Sessions reads session records, the newest month first and in a month the
// one that ended last, at most limit of them. What is no record is passed over.
func (j *Journal) Sessions(ctx context.Context, limit int) ([]*session.Session, error) {
	snap, err := j.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	months, err := snap.Folders(ctx, "sessions")
	if err != nil {
		return nil, err
	}
	var out []*session.Session
	for _, month := range slices.Backward(months) {
		records, err := sessionsOf(ctx, snap, month)
		if err != nil {
			return nil, err
		}
		if out = append(out, records...); len(out) >= limit {
			break
		}
	}
	slices.SortFunc(out, func(a, b *session.Session) int {
		return cmp.Or(b.End.Compare(a.End), strings.Compare(a.ID, b.ID))
	})
	return out[:min(limit, len(out))], nil
}

// sessionsOf reads the session records of one month.
func sessionsOf(ctx context.Context, snap *gitops.Snapshot, month string) ([]*session.Session, error) {
	entries, err := snap.List(ctx, "sessions/"+month)
	if err != nil {
		return nil, err
	}
	var out []*session.Session
	err = snap.Read(ctx, entries, func(_ gitops.Entry, data []byte) error {
		if s, err := session.Parse(data); err == nil {
			out = append(out, s)
		}
		return nil
	})
	return out, err
}

// CountSessions returns how many session records there are; 0 where they cannot be read.
func (j *Journal) CountSessions(ctx context.Context) int {
	snap, err := j.Snapshot(ctx)
	if err != nil {
		return 0
	}
	entries, err := snap.List(ctx, "sessions")
	if err != nil {
		return 0
	}
	n := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Path, ".md") && path.Dir(e.Path) != "sessions" {
			n++
		}
	}
	return n
}
