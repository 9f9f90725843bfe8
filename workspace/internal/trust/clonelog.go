package trust

import (
	"context"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
)

// clonelog holds git's notes on the commits that were made in this clone. Nobody who
// pushes can write them.
type clonelog struct {
	acts    []gitops.Brought                    // the memory files of each commit that was noted
	brought map[gitops.ObjectID]map[string]bool // the same by commit and content
	amended map[gitops.ObjectID]gitops.ObjectID // what each amended commit was before; "" where the logs do not tell
	stopped map[gitops.ObjectID]string          // what was noted of commits that were made while a rebase had stopped
	merges  map[gitops.ObjectID]bool            // merges that were made here
	rebases []rebase                            // the latest first
}

// rebase is one that moved a branch.
type rebase struct{ from, to, onto gitops.ObjectID }

// Bounds of the rebases that are asked about: how many of this clone, the latest ones, and
// how many of those that concern a branch. Beyond them, what they made waits.
const (
	knownRebases = 64
	mostRebases  = 16
)

// readLog reads what was done in this clone, once.
func (q *question) readLog(ctx context.Context) error {
	if q.log != nil {
		return nil
	}
	acts, err := q.Repo.History().Acts(ctx, spec(q.Folder, q.settings.Folds))
	if err != nil {
		return err
	}
	noted, err := q.Repo.History().Noted(ctx)
	if err != nil {
		return err
	}
	q.log = newLog(q.inFolder(acts), noted)
	return nil
}

func newLog(acts []gitops.Brought, noted []gitops.Noted) *clonelog {
	l := &clonelog{
		acts: acts, brought: map[gitops.ObjectID]map[string]bool{}, amended: map[gitops.ObjectID]gitops.ObjectID{},
		stopped: map[gitops.ObjectID]string{}, merges: map[gitops.ObjectID]bool{},
	}
	for _, a := range acts {
		if l.brought[a.Commit] == nil {
			l.brought[a.Commit] = map[string]bool{}
		}
		l.brought[a.Commit][string(a.Blob)] = true
	}
	last, within := map[string]gitops.Noted{}, map[string]bool{}
	for _, entry := range noted {
		before := last[entry.Log]
		last[entry.Log] = entry
		within[entry.Log] = l.rebase(before, entry, within[entry.Log])
		if strings.HasPrefix(entry.Said, "commit (amend)") {
			l.amend(before, entry)
		}
		if l.isMerge(entry) {
			l.merges[entry.Commit] = true
		}
	}
	slices.Reverse(l.rebases)
	l.rebases = l.rebases[:min(len(l.rebases), knownRebases)]
	return l
}

// rebase notes what an entry of a log tells of a rebase, and reports whether one is under way
// after it.
func (l *clonelog) rebase(before, entry gitops.Noted, within bool) bool {
	switch rebasing(entry.Said) {
	case "start":
		return true
	case "abort":
		return false
	case "finish":
		l.finish(before, entry)
		return false
	}
	if strings.HasPrefix(entry.Said, "checkout: ") {
		return false // one that somebody quits has no end
	}
	if within && strings.HasPrefix(entry.Said, "commit") {
		l.stopped[entry.Commit] = entry.Said
	}
	return within
}

// finish notes the rebase that an entry of a log ends.
func (l *clonelog) finish(before, entry gitops.Noted) {
	_, onto, _ := strings.Cut(entry.Said, " onto ")
	_, err := hex.DecodeString(onto)
	if err == nil && onto != "" && before.Commit != "" {
		l.rebases = append(l.rebases, rebase{before.Commit, entry.Commit, gitops.ObjectID(onto)})
	}
}

// isMerge reports whether an entry of a log tells of a merge that was made here.
func (l *clonelog) isMerge(entry gitops.Noted) bool {
	if strings.HasPrefix(entry.Said, "commit (amend)") && l.merges[l.amended[entry.Commit]] {
		return true
	}
	return strings.HasPrefix(entry.Said, "commit (merge)") || strings.Contains(entry.Said, ": Merge made by")
}

// amend notes which commit another replaced. Where the entry of that one has expired,
// another stands before: it may have other parents, and the log of the branch and that of
// HEAD, both of which tell of it, need not have the same one left.
func (l *clonelog) amend(before, entry gitops.Noted) {
	if before.Commit == entry.Commit {
		return // to the same
	}
	if before.Parents != entry.Parents {
		before.Commit = ""
	}
	if other, known := l.amended[entry.Commit]; known && other != before.Commit {
		before.Commit = ""
	}
	l.amended[entry.Commit] = before.Commit
}

// rebasing returns the step of a rebase that an entry of a log tells of: start, pick,
// finish and the like, as in "rebase (start): checkout main" or "pull --rebase
// https://x.example/y main (pick): subject". It is "" where no rebase was at work.
func rebasing(said string) string {
	if !strings.HasPrefix(said, "rebase") && !strings.HasPrefix(said, "pull") {
		return ""
	}
	head, _, _ := strings.Cut(said, "): ") // a subject may have the same in it
	_, does, _ := strings.Cut(head, " (")
	if strings.HasPrefix(said, "rebase finished: ") {
		return "finish" // by git before 2.26
	}
	return does
}

