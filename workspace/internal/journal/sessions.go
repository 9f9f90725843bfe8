package journal

import (
	"cmp"
	"context"
	"errors"
	"path"
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

// Sessions reads session records, the one that ended last first, at most limit of them. What is no record is
// passed over.
func (j *Journal) Sessions(ctx context.Context, limit int) ([]*session.Session, error) {
	found, err := j.Records(ctx, limit)
	return lists.Map(found, Record.Whole), err
}

// Records is [Journal.Sessions] for who wants few of them whole.
func (j *Journal) Records(ctx context.Context, limit int) ([]Record, error) {
	entries, err := j.List(ctx, "sessions")
	if err != nil {
		return nil, err
	}
	heads, unread := j.heads(ctx, entries)
	of := func(e gitops.Entry) *head { return heads[string(e.Blob)] }
	entries = lists.Where(entries, func(e gitops.Entry) bool { return of(e).ID != "" })
	lists.Sort(entries, func(a, b gitops.Entry) int {
		return cmp.Or(of(b).End.Compare(of(a).End), strings.Compare(of(a).ID, of(b).ID))
	})
	found, err := j.records(ctx, entries[:min(limit, len(entries))])
	return found, errors.Join(unread, err)
}

// Record is a session record of which the head alone was read.
type Record struct {
	Head *session.Session
	data []byte
}

// Whole returns all that the record holds.
func (r Record) Whole() *session.Session {
	s, _ := session.Parse(r.data) // which fails for its head alone
	return s
}

// records reads the heads of session records, in their order. What is no record is passed over.
func (j *Journal) records(ctx context.Context, entries []gitops.Entry) (out []Record, err error) {
	err = j.Read(ctx, entries, func(_ gitops.Entry, data []byte) error {
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
