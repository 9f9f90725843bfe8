package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
)

// DetachedName is what people type for a detached HEAD where a branch is asked
// for. No branch can be called that.
const DetachedName = "HEAD"

// Stray is what waits for a branch that no longer exists. Nothing of it is lost
// and nothing of it lands before somebody says where to.
type Stray struct {
	Branch  string   `json:"branch"`               // as the journal names it; HEAD for a detached one
	Pending int      `json:"pending"`              // memories that are neither landed nor pending here
	Titles  []string `json:"titles"`               // of those that can be read
	Renamed string   `json:"renamed_to,omitempty"` // the branch it was renamed to, if git remembers and it is there

	branch  string // "" for a detached HEAD
	entries []gitops.Entry
}

// Strays finds what waits for branches that were renamed or deleted, and for a
// detached HEAD that no worktree is on any more. What has landed on some branch
// meanwhile, by a squash merge for one, does not count, nor what was refused,
// nor what came from another clone, where the branch may well be.
// Where nothing waits for another branch this costs no git process.
func (w *Workspace) Strays(ctx context.Context) ([]Stray, error) {
	snap, err := w.journal(ctx)
	if err != nil {
		return nil, err
	}
	folders, err := snap.Folders(ctx, "pending")
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	here := w.journalBranchFor(ctx, snap, w.Repo.Topic)
	var names []string
	for _, f := range folders {
		if name, ok := gitops.DecodeBranch(f); ok && name != here {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	known, err := w.knownBranches(ctx)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return known[name] })
	if len(names) == 0 {
		return nil, nil
	}
	renames, err := w.Repo.History().Renames(ctx)
	if err != nil {
		return nil, err
	}
	settled, err := w.settledHere(ctx)
	if err != nil {
		return nil, err
	}
	var out []Stray
	for _, name := range names {
		s := Stray{Branch: cmp.Or(name, DetachedName), branch: name, Renamed: w.renamed(name, renames, known)}
		if err = w.unsettled(ctx, snap, &s, settled); err != nil {
			return nil, err
		}
		if s.Pending = len(s.entries); s.Pending > 0 {
			out = append(out, s)
		}
	}
	return out, nil
}

// knownBranches are the branches there are, and those that worktrees are on, as
// the journal names them. "" is a detached HEAD of some worktree.
func (w *Workspace) knownBranches(ctx context.Context) (map[string]bool, error) {
	branches, err := w.Repo.Branches(ctx)
	if err != nil {
		return nil, err
	}
	unborn, detached, err := w.Repo.Checkouts(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{"": detached}
	for _, b := range branches {
		known[w.journalBranch(b.Name)] = true
	}
	for _, name := range unborn {
		known[w.journalBranch(name)] = true
	}
	return known, nil
}

// renamed follows the renames of a branch to one that is there.
func (w *Workspace) renamed(name string, renames map[string]string, known map[string]bool) string {
	byJournal := map[string]string{}
	for from, to := range renames {
		byJournal[w.journalBranch(from)] = to
	}
	for range len(renames) {
		to, ok := byJournal[name]
		if !ok {
			return ""
		}
		if name = w.journalBranch(to); known[name] {
			return to
		}
	}
	return ""
}

// settledHere are the memories that have landed here, or are pending here.
func (w *Workspace) settledHere(ctx context.Context) (map[memory.ID]bool, error) {
	v, err := w.View(ctx, ViewOptions{bare: true})
	if err != nil {
		return nil, err
	}
	settled := make(map[memory.ID]bool, len(v.Items))
	for i := range v.Items {
		settled[v.index.ID(i)] = true
	}
	return settled, nil
}

// unsettled finds the pending memories of a branch that have not landed
// anywhere, are not pending here too, and were not refused.
func (w *Workspace) unsettled(ctx context.Context, snap *gitops.Snapshot, s *Stray, settled map[memory.ID]bool) error {
	prefix := gitops.PendingPrefix(s.branch)
	entries, err := snap.List(ctx, prefix)
	if err != nil {
		return fmt.Errorf("reading the journal: %w", err)
	}
	paths := make([]string, len(entries))
	for i, e := range entries {
		paths[i] = memoryPath(strings.TrimPrefix(e.Path, prefix+"/"))
	}
	landed, err := w.Repo.Somewhere(ctx, paths)
	if err != nil {
		return err
	}
	s.Titles = []string{}
	marks := w.Received(ctx)
	return snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		m, err := memory.Parse(e.Path, data)
		short, _ := shortOf(e.Path)
		switch {
		case marks[short]:
		case landed[memoryPath(strings.TrimPrefix(e.Path, prefix+"/"))]:
		case err != nil: // of whatever kind: it is not ours to drop
			s.entries = append(s.entries, e)
		case settled[m.ID]:
		default:
			if _, refused, err := snap.File(ctx, dismissedPath(m.ID)); err == nil && refused {
				return nil
			}
			s.entries, s.Titles = append(s.entries, e), append(s.Titles, m.Title)
		}
		return nil
	})
}

