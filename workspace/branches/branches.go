// Package branches moves what is pending for merged branches to where they were merged.
// Call [FollowMerges] after a commit, and before saying what is pending.
//
// A branch that was merged takes what is pending for it along: to the default branch,
// or, where only the branch that is checked out has its work, to that one. How it was
// merged does not matter, nor whether it is still there. It promises that what a branch
// that is gone without a merge left behind stays where it is, and that each run is one
// commit of the journal, after which another run finds nothing to do.
package branches

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/places"
)

// follower is one run of [FollowMerges]. A branch has a name in git and one in the journal.
type follower struct {
	w        *workspace.Workspace
	marks    workspace.Marks
	standard string                                 // the default branch, by its name in git
	tips     map[string]gitops.ObjectID             // of branches, by their names in git
	names    map[string]string                      // in git, by those in the journal
	left     func() (map[string]gitops.Left, error) // branches that this working tree has left
	// tips, each with a commit that did not hold its work, see [facts.Judged]
	judged map[string]bool
	noted  map[string]bool // the same of this run
}

// maxJudged bounds how many of them are kept.
const maxJudged = 500

// FollowMerges moves what is pending for branches that were merged to where they were merged,
// in one commit of the journal, and takes off the journal what has landed there. It
// returns how many memories moved. Where nothing is pending for another branch that
// costs no git process, and again it finds nothing to do.
func FollowMerges(ctx context.Context, w *workspace.Workspace) (int, error) {
	here := w.Secrets.Branch(ctx, w.Repo.Topic)
	waiting, err := waitingElsewhere(ctx, w, here)
	if err != nil || len(waiting) == 0 {
		return 0, err
	}
	h, err := newFollower(ctx, w)
	if err != nil {
		return 0, err
	}
	moves := map[string]string{} // of names in the journal
	for _, name := range waiting {
		into, err := h.mergedInto(ctx, name)
		if err != nil {
			return 0, err
		}
		if into != "" {
			moves[name] = w.Secrets.Branch(ctx, into)
		}
	}
	h.keepJudged()
	if standard := w.Secrets.Branch(ctx, h.standard); standard != "" && standard != here {
		moves[standard] = standard // what has landed there leaves its list
	}
	return h.move(ctx, moves)
}

// waitingElsewhere are the other branches for which something is pending, by their names in the
// journal. In a clone that is not set up, or in which nothing may be written, there are none.
func waitingElsewhere(ctx context.Context, w *workspace.Workspace, here string) ([]string, error) {
	enabled, err := w.Enabled(ctx)
	if err != nil || !enabled || w.Journal.Writable(ctx) != nil || w.Repo.Root == "" {
		return nil, err
	}
	snap, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	folders, err := snap.Folders(ctx, "pending")
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	var names []string
	for _, f := range folders {
		if name, ok := gitops.DecodeBranch(f); ok && name != "" && name != here {
			names = append(names, name)
		}
	}
	return names, nil
}

func newFollower(ctx context.Context, w *workspace.Workspace) (*follower, error) {
	h := &follower{
		w: w, marks: w.Journal.Marks(ctx), standard: workspace.DefaultBranch(ctx, w.Repo),
		tips: map[string]gitops.ObjectID{}, names: map[string]string{}, judged: map[string]bool{},
		noted: map[string]bool{},
		left:  sync.OnceValues(func() (map[string]gitops.Left, error) { return w.Repo.History().Left(ctx) }),
	}
	branches, err := w.Repo.Branches(ctx)
	for _, b := range branches {
		h.tips[b.Name] = b.Commit
		h.names[w.Secrets.Branch(ctx, b.Name)] = b.Name
	}
	pairs, _ := facts.Kept[[]string](w.Repo, facts.Judged, "") // without it git is asked again
	for _, pair := range pairs {
		h.judged[pair] = true
	}
	return h, err
}

