package journal

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
)

// MaxSessions is more sessions than any command looks at.
const MaxSessions = 1 << 20

// SessionsAtHand is [Journal.Sessions] for an answer that does without them: that they cannot
// be read is a notice.
func (j *Journal) SessionsAtHand(ctx context.Context, limit int) []*session.Session {
	return lists.Map(j.recordsAtHand(ctx, limit), Record.Whole)
}

func (j *Journal) recordsAtHand(ctx context.Context, limit int) []Record {
	out, err := j.Records(ctx, limit)
	if err != nil {
		j.notices.Add("the session records cannot be read: %v", err)
	}
	return out
}

// Own are the newest records, at most so many, of sessions of this clone that ended before a time; the zero
// time is now.
func (j *Journal) Own(ctx context.Context, most int, before time.Time) []Record {
	marks, limit := j.Marks(ctx), MaxSessions
	if before.IsZero() {
		limit = most + len(marks)
	}
	return lists.First(lists.Without(j.recordsAtHand(ctx, limit), func(r Record) bool {
		return marks.Record(r.Head.Path()) || !before.IsZero() && r.Head.End.After(before)
	}), most)
}

// Horizon is when the first of the latest n sessions began; the zero time for none, or if there are not so many.
func Horizon(latest []Record, n int) time.Time {
	if n == 0 || len(latest) < n {
		return time.Time{}
	}
	return latest[n-1].Head.Start
}

// Sessions reads session records, the newest month first and in a month the
// one that ended last, at most limit of them. What is no record is passed over.
func (j *Journal) Sessions(ctx context.Context, limit int) ([]*session.Session, error) {
	found, err := j.Records(ctx, limit)
	return lists.Map(found, Record.Whole), err
}

// Records is [Journal.Sessions] for who wants few of them whole.
func (j *Journal) Records(ctx context.Context, limit int) ([]Record, error) {
	snap, err := j.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	months, err := snap.Folders(ctx, "sessions")
	if err != nil {
		return nil, err
	}
	var found []Record
	for _, month := range slices.Backward(months) {
		records, err := sessionsOf(ctx, snap, month)
		if err != nil {
			return nil, err
		}
		if found = append(found, records...); len(found) >= limit {
			break
		}
	}
	lists.Sort(found, func(a, b Record) int {
		return cmp.Or(b.Head.End.Compare(a.Head.End), strings.Compare(a.Head.ID, b.Head.ID))
	})
	return found[:min(limit, len(found))], nil
}

// Record is a session record of which the head alone was read: of a month only those that ended
// last are wanted whole.
type Record struct {
	Head *session.Session
	data []byte
}

// Whole returns all that the record holds.
func (r Record) Whole() *session.Session {
	s, _ := session.Parse(r.data) // which fails for its head alone
	return s
}

// sessionsOf reads the heads of the session records of one month.
func sessionsOf(ctx context.Context, snap *gitops.Snapshot, month string) ([]Record, error) {
	entries, err := snap.List(ctx, "sessions/"+month)
	if err != nil {
		return nil, err
	}
	var out []Record
	err = snap.Read(ctx, entries, func(_ gitops.Entry, data []byte) error {
		if s, err := session.ParseHead(data); err == nil {
			out = append(out, Record{s, data})
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