// committed reports whether git noted that what a commit brought was committed here, by
// hand. What was committed where a rebase or a cherry-pick had stopped is whosever it was
// before; so is what an amended commit had before.
func (l *clonelog) committed(a *gitops.Brought) bool {
	return !a.Merged() && l.stopped[a.Commit] == "" && l.byHand(a, a.Said)
}

// byHand reports whether a commit that git noted so has a content of its own: not what was
// picked, nor what the amended commit had.
func (l *clonelog) byHand(b *gitops.Brought, said string) bool {
	if strings.HasPrefix(said, "commit (amend)") {
		before := l.amended[b.Commit]
		return before != "" && !l.brought[before][string(b.Blob)]
	}
	return strings.HasPrefix(said, "commit:") || strings.HasPrefix(said, "commit (initial)")
}

// combinedHere takes out what a merge or a rebase of this clone made of contents that are
// trusted, until nothing more is found.
func (q *question) combinedHere(ctx context.Context, left map[gitops.ObjectID][]gitops.Brought) error {
	mergedHere(left, q.log.merges)
	for _, r := range q.log.rebases {
		if len(left) == 0 {
			break
		}
		if q.hasEnough(r) {
			continue
		}
		if err := q.rebasedHere(ctx, r, left); err != nil {
			return err
		}
		mergedHere(left, q.log.merges)
	}
	return nil
}

// rebasedHere takes out what a rebase made, if all that the branch had before is trusted.
// A rebase may pick other commits too, so what it made must be of a file that the branch
// had touched, in a commit with the author and the time of one that was moved. Where the
// rebase had stopped, it may be of any file, and what was committed by hand by any author.
func (q *question) rebasedHere(ctx context.Context, r rebase, left map[gitops.ObjectID][]gitops.Brought) error {
	made, err := q.Repo.History().Since(ctx, r.to, r.onto)
	if err != nil || !anyOf(left, made) {
		return err
	}
	trusted, err := q.trustsRebased(ctx, r)
	if err != nil || !trusted {
		return err
	}
	return q.removeMoved(ctx, r, left, made)
}

// hasEnough reports whether so many rebases were asked about that another one is not.
func (q *question) hasEnough(r rebase) bool {
	_, seen := q.rebases[r]
	return !seen && len(q.rebases) >= mostRebases
}

// removeMoved takes out what commits of a rebase made of those that it moved.
func (q *question) removeMoved(ctx context.Context, r rebase, left map[gitops.ObjectID][]gitops.Brought,
	made map[gitops.ObjectID]bool,
) error {
	onto := []gitops.ObjectID{r.onto}
	moved, err := q.Repo.History().BroughtSince(ctx, r.from, onto, spec(q.Folder, q.settings.Folds))
	if err != nil || len(moved) == 0 {
		return err
	}
	paths, authors := map[string]bool{}, map[string]bool{}
	for _, m := range moved {
		paths[m.Path], authors[m.Author+" "+m.Written] = true, true
	}
	remove(left, func(b *gitops.Brought) bool {
		if b.Merged() || !made[b.Commit] {
			return false
		}
		moves := authors[b.Author+" "+b.Written]
		return moves && paths[b.Path] || q.madeWhileStopped(ctx, b, moves)
	})
	return nil
}

// trustsRebased reports whether all that a branch had before a rebase is trusted.
func (q *question) trustsRebased(ctx context.Context, r rebase) (bool, error) {
	if own, seen := q.rebases[r]; seen {
		return own, nil
	}
	q.rebases[r] = false // while it is being found out
	waits, err := q.unreviewed(ctx, r.from)
	if err != nil {
		return false, err
	}
	q.rebases[r] = len(waits) == 0
	return q.rebases[r], nil
}

// madeWhileStopped reports whether a commit was made by whoever commits here while a rebase had
// stopped: by hand, or to go on with a commit that it moves.
func (q *question) madeWhileStopped(ctx context.Context, b *gitops.Brought, moves bool) bool {
	said := q.log.stopped[b.Commit]
	continued := moves && strings.HasPrefix(said, "commit (rebase)")
	return (continued || q.log.byHand(b, said)) && q.byMe(ctx, b)
}

// anyOf reports whether one of some commits brought something that is left.
func anyOf(left map[gitops.ObjectID][]gitops.Brought, commits map[gitops.ObjectID]bool) bool {
	for _, list := range left {
		if slices.ContainsFunc(list, func(b gitops.Brought) bool { return commits[b.Commit] }) {
			return true
		}
	}
	return false
}

// mergedHere takes out what a merge of this clone made of contents that are trusted.
func mergedHere(left map[gitops.ObjectID][]gitops.Brought, merges map[gitops.ObjectID]bool) {
	remove(left, func(b *gitops.Brought) bool { return b.Merged() && merges[b.Commit] })
}

// remove takes out what was made of trusted contents alone by commits that make trusted
// contents of those.
func remove(left map[gitops.ObjectID][]gitops.Brought, makes func(*gitops.Brought) bool) {
	waits := func(blob gitops.ObjectID) bool { _, waits := left[blob]; return waits }
	trusted := func(b gitops.Brought) bool { return makes(&b) && !slices.ContainsFunc(b.Before, waits) }
	for before := -1; before != len(left); {
		before = len(left)
		maps.DeleteFunc(left, func(_ gitops.ObjectID, list []gitops.Brought) bool {
			return slices.ContainsFunc(list, trusted)
		})
	}
}
