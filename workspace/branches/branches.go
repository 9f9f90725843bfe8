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
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/places"
)

// follower is one run of [FollowMerges].
type follower struct {
	w      *workspace.Workspace
	marks  workspace.Marks
	there  map[string]gitops.ObjectID // tips of branches, by their names in git
	left   map[string]gitops.Left     // branches that this working tree has left
	judged map[string]bool            // what was found not to be merged, see judgedFile
	noted  map[string]bool            // the same of this run
}

// judgedFile names, in the cache folder, what was found not to be merged: a tip and
// the commit that did not hold its work, one pair a line.
const judgedFile = "unmerged"

// maxJudged bounds its lines.
const maxJudged = 500

// FollowMerges moves what is pending for branches that were merged to where they were merged,
// in one commit of the journal, and takes off the journal what has landed there. It
// returns how many memories moved. Where nothing is pending for another branch that
// costs no git process, and again it finds nothing to do.
func FollowMerges(ctx context.Context, w *workspace.Workspace) (int, error) {
	enabled, err := w.Enabled(ctx)
	if err != nil || !enabled || w.Journal.Writable(ctx) != nil || w.Repo.Root == "" {
		return 0, err
	}
	snap, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	folders, err := snap.Folders(ctx, "pending")
	if err != nil {
		return 0, fmt.Errorf("reading the journal: %w", err)
	}
	here := w.Secrets.Branch(ctx, w.Repo.Topic)
	folders = slices.DeleteFunc(folders, func(f string) bool {
		name, ok := gitops.DecodeBranch(f)
		return !ok || name == "" || name == here
	})
	if len(folders) == 0 {
		return 0, nil
	}
	h := &follower{w: w, marks: w.Journal.Marks(ctx), there: map[string]gitops.ObjectID{}, noted: map[string]bool{}}
	branches, err := w.Repo.Branches(ctx)
	if err != nil {
		return 0, err
	}
	names := map[string]string{} // as the journal names them, to git's names
	for _, b := range branches {
		h.there[b.Name] = b.Commit
		names[w.Secrets.Branch(ctx, b.Name)] = b.Name
	}
	h.judged = h.readJudged()
	moves := map[string]string{} // of names in the journal
	for _, f := range folders {
		name, _ := gitops.DecodeBranch(f)
		into, err := h.mergedInto(ctx, names[name], name)
		if err != nil {
			return 0, err
		}
		if into != "" {
			moves[name] = w.Secrets.Branch(ctx, into)
		}
	}
	h.keepJudged()
	if standard := w.Secrets.Branch(ctx, h.standard(ctx)); standard != "" && standard != here {
		moves[standard] = standard // what has landed there leaves its list
	}
	return h.move(ctx, moves, names)
}

func (h *follower) standard(ctx context.Context) string {
	return workspace.DefaultBranch(ctx, h.w.Repo)
}

// mergedInto returns the branch that holds the work of another one, in git's names;
// "" for none. name is the name of the other one in the journal, git its name in git, ""
// where it is gone.
func (h *follower) mergedInto(ctx context.Context, git, name string) (string, error) {
	standard := h.standard(ctx)
	if git == standard && git != "" || name == standard {
		return "", nil
	}
	tip, own, err := h.tipOf(ctx, git, name)
	if err != nil || tip == "" {
		return "", err
	}
	targets := []string{standard}
	if git == "" && h.w.Repo.Topic != standard { // one that is there may go on
		targets = append(targets, h.w.Repo.Topic)
	}
	for _, target := range targets {
		if h.there[target] == "" {
			continue
		}
		revs := []gitops.ObjectID{h.there[target]}
		if target == standard { // the merge may not have been pulled yet
			if id, err := h.w.Repo.History().Commit(ctx, "refs/remotes/origin/"+standard); err == nil && id != revs[0] {
				revs = append(revs, id)
			}
		}
		for _, rev := range revs {
			if merged, err := h.holds(ctx, rev, tip, own); err != nil || merged {
				return target, err
			}
		}
	}
	return "", nil
}

