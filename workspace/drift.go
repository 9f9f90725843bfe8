package workspace

import (
	"context"
	"fmt"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/churn"
)

// Bounds of what a briefing says about commits.
const (
	maxDrifted  = 3  // memories whose code has changed
	titleOfThem = 60 // characters
)

// drift says what commits have done: to the code that the weightiest memories are about,
// since these were learned, and by others since the last session. entries are marked as
// stale already.
func (b *briefer) drift(ctx context.Context, v *View, entries []Entry, stale []int, records []*session.Session) []string {
	var out []string
	var q churn.Question
	var about []*memory.Memory
	for _, i := range stale[:min(len(stale), maxDrifted)] {
		m := entries[i].Memory
		for _, a := range m.Anchors {
			if v.code.differs(a) {
				path, _ := v.code.moves.Place(a.Path)
				q.Files, about = append(q.Files, churn.Learned{Path: path, Blob: a.Blob, At: m.Created}), append(about, m)
				break
			}
		}
	}
	last := &session.Session{}
	if len(records) > 0 {
		last = records[0]
		q.From = last.HeadNow
	}
	answer, err := churn.Ask(ctx, b.tree.repo, q)
	if err != nil {
		answer = churn.Answer{} // the briefing says the rest
	}
	if n := answer.Others.Number; n > 0 {
		out = append(out, fmt.Sprintf("%s by %s came since the last session, up to %s of %s: git log %s..",
			counted(n, "commit", "commits"), counted(answer.Authors, "other person", "other people"), answer.Others.Last[:7], answer.Others.Time.Format(time.DateOnly), Abbrev(last.HeadNow)))
	}
	for i, c := range answer.Files {
		text := fmt.Sprintf("%s is not what it was when %q (%s) was learned: ", q.Files[i].Path, memory.Cut(about[i].Title, titleOfThem), about[i].ID.Short())
		switch {
		case c.Number > 0:
			text += fmt.Sprintf("%s, the last %s of %s.", counted(c.Number, "commit", "commits"), c.Last[:7], c.Time.Format(time.DateOnly))
		case c.Known:
			text += "it has changes that are not committed."
		default:
			text += "it was not committed as it was then."
		}
		out = append(out, text)
	}
	if last.Branch != "" && v.Branch != "" && last.Branch != v.Branch {
		out = append(out, fmt.Sprintf("The last session was on branch %s; this is %s.", last.Branch, v.Branch))
	}
	return out
}
