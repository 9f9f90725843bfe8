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
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/places"
	"github.com/git-cortex/cortex/workspace/internal/view"
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
	standard := w.Secrets.Branch(ctx, h.standard)
	moves := map[string]string{} // of names in the journal
	for _, name := range waiting {
		if name == standard {
			moves[name] = standard // what has landed there leaves its list
			continue
		}
		if moves[name], err = h.mergedInto(ctx, name); err != nil {
			return 0, err
		}
	}
	h.keepJudged()
	maps.DeleteFunc(moves, func(_, to string) bool { return to == "" })
	return h.move(ctx, moves)
}

// waitingElsewhere are the other branches for which something is pending, by their names in the
// journal. In a clone that is not set up, or in which nothing may be written, there are none.
func waitingElsewhere(ctx context.Context, w *workspace.Workspace, here string) ([]string, error) {
	enabled, err := w.Enabled(ctx)
	if err != nil || !enabled {
		return nil, err
	}
	if w.Journal.Writable(ctx) != nil {
		return nil, nil
	}
	snap, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	folders, err := snap.Folders(ctx, "pending")
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	names := lists.Map(folders, func(folder string) string {
		name, _ := gitops.DecodeBranch(folder)
		return name
	})
	return lists.Without(names, func(name string) bool { return slices.Contains([]string{"", here}, name) }), nil
}

func newFollower(ctx context.Context, w *workspace.Workspace) (*follower, error) {
	h := &follower{
		w: w, marks: w.Journal.Marks(ctx), standard: view.DefaultBranch(ctx, w.Repo),
		tips: map[string]gitops.ObjectID{}, names: map[string]string{}, noted: map[string]bool{},
		left: sync.OnceValues(func() (map[string]gitops.Left, error) { return w.Repo.History().Left(ctx) }),
	}
	branches, err := w.Repo.Branches(ctx)
	for _, b := range branches {
		h.tips[b.Name] = b.Commit
		h.names[w.Secrets.Branch(ctx, b.Name)] = b.Name
	}
	pairs, _ := facts.Kept[[]string](w.Repo, facts.Judged, "") // without it git is asked again
	h.judged = lists.Set(pairs)
	return h, err
}

func (h *follower) keepJudged() {
	if !maps.Equal(h.judged, h.noted) && len(h.noted) <= maxJudged {
		facts.Keep(h.w.Repo, facts.Judged, "", slices.Sorted(maps.Keys(h.noted)))
	}
}