// tipOf returns the last commit of a branch, "" where nobody knows, and whether a
// commit was made on it.
func (h *follower) tipOf(ctx context.Context, git, name string) (tip gitops.ObjectID, own bool, err error) {
	if h.left == nil {
		if h.left, err = h.w.Repo.History().Left(ctx); err != nil {
			return "", false, err
		}
		if h.left == nil {
			h.left = map[string]gitops.Left{}
		}
	}
	left := h.left[name]
	if git != "" {
		return h.there[git], h.left[git].Own, nil
	}
	if id, err := h.w.Repo.History().Commit(ctx, "refs/remotes/origin/"+name); err == nil {
		return id, left.Own, nil
	} else if !errors.Is(err, gitops.ErrNoRevision) {
		return "", false, err
	}
	if left.Tip == "" {
		return "", false, nil
	}
	id, err := h.w.Repo.History().Commit(ctx, string(left.Tip)) // it may have been collected
	if errors.Is(err, gitops.ErrNoRevision) {
		return "", false, nil
	}
	return id, left.Own, err
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
	if err != nil || reachable {
		return reachable && tip != rev && (own || !first) || reachable && tip == rev && own, err
	}
	landed, err := history.AddedBy(ctx, rev, tip, workspace.MemoriesDir)
	if err != nil {
		return false, err
	}
	if len(landed) > 0 {
		if found, err := h.w.Repo.PathsAt(ctx, string(rev), landed); err != nil || len(found) == len(landed) {
			return err == nil, err
		}
	}
	squashed, err := history.Squashed(ctx, rev, tip, func(p string) bool { return !strings.HasPrefix(p, workspace.Dir+"/") })
	if err == nil && !squashed {
		h.noted[pair] = true
	}
	return squashed, err
}

// move makes what is pending for a branch pending for another, as moves say in names
// of the journal. What is a file there already leaves the journal.
func (h *follower) move(ctx context.Context, moves, names map[string]string) (moved int, err error) {
	if len(moves) == 0 {
		return 0, nil
	}
	snap, err := h.w.Journal.Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	landed := map[string]bool{} // paths in the journal
	for _, from := range slices.Sorted(maps.Keys(moves)) {
		prefix := gitops.PendingPrefix(from)
		entries, err := snap.List(ctx, prefix)
		if err != nil {
			return 0, fmt.Errorf("reading the journal: %w", err)
		}
		paths := make([]string, len(entries))
		for i, e := range entries {
			paths[i] = workspace.MemoryPath(strings.TrimPrefix(e.Path, prefix+"/"))
		}
		found, err := h.w.Repo.PathsAt(ctx, string(h.there[names[moves[from]]]), paths)
		if err != nil {
			return 0, err
		}
		for i, e := range entries {
			if _, ok := found[paths[i]]; ok {
				landed[e.Path] = true
			}
		}
		if len(landed) == 0 && moves[from] == from {
			delete(moves, from)
		}
	}
	if len(moves) == 0 {
		return 0, nil
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

// moveIn adds the move of one branch to a change. What came from a remote stays: there
// the branch may go on.
func (h *follower) moveIn(ctx context.Context, snap *gitops.Snapshot, c *gitops.Change, from, to string, landed map[string]bool) (moved int, err error) {
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

func (h *follower) readJudged() map[string]bool {
	data, _ := os.ReadFile(filepath.Join(h.w.Repo.CacheDir(), judgedFile)) // without it git is asked again
	out := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		out[strings.TrimSuffix(line, "\n")] = true
	}
	return out
}

func (h *follower) keepJudged() {
	if maps.Equal(h.judged, h.noted) || len(h.noted) > maxJudged {
		return
	}
	text := ""
	for _, pair := range slices.Sorted(maps.Keys(h.noted)) {
		text += pair + "\n"
	}
	_ = atomicfile.WritePath(filepath.Join(h.w.Repo.CacheDir(), judgedFile), []byte(text), atomicfile.Options{NoSync: true})
}
