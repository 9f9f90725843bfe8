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
// one that ended last, at most limit of them.
func (w *Workspace) Sessions(ctx context.Context, limit int) []*session.Session {
	return w.journal.sessions(ctx, limit)
}

func (j *journal) sessions(ctx context.Context, limit int) []*session.Session {
	snap, err := j.snapshot(ctx)
	if err != nil {
		return nil
	}
	months, err := snap.Folders(ctx, "sessions")
	if err != nil {
		return nil
	}
	var out []*session.Session
	for _, month := range slices.Backward(months) {
		entries, err := snap.List(ctx, "sessions/"+month)
		if err != nil {
			continue
		}
		_ = snap.Read(ctx, entries, func(_ gitops.Entry, data []byte) error {
			if s, err := session.Parse(data); err == nil {
				out = append(out, s)
			}
			return nil
		})
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
	return out[:min(limit, len(out))]
}

// maxSessions is more sessions than any command looks at.
const maxSessions = 1 << 20

// SessionHit is a line of a session record that answers a query.
type SessionHit = sessionsearch.Hit