// mergedInto returns the branch that holds the work of another one; "" for none. Both are named
// as in the journal.
func (h *follower) mergedInto(ctx context.Context, name string) (string, error) {
	git := h.names[name] // "" where the branch is gone
	tip, own, err := h.tipOf(ctx, git, name)
	if err != nil || tip == "" {
		return "", err
	}
	for _, target := range h.targets(ctx, git == "") {
		merged, err := h.holds(ctx, target.Commit, tip, own)
		if err != nil {
			return "", err
		}
		if merged {
			return h.w.Secrets.Branch(ctx, target.Name), nil
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
		remote, _ := h.known(ctx, "refs/remotes/origin/"+h.standard)
		all = append(all, gitops.Branch{Name: h.standard, Commit: tip}, gitops.Branch{Name: h.standard, Commit: remote})
	}
	if topic := h.w.Repo.Topic; gone && topic != h.standard {
		all = append(all, gitops.Branch{Name: topic, Commit: h.tips[topic]})
	}
	all = lists.Without(all, func(b gitops.Branch) bool { return b.Commit == "" })
	return slices.Compact(all)
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
	if err == nil && tip == "" {
		tip, err = h.known(ctx, string(left[name].Tip)) // it may have been collected
	}
	return tip, left[name].Own, err
}

// known is the commit that a revision names, "" where there is none.
func (h *follower) known(ctx context.Context, rev string) (gitops.ObjectID, error) {
	if rev == "" {
		return "", nil
	}
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
	reachable, first, err := h.w.Repo.History().Reachable(ctx, tip, rev)
	if err != nil {
		return false, err
	}
	if reachable {
		began := first || tip == rev // it may be where the branch only began
		return own || !began, nil
	}
	merged, err := h.hasWork(ctx, rev, tip)
	if err != nil {
		return false, err
	}
	if !merged {
		h.noted[pair] = true
	}
	return merged, nil
}

// hasWork reports whether rev has what commits brought that it does not lead to.
func (h *follower) hasWork(ctx context.Context, rev, tip gitops.ObjectID) (bool, error) {
	if landed, err := h.hasLanded(ctx, rev, tip); err != nil || landed {
		return landed, err
	}
	at, err := h.w.Repo.History().Squashed(ctx, rev, tip, view.IsWork)
	return at != "", err
}

// hasLanded reports whether rev has all memories that a branch with that tip landed, if it did.
func (h *follower) hasLanded(ctx context.Context, rev, tip gitops.ObjectID) (bool, error) {
	landed, err := h.w.Repo.History().AddedBy(ctx, rev, tip, workspace.MemoriesDir)
	if err != nil || len(landed) == 0 {
		return false, err
	}
	found, err := h.w.Repo.PathsAt(ctx, string(rev), landed)
	return len(found) == len(landed), err
}

// move makes what is pending for a branch pending for another, as moves say in names
// of the journal. What is a file there already leaves the journal.
func (h *follower) move(ctx context.Context, moves map[string]string) (moved int, err error) {
	if len(moves) == 0 {
		return 0, nil
	}
	err = h.w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{When: h.w.Now(), Trailers: h.w.Trailers("", ""), Put: map[string][]byte{}}
		moved = 0
		for _, from := range slices.Sorted(maps.Keys(moves)) {
			n, err := h.moveIn(ctx, snap, &c, from, moves[from])
			if err != nil {
				return c, err
			}
			moved += n
		}
		c.Message = fmt.Sprintf("home: %s of merged branches", notices.Memories(moved))
		return c, nil
	})
	return moved, err
}

// landed finds those of some pending memories that are files in the branch to, by the paths of these.
func (h *follower) landed(ctx context.Context, pending []gitops.Entry, to string) (map[string]gitops.ObjectID, error) {
	paths := make([]string, len(pending))
	for i, e := range pending {
		paths[i] = fileOf(e)
	}
	return h.w.Repo.PathsAt(ctx, string(h.tips[h.names[to]]), paths)
}

// fileOf is the path at which a pending memory lands.
func fileOf(e gitops.Entry) string { return view.MemoryPath(strings.SplitN(e.Path, "/", 3)[2]) }

// moveIn adds the move of one branch to a change. What came from a remote stays: there
// the branch may go on.
func (h *follower) moveIn(ctx context.Context, snap *gitops.Snapshot, c *gitops.Change,
	from, to string,
) (moved int, err error) {
	entries, err := snap.List(ctx, gitops.PendingPrefix(from))
	if err != nil {
		return 0, fmt.Errorf("reading the journal: %w", err)
	}
	landed, err := h.landed(ctx, entries, to)
	if err != nil {
		return 0, err
	}
	err = snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		m, err := memory.Parse(e.Path, data)
		switch {
		case err != nil || h.marks.Memory(m.ID):
		case landed[fileOf(e)] != "":
			c.Remove = append(c.Remove, e.Path)
		case from != to:
			moved++
			c.Remove = append(c.Remove, e.Path)
			return put(ctx, snap, c, to, m, data)
		}
		return nil
	})
	return moved, err
}

// put adds a memory to those that are pending for a branch, unless the same one is there as new.
func put(ctx context.Context, snap *gitops.Snapshot, c *gitops.Change, branch string, m *memory.Memory,
	data []byte,
) error {
	path, err := places.New(ctx, snap, branch, m)
	if err != nil {
		return err
	}
	there, _, err := snap.File(ctx, path)
	if err != nil {
		return err
	}
	if old, _ := memory.Parse(path, there); old == nil || old.Updated.Before(m.Updated) {
		c.Put[path] = data
	}
	return nil
}
