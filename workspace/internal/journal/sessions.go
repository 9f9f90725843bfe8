package journal

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
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
	var found []record
	for _, month := range slices.Backward(months) {
		records, err := sessionsOf(ctx, snap, month)
		if err != nil {
			return nil, err
		}
		if found = append(found, records...); len(found) >= limit {
			break
		}
	}
	lists.Sort(found, func(a, b record) int {
		return cmp.Or(b.head.End.Compare(a.head.End), strings.Compare(a.head.ID, b.head.ID))
	})
	found = found[:min(limit, len(found))]
	return lists.Map(found, record.whole), nil
}

// record is a session record of which the head alone was read: of a month only those that ended
// last are wanted whole.
type record struct {
	head *session.Session
	data []byte
}

func (r record) whole() *session.Session {
	s, _ := session.Parse(r.data) // which fails for its head alone
	return s
}

// sessionsOf reads the heads of the session records of one month.
func sessionsOf(ctx context.Context, snap *gitops.Snapshot, month string) ([]record, error) {
	entries, err := snap.List(ctx, "sessions/"+month)
	if err != nil {
		return nil, err
	}
	var out []record
	err = snap.Read(ctx, entries, func(_ gitops.Entry, data []byte) error {
		if s, err := session.ParseHead(data); err == nil {
			out = append(out, record{s, data})
		}
		return nil
	})
	return out, err
}

// CountSessions returns how many session records there are; 0 where they cannot be read.
func (j *Journal) CountSessions(ctx context.Context) int {
	entries, _ := j.List(ctx, "sessions")
	return len(lists.Where(entries, func(e gitops.Entry) bool {
		return strings.HasSuffix(e.Path, ".md") && path.Dir(e.Path) != "sessions"
	}))
}
