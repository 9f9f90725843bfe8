package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// Week counts the sessions that began in one week.
type Week struct {
	Monday string `json:"monday"` // of the week, in UTC
	Repeated
}

// Comparison puts the sessions of a span of time in which hooks told an agent of a memory beside
// those in which they told of none. It is no experiment: nobody drew lots which were told.
type Comparison struct {
	From    string   `json:"from"` // as it was asked for; "" for no bound
	To      string   `json:"to"`
	Without Repeated `json:"without"`
	With    Repeated `json:"with"`
	Unknown int      `json:"unknown"` // of which it is not known any more whether they were told

	begin, end time.Time
}

// Told counts the words of hooks in some sessions, of those of which that is known.
type Told struct {
	Sessions int  `json:"sessions"`
	Tokens   Rate `json:"tokens"` // briefings too
	Memories Rate `json:"memories"`
	Used     Rate `json:"used"` // of these, those that were used
}

// FirstEdit says when sessions first changed a file, in the median of those that did.
type FirstEdit struct {
	Sessions int `json:"sessions"`
	Seconds  int `json:"seconds"` // after the start
	Calls    int `json:"calls"`   // of tools, with the one that did

	seconds, calls []int
}

func (t *Told) add(m diary.Moment) {
	if m.Asked > 0 {
		t.Sessions++
		t.Tokens.Number += m.Tokens
		t.Memories.Number += m.Items
		t.Used.Number += m.Used
	}
}

// add counts a session that changed a file; nil is none.
func (f *FirstEdit) add(s *session.Session) {
	if s != nil {
		f.seconds, f.calls = append(f.seconds, s.EditSeconds), append(f.calls, s.EditCall)
	}
}

// group is the side of a comparison that a session is of: whether it was told something is known
// where hooks asked in it, and of those from before hooks first told anything here.
func (c *Comparison) group(s *sitting, since time.Time) *Repeated {
	switch {
	case s.told.Items > 0:
		return &c.With
	case s.told.Asked > 0, since.IsZero(), s.start.Before(since):
		return &c.Without
	}
	c.Unknown++
	return &Repeated{}
}

// weekOf is the week of a time in a list of weeks that ends with that of the latest session before.
func weekOf(weeks []*Week, at time.Time) []*Week {
	at = at.UTC()
	monday := at.AddDate(0, 0, -(int(at.Weekday())+6)%7).Format(time.DateOnly)
	if n := len(weeks); n > 0 && weeks[n-1].Monday == monday {
		return weeks
	}
	return append(weeks, &Week{Monday: monday})
}

// comparison reads FROM..TO, of which each is a day, words for a time, a revision, or nothing;
// FROM alone is from then on.
func comparison(ctx context.Context, w *workspace.Workspace, text string) (c Comparison, err error) {
	var until error
	c.From, c.To, _ = strings.Cut(text, "..")
	c.begin, _, err = momentOf(ctx, w, c.From)
	_, c.end, until = momentOf(ctx, w, c.To)
	return c, errors.Join(err, until)
}

// momentOf is when a day, or a time that words name, begins and ends, or when a commit was made.
// No word stands for all time.
func momentOf(ctx context.Context, w *workspace.Workspace, word string) (begin, end time.Time, err error) {
	if word == "" {
		return begin, time.Unix(math.MaxInt32, 0), nil
	}
	if begin, end, err = query.Span(word, w.Views.Now()); err == nil {
		return begin, end, nil
	}
	commits, err := w.Repo.History().Log(ctx, word, nil, 1)
	if err != nil || len(commits) == 0 {
		return begin, end, fmt.Errorf("%q is neither a time nor a revision: %w", word, gitops.ErrNoRevision)
	}
	return commits[0].Time, commits[0].Time, nil
}

// holds reports whether a time is in the span.
func (c *Comparison) holds(at time.Time) bool { return !at.Before(c.begin) && at.Before(c.end) }

// median is the middle one of some numbers; 0 for none.
func median(of []int) int {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[len(of)/2]
}
