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
	out, err := j.Records(ctx, limit)
	j.unread(err)
	return lists.Map(out, Record.Whole)
}

func (j *Journal) unread(err error) {
	if err != nil {
		j.notices.Add("the session records cannot be read: %v", err)
	}
}

// Latest are session records by their heads, the one that ended last first.
type Latest struct {
	journal *Journal
	entries []gitops.Entry
	heads   map[string]*head
}

func (l Latest) of(e gitops.Entry) *head { return l.heads[string(e.Blob)] }

// Horizon is when the n-th of them began; the zero time for n 0, or if there are not so many.
func (l Latest) Horizon(n int) time.Time {
	if n == 0 || len(l.entries) < n {
		return time.Time{}
	}
	return l.of(l.entries[n-1]).Start
}

// Read reads the first of them, at most limit.
func (l Latest) Read(ctx context.Context, limit int) ([]Record, error) {
	return l.journal.records(ctx, l.entries[:min(limit, len(l.entries))])
}

// AtHand is [Latest.Read] for an answer that does without them: that they cannot be read is a notice.
func (l Latest) AtHand(ctx context.Context, limit int) []Record {
	out, err := l.Read(ctx, limit)
	l.journal.unread(err)
	return out
}

// latest finds all session records. What is no record is passed over.
func (j *Journal) latest(ctx context.Context) (Latest, error) {
	all, err := j.List(ctx, "sessions")
	heads, unread := j.heads(ctx, all)
	l := Latest{j, all, heads}
	l.entries = lists.Where(all, func(e gitops.Entry) bool { return l.of(e).ID != "" })
	lists.Sort(l.entries, func(a, b gitops.Entry) int {
		return cmp.Or(l.of(b).End.Compare(l.of(a).End), strings.Compare(l.of(a).ID, l.of(b).ID))
	})
	return l, errors.Join(err, unread)
}

// Own are the records of sessions of this clone that ended before a time; the zero time is now.
func (j *Journal) Own(ctx context.Context, before time.Time) Latest {
	l, err := j.latest(ctx)
	j.unread(err)
	marks := j.Marks(ctx)
	l.entries = lists.Without(l.entries, func(e gitops.Entry) bool {
		return marks.Record(e.Path) || !before.IsZero() && l.of(e).End.After(before)
	})
	return l
}

// Sessions reads session records, the one that ended last first, at most limit of them. What is no record is
// passed over.
func (j *Journal) Sessions(ctx context.Context, limit int) ([]*session.Session, error) {
	found, err := j.Records(ctx, limit)
	return lists.Map(found, Record.Whole), err
}

// Records is [Journal.Sessions] for who wants few of them whole.
func (j *Journal) Records(ctx context.Context, limit int) ([]Record, error) {
	l, err := j.latest(ctx)
	found, unread := l.Read(ctx, limit)
	return found, errors.Join(err, unread)
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