func (h *follower) keepJudged() {
	if !maps.Equal(h.judged, h.noted) && len(h.noted) <= maxJudged {
		facts.Keep(h.w.Repo, facts.Judged, "", slices.Sorted(maps.Keys(h.noted)))
	}
}

// mergedInto returns the branch that holds the work of another one, by its name in git; "" for
// none. The other one is named as in the journal.
func (h *follower) mergedInto(ctx context.Context, name string) (string, error) {
	git := h.names[name] // "" where the branch is gone
	if name == h.standard || git != "" && git == h.standard {
		return "", nil
	}
	tip, own, err := h.tipOf(ctx, git, name)
	if err != nil || tip == "" {
		return "", err
	}
	for _, target := range h.targets(ctx, git == "") {
		if merged, err := h.holds(ctx, target.Commit, tip, own); err != nil || merged {
			return target.Name, err
		}
	}
	return "", nil
}

// targets are the branches that may hold the work of another one, with their commits: the default
// branch, also as it was last seen at its remote, since a merge may not have been pulled yet. The
// branch that is checked out is one where the other is gone; one that is there may go on.
func (h *follower) targets(ctx context.Context, gone bool) []gitops.Branch {
	var all []gitops.Branch
	if tip := h.tips[h.standard]; tip != "" {
		all = append(all, gitops.Branch{Name: h.standard, Commit: tip})
		if id, err := h.w.Repo.History().Commit(ctx, "refs/remotes/origin/"+h.standard); err == nil && id != tip {
			all = append(all, gitops.Branch{Name: h.standard, Commit: id})
		}
	}
	topic := h.w.Repo.Topic
	if gone && topic != h.standard && h.tips[topic] != "" {
		all = append(all, gitops.Branch{Name: topic, Commit: h.tips[topic]})
	}
	return all
}

// tipOf returns the last commit of a branch, "" where nobody knows, and whether a
// commit was made on it.
func (h *follower) tipOf(ctx context.Context, git, name string) (tip gitops.ObjectID, own bool, err error) {
	left, err := h.left()
	if err != nil {
		return "", false, err
	}
	if git != "" {
		return h.tips[git], left[git].Own, nil
	}
	tip, err = h.known(ctx, "refs/remotes/origin/"+name)
	if err == nil && tip == "" && left[name].Tip != "" {
		tip, err = h.known(ctx, string(left[name].Tip)) // it may have been collected
	}
	return tip, left[name].Own, err
}

// known is the commit that a revision names, "" where there is none.
func (h *follower) known(ctx context.Context, rev string) (gitops.ObjectID, error) {
	id, err := h.w.Repo.History().Commit(ctx, rev)
	if errors.Is(err, gitops.ErrNoRevision) {
		return "", nil
	}
	return id, err
}

// holds reports whether rev has the work of a branch with that tip: it was merged, or
// squashed, or all that it landed is there.
func (h *follower) holds(ctx context.Context, rev, tip gitops.ObjectID, own bool) (bool, error) {
	pair := string(tip) + " " + string(rev)
	if h.judged[pair] {
		h.noted[pair] = true
		return false, nil
	}
	history := h.w.Repo.History()
	reachable, first, err := history.Reachable(ctx, tip, rev)
	if err != nil {
		return false, err
	}
	if reachable {
		return own || tip != rev && !first, nil // else it may be where the branch only began
	}
	if landed, err := h.hasLanded(ctx, rev, tip); err != nil || landed {
		return landed, err
	}
	squashed, err := history.Squashed(ctx, rev, tip,
		func(p string) bool { return !strings.HasPrefix(p, workspace.Dir+"/") })
	if err == nil && !squashed {
		h.noted[pair] = true
	}
	return squashed, err
}

// hasLanded reports whether rev has all memories that a branch with that tip landed, if it did.
func (h *follower) hasLanded(ctx context.Context, rev, tip gitops.ObjectID) (bool, error) {
	landed, err := h.w.Repo.History().AddedBy(ctx, rev, tip, workspace.MemoriesDir)
	if err != nil || len(landed) == 0 {
		return false, err
	}
	found, err := h.w.Repo.PathsAt(ctx, string(rev), landed)
	return err == nil && len(found) == len(landed), err
}