// ErrNoStray is returned for a branch that is there, or for which nothing waits.
var ErrNoStray = errors.New("nothing waits for a branch of that name that is gone")

// Rehome makes what waits for a branch that is gone pending for another one:
// to, or, when that is "", the branch it was renamed to, or the current one. It
// is one commit of the journal.
func (w *Workspace) Rehome(ctx context.Context, from, to string) (Decision, error) {
	w.staleJournal()
	strays, err := w.Strays(ctx)
	if err != nil {
		return Decision{}, err
	}
	i := slices.IndexFunc(strays, func(s Stray) bool { return s.Branch == from || s.Branch == w.journalBranch(from) })
	if i < 0 {
		return Decision{}, fmt.Errorf("%s: %w", from, ErrNoStray)
	}
	return w.rehome(ctx, strays[i], to)
}

func (w *Workspace) rehome(ctx context.Context, s Stray, to string) (Decision, error) {
	to = cmp.Or(to, s.Renamed, w.Repo.Topic)
	if to == "" {
		return Decision{}, errors.New("HEAD is detached: switch to the branch that the memories are for")
	}
	branch := w.journalBranch(to)
	known, err := w.knownBranches(ctx)
	if err != nil {
		return Decision{}, err
	}
	if !known[branch] {
		return Decision{}, fmt.Errorf("%s: %w: there is no such branch to move memories to", to, gitops.ErrNoRevision)
	}
	moved := map[string]gitops.Entry{} // new path to what was there
	message := fmt.Sprintf("rehome: %s from %s to %s", countMemories(len(s.entries)), s.Branch, branch)
	err = w.update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{Message: message, When: w.now(), Trailers: w.trailers("", branch), Put: map[string][]byte{}}
		clear(moved)
		return c, snap.Read(ctx, s.entries, func(e gitops.Entry, data []byte) error {
			path := gitops.PendingPrefix(branch) + strings.TrimPrefix(e.Path, gitops.PendingPrefix(s.branch))
			there, ok, err := snap.File(ctx, e.Path)
			if err != nil || !ok || w.Repo.Hash(there) != e.Blob || data == nil {
				return err // it moved on since it was looked at
			}
			if _, taken, err := snap.File(ctx, path); err != nil || taken {
				return err
			}
			c.Put[path], moved[path] = data, e
			c.Remove = append(c.Remove, e.Path)
			return nil
		})
	})
	d := Decision{Verb: Moved, Count: len(moved), From: s.Branch, Branch: to}
	d.undo = func(ctx context.Context) error { return w.moveBack(ctx, moved) }
	return d, err
}

// moveBack undoes a rehoming, as far as the memories are where it put them.
func (w *Workspace) moveBack(ctx context.Context, moved map[string]gitops.Entry) error {
	return w.update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{Message: "rehome: taken back", When: w.now(), Put: map[string][]byte{}}
		for path, old := range moved {
			data, ok, err := snap.File(ctx, path)
			if err != nil {
				return c, err
			}
			if ok {
				c.Put[old.Path] = data
				c.Remove = append(c.Remove, path)
			}
		}
		return c, nil
	})
}

// checkStrays looks for what waits for branches that are gone.
func (w *Workspace) checkStrays(ctx context.Context) Check {
	c := Check{Name: "pending branches", OK: true}
	strays, err := w.Strays(ctx)
	if err != nil {
		return Check{Name: c.Name, Wrong: err.Error()}
	}
	if len(strays) == 0 {
		return c
	}
	n, branches := 0, []string{}
	for _, s := range strays {
		n += s.Pending
		note := strconv.Itoa(s.Pending)
		switch {
		case s.Renamed != "":
			note += ", renamed to " + s.Renamed
		case s.Branch == DetachedName:
			note += ", detached"
		}
		branches = append(branches, s.Branch+" ("+note+")")
	}
	c.OK, c.Hint = false, "cortex review --rehome "+strays[0].Branch
	c.Wrong = waitingText(n) + ": " + strings.Join(branches, ", ")
	return c
}

// waitingText words a count of stray memories.
func waitingText(n int) string {
	if n == 1 {
		return "1 memory waits for a branch that is gone"
	}
	return fmt.Sprintf("%d memories wait for branches that are gone", n)
}
