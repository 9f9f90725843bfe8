package workspace

import (
	"context"
	"fmt"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Bounds of what a briefing says about commits.
const (
	maxDrifted  = 3  // memories whose code has changed
	titleOfThem = 60 // characters
)

// drift says what commits have done: to the code that the weightiest memories are about,
// since these were learned, and by others since the last session.
func (b *briefer) drift(ctx context.Context, v *View, entries []Entry, checked view.Checked,
	records []*session.Session,
) []string {
	var q facts.Question
	var about []*memory.Memory
	for _, i := range checked.Stale[:min(len(checked.Stale), maxDrifted)] {
		m := entries[i].Memory
		if c, ok := v.Changed(m); ok {
			q.Files, about = append(q.Files, facts.Learned{Path: c.Path, Blob: c.Blob, At: m.Created}), append(about, m)
		}
	}
	last := &session.Session{}
	if len(records) > 0 {
		last = records[0]
		q.From = last.HeadNow
	}
	answer, err := facts.ChangesSince(ctx, b.views.Repo, q)
	if err != nil {
		answer = facts.Answer{} // the briefing says the rest
	}
	var out []string
	if n := answer.Others.Number; n > 0 {
		out = append(out, fmt.Sprintf("%s by %s came since the last session, up to %s of %s: git log %s..",
			notices.Counted(n, "commit", "commits"), notices.Counted(answer.Authors, "other person", "other people"),
			answer.Others.Last[:7], answer.Others.Time.Format(time.DateOnly), Abbrev(last.HeadNow)))
	}
	for i, c := range answer.Files {
		out = append(out, fmt.Sprintf("%s is not what it was when %q (%s) was learned: %s",
			q.Files[i].Path, memory.Cut(about[i].Title, titleOfThem), about[i].ID.Short(), sinceLearned(c)))
	}
	return out
}

// sinceLearned words what commits did to a file since a memory was learned from it.
func sinceLearned(c facts.Commits) string {
	switch {
	case c.Number > 0:
		return fmt.Sprintf("%s, the last %s of %s.", notices.Counted(c.Number, "commit", "commits"), c.Last[:7],
			c.Time.Format(time.DateOnly))
	case c.Known:
		return "it has changes that are not committed."
	}
	return "it was not committed as it was then."
}
