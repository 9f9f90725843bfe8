package workspace

import (
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace/internal/sessionsearch"
)

// Sessions reads session records, the newest month first and in a month the
// one that ended last, at most limit of them. What is no record is passed over.
func (w *Workspace) Sessions(ctx context.Context, limit int) ([]*session.Session, error) {
	return w.journal.sessions(ctx, limit)
}

// sessionsAtHand are those of [journal.sessions] for an answer that does without: that they
// cannot be read is a notice.
func (j *journal) sessionsAtHand(ctx context.Context, limit int) []*session.Session {
	out, err := j.sessions(ctx, limit)
	if err != nil {
		j.notices.add("the session records cannot be read: %v", err)
	}
	return out
}

func (j *journal) sessions(ctx context.Context, limit int) ([]*session.Session, error) {
	snap, err := j.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	months, err := snap.Folders(ctx, "sessions")
	if err != nil {
		return nil, err
	}
	var out []*session.Session
	for _, month := range slices.Backward(months) {
		entries, err := snap.List(ctx, "sessions/"+month)
		if err != nil {
			return nil, err
		}
		err = snap.Read(ctx, entries, func(_ gitops.Entry, data []byte) error {
			if s, err := session.Parse(data); err == nil {
				out = append(out, s)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(out) >= limit {
			break
		}
	}
	slices.SortFunc(out, func(a, b *session.Session) int {
		if c := b.End.Compare(a.End); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out[:min(limit, len(out))], nil
}

// maxSessions is more sessions than any command looks at.
const maxSessions = 1 << 20

// SessionHit is a line of a session record that answers a query.
type SessionHit = sessionsearch.Hit
