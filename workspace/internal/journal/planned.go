package journal

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/facts"
)

// head holds when a session began and ended, and what the head of its record says of its plan. The zero value is that
// of what is no record.
type head struct {
	ID     string
	Branch string
	Plan   memory.ID // "" for none
	Line   int       // of a plan of its own, which is over if Plan is ""
	Start  time.Time
	End    time.Time
}

func (h *head) had() bool { return h.Plan != "" || h.Line > 0 }

// planRests is how many of the latest sessions of a branch are asked for its plan: one that the last three did not go
// on with is over.
const planRests = 3

// Planned are the records of this clone's sessions that made or went on with the active plan of a branch: that of
// the latest session there which had one, if that is one of the last [planRests] and has not carried it out. The record
// at a path is left out, "" for none. The plan may be a note, or a memory by now. What cannot be read has no plan.
func (j *Journal) Planned(ctx context.Context, branch, without string) []*session.Session {
	entries, _ := j.ownEntries(ctx)
	entries = lists.Without(entries, func(e gitops.Entry) bool { return e.Path == without })
	all, _ := j.List(ctx, "sessions")
	heads, _ := j.heads(ctx, all)
	of := func(e gitops.Entry) *head { return heads[string(e.Blob)] }
	lists.Sort(entries, func(a, b gitops.Entry) int { return of(b).End.Compare(of(a).End) })
	here := lists.Where(entries, func(e gitops.Entry) bool { return of(e).Branch == branch })
	i := slices.IndexFunc(here[:min(len(here), planRests)], func(e gitops.Entry) bool { return of(e).had() })
	if i < 0 || of(here[i]).Plan == "" {
		return nil
	}
	on := of(here[i]).Plan
	same := lists.Where(entries, func(e gitops.Entry) bool { return of(e).Plan == on })
	found, _ := j.records(ctx, same)
	return lists.Map(found, Record.Whole)
}

// heads are the heads of all records by their blobs. Each is read once, but for what is no record or cannot
// be read now.
func (j *Journal) heads(ctx context.Context, entries []gitops.Entry) (map[string]*head, error) {
	known, _ := facts.Kept[map[string]*head](j.repo, facts.Heads, "")
	now, more, err := byBlob(ctx, j, entries, known, func(data []byte) *head {
		s, err := session.ParseHead(data)
		if err != nil {
			return &head{}
		}
		return &head{s.ID, s.Branch, s.PlanID, s.PlanRecord, s.Start, s.End}
	})
	if more {
		kept := maps.Clone(now)
		maps.DeleteFunc(kept, func(_ string, h *head) bool { return h.ID == "" })
		facts.Keep(j.repo, facts.Heads, "", kept)
	}
	return now, err
}

// byBlob parses those files of the journal of which nothing is known, and returns what all of them
// say by their blobs, what parse makes of nothing where they cannot be read. It reports whether it read any.
func byBlob[T any](
	ctx context.Context, j *Journal, entries []gitops.Entry, known map[string]T, parse func([]byte) T,
) (now map[string]T, more bool, err error) {
	now = make(map[string]T, len(entries))
	unknown := lists.Without(entries, func(e gitops.Entry) bool {
		is, ok := known[string(e.Blob)]
		if !ok {
			is = parse(nil)
		}
		now[string(e.Blob)] = is
		return ok
	})
	err = j.Read(ctx, unknown, func(e gitops.Entry, data []byte) error {
		now[string(e.Blob)] = parse(data)
		return nil
	})
	return now, len(unknown) > 0, err
}