// move makes what is pending for a branch pending for another, as moves say in names
// of the journal. What is a file there already leaves the journal.
func (h *follower) move(ctx context.Context, moves map[string]string) (moved int, err error) {
	landed, err := h.landed(ctx, moves)
	if err != nil || len(moves) == 0 {
		return 0, err
	}
	err = h.w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{When: h.w.Now(), Trailers: h.w.Trailers("", ""), Put: map[string][]byte{}}
		moved = 0
		for _, from := range slices.Sorted(maps.Keys(moves)) {
			n, err := h.moveIn(ctx, snap, &c, from, moves[from], landed)
			if err != nil {
				return c, err
			}
			moved += n
		}
		c.Message = fmt.Sprintf("home: %s of merged branches", workspace.CountMemories(moved))
		if len(c.Put)+len(c.Remove) == 0 {
			return c, errNothingToMove
		}
		return c, nil
	})
	if errors.Is(err, errNothingToMove) {
		return 0, nil
	}
	return moved, err
}

var errNothingToMove = errors.New("nothing to move")

// landed returns the paths in the journal of those memories that are files where they would move
// to. A branch that would only give such up, and has none, is taken out of moves.
func (h *follower) landed(ctx context.Context, moves map[string]string) (map[string]bool, error) {
	landed := map[string]bool{}
	if len(moves) == 0 {
		return landed, nil
	}
	snap, err := h.w.Journal.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	for _, from := range slices.Sorted(maps.Keys(moves)) {
		at := string(h.tips[h.names[moves[from]]])
		n, err := addLanded(ctx, h.w.Repo, snap, from, at, landed)
		if err != nil {
			return nil, err
		}
		if n == 0 && moves[from] == from {
			delete(moves, from)
		}
	}
	return landed, nil
}

// addLanded adds the paths in the journal of those memories of a branch that a commit has as
// files, and returns how many there are.
func addLanded(ctx context.Context, repo *gitops.Repo, snap *gitops.Snapshot, branch, commit string,
	landed map[string]bool,
) (int, error) {
	prefix := gitops.PendingPrefix(branch)
	entries, err := snap.List(ctx, prefix)
	if err != nil {
		return 0, fmt.Errorf("reading the journal: %w", err)
	}
	paths := make([]string, len(entries))
	for i, e := range entries {
		paths[i] = workspace.MemoryPath(strings.TrimPrefix(e.Path, prefix+"/"))
	}
	found, err := repo.PathsAt(ctx, commit, paths)
	for i, e := range entries {
		if _, ok := found[paths[i]]; ok {
			landed[e.Path] = true
		}
	}
	return len(found), err
}

// moveIn adds the move of one branch to a change. What came from a remote stays: there
// the branch may go on.
func (h *follower) moveIn(ctx context.Context, snap *gitops.Snapshot, c *gitops.Change, from, to string,
	landed map[string]bool,
) (moved int, err error) {
	entries, err := snap.List(ctx, gitops.PendingPrefix(from))
	if err != nil {
		return 0, fmt.Errorf("reading the journal: %w", err)
	}
	err = snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		m, err := memory.Parse(e.Path, data)
		switch {
		case err != nil || h.marks.Memory(m.ID):
		case landed[e.Path]:
			c.Remove = append(c.Remove, e.Path)
		case from != to:
			path, err := places.New(ctx, snap, to, m)
			if err != nil {
				return err
			}
			there, ok, err := snap.File(ctx, path)
			if err != nil {
				return err
			}
			if old, err := memory.Parse(path, there); !ok || err == nil && old.Updated.Before(m.Updated) {
				c.Put[path] = data
			}
			c.Remove = append(c.Remove, e.Path)
			moved++
		}
		return nil
	})
	return moved, err
}
