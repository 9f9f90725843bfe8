package journal

import (
	"context"
	"slices"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/facts"
)

// planned holds what the head of a session record says of its plan.
type planned struct {
	Branch string
	Plan   memory.ID // "" for none
	Line   int       // of a plan of its own, which is over if Plan is ""
	End    time.Time
}

func (p *planned) had() bool { return p.Plan != "" || p.Line > 0 }

// planRests is how many of the latest sessions of a branch are asked for its plan: one that the last three did not go
// on with is over.
const planRests = 3

// Planned are the records of this clone's sessions that made or went on with the active plan of a branch: that of
// the latest session there which had one, if that is one of the last [planRests] and has not carried it out. The record
// at a path is left out, "" for none. The plan may be a note, or a memory by now. What cannot be read has no plan.
func (j *Journal) Planned(ctx context.Context, branch, without string) (out []*session.Session) {
	entries, _ := j.ownEntries(ctx)
	entries = lists.Without(entries, func(e gitops.Entry) bool { return e.Path == without })
	heads := j.heads(ctx, entries)
	of := func(e gitops.Entry) *planned { return heads[string(e.Blob)] }
	lists.Sort(entries, func(a, b gitops.Entry) int { return of(b).End.Compare(of(a).End) })
	here := lists.Where(entries, func(e gitops.Entry) bool { return of(e).Branch == branch })
	i := slices.IndexFunc(here[:min(len(here), planRests)], func(e gitops.Entry) bool { return of(e).had() })
	if i < 0 || of(here[i]).Plan == "" {
		return nil
	}
	on := of(here[i]).Plan
	same := lists.Where(entries, func(e gitops.Entry) bool { return of(e).Plan == on })
	_ = j.Read(ctx, same, func(_ gitops.Entry, data []byte) error {
		if s, err := session.Parse(data); err == nil {
			out = append(out, s)
		}
		return nil
	})
	return out
}

// heads are the heads of records, as far as they are about plans, by their blobs. Each is read once.
func (j *Journal) heads(ctx context.Context, entries []gitops.Entry) map[string]*planned {
	known, _ := facts.Kept[map[string]*planned](j.repo, facts.Planned, "")
	now, more, _ := byBlob(ctx, j, entries, known, func(data []byte) *planned {
		s, err := session.ParseHead(data)
		if err != nil {
			return &planned{}
		}
		return &planned{s.Branch, s.PlanID, s.PlanRecord, s.End}
	})
	if more {
		facts.Keep(j.repo, facts.Planned, "", now)
	}
	return now
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
