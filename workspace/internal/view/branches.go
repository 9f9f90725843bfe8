package view

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/journal"
)

// GoneBranch is a branch that no longer exists, with the memories that wait for it. None
// of them is lost, and none lands before somebody says where to.
type GoneBranch struct {
	Branch  string   `json:"branch"`               // as the journal names it; HEAD for a detached one
	Pending int      `json:"pending"`              // memories that are neither landed nor pending here
	Titles  []string `json:"titles"`               // of those that can be read
	Renamed string   `json:"renamed_to,omitempty"` // the branch it was renamed to, if git remembers and it is there

	Entries []gitops.Entry `json:"-"` // their files in the journal
}

// JournalName returns the branch as folders of the journal are named for it: ""
// for a detached HEAD.
func (s *GoneBranch) JournalName() string {
	if s.Branch == DetachedName {
		return ""
	}
	return s.Branch
}

// GoneBranches finds what waits for branches that were renamed or deleted, and for a
// detached HEAD that no worktree is on any more. What has landed on some branch
// meanwhile, by a squash merge for one, does not count, nor what was refused,
// nor what came from another clone, where the branch may well be.
// Where nothing waits for another branch this costs no git process.
func (r *Reader) GoneBranches(ctx context.Context) ([]GoneBranch, error) {
	snap, err := r.Journal.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	names, err := r.awaited(ctx, snap)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	known, err := r.KnownBranches(ctx)
	if err != nil {
		return nil, err
	}
	names = lists.Without(names, func(name string) bool { return known[name] })
	if len(names) == 0 {
		return nil, nil
	}
	renames, err := r.renames(ctx)
	if err != nil {
		return nil, err
	}
	settled, err := r.settledHere(ctx)
	if err != nil {
		return nil, err
	}
	var out []GoneBranch
	for _, name := range names {
		renamed := r.renamed(ctx, name, renames, known)
		gone := GoneBranch{Branch: cmp.Or(name, DetachedName), Renamed: renamed, Titles: []string{}}
		if err = r.unsettled(ctx, snap, &gone, settled); err != nil {
			return nil, err
		}
		if gone.Pending = len(gone.Entries); gone.Pending > 0 {
			out = append(out, gone)
		}
	}
	return out, nil
}

// awaited are the branches but the one at hand that something is pending for.
func (r *Reader) awaited(ctx context.Context, snap *gitops.Snapshot) ([]string, error) {
	folders, err := snap.Folders(ctx, "pending")
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	here := r.Secrets.BranchIn(ctx, snap, r.Repo.Topic)
	var names []string
	for _, f := range folders {
		if name, ok := gitops.DecodeBranch(f); ok && name != here {
			names = append(names, name)
		}
	}
	return names, nil
}

// KnownBranches are the branches there are, and those that worktrees are on, as
// the journal names them. "" is a detached HEAD of some worktree.
func (r *Reader) KnownBranches(ctx context.Context) (map[string]bool, error) {
	branches, err := r.Repo.Branches(ctx)
	if err != nil {
		return nil, err
	}
	return r.knownOf(ctx, branches)
}

// knownOf is [Reader.KnownBranches] of branches that are listed already.
func (r *Reader) knownOf(ctx context.Context, branches []gitops.Branch) (map[string]bool, error) {
	unborn, detached, err := r.Repo.Checkouts(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{"": detached}
	for _, there := range branches {
		known[r.Secrets.Branch(ctx, there.Name)] = true
	}
	for _, name := range unborn {
		known[r.Secrets.Branch(ctx, name)] = true
	}
	return known, nil
}

// renames are the renames that git remembers, by the name that the journal has for the old one.
func (r *Reader) renames(ctx context.Context) (map[string]string, error) {
	renames, err := r.Repo.History().Renames(ctx)
	if err != nil {
		return nil, err
	}
	byJournal := make(map[string]string, len(renames))
	for from, to := range renames {
		byJournal[r.Secrets.Branch(ctx, from)] = to
	}
	return byJournal, nil
}

// renamed follows the renames of a branch to one that is there; "" where there is none.
func (r *Reader) renamed(ctx context.Context, name string, renames map[string]string, known map[string]bool) string {
	for range len(renames) {
		to, ok := renames[name]
		if !ok {
			return ""
		}
		if name = r.Secrets.Branch(ctx, to); known[name] {
			return to
		}
	}
	return ""
}

// settledHere are the memories that have landed here, or are pending here.
func (r *Reader) settledHere(ctx context.Context) (map[memory.ID]bool, error) {
	v, err := r.View(ctx, Options{Bare: true})
	if err != nil {
		return nil, err
	}
	settled := make(map[memory.ID]bool, len(v.Items))
	for i, it := range v.Items {
		if it.Stage != index.Pending || it.Far == FarHere {
			settled[v.ID(i)] = true
		}
	}
	return settled, nil
}

// unsettled finds the pending memories of a branch that have not landed
// anywhere, are not pending here too, and were not refused.
func (r *Reader) unsettled(ctx context.Context, snap *gitops.Snapshot, gone *GoneBranch,
	settled map[memory.ID]bool,
) error {
	prefix := gitops.PendingPrefix(gone.JournalName())
	entries, err := snap.List(ctx, prefix)
	if err != nil {
		return fmt.Errorf("reading the journal: %w", err)
	}
	paths := lists.Map(entries, func(e gitops.Entry) string { return landsAt(e.Path, prefix) })
	landed, err := r.Repo.History().Somewhere(ctx, paths)
	if err != nil {
		return err
	}
	marks := journal.MarksIn(ctx, snap)
	return snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		m, err := memory.Parse(e.Path, data)
		if err != nil { // of whatever kind: it is not ours to drop
			if !landed[landsAt(e.Path, prefix)] {
				gone.Entries = append(gone.Entries, e)
			}
			return nil
		}
		if marks.Memory(m.ID) || landed[landsAt(e.Path, prefix)] || settled[m.ID] || refused(ctx, snap, m.ID) {
			return nil
		}
		gone.Entries, gone.Titles = append(gone.Entries, e), append(gone.Titles, m.Title)
		return nil
	})
}

// landsAt is the path in the working tree of what is pending at a path of the journal.
func landsAt(p, prefix string) string { return MemoryPath(strings.TrimPrefix(p, prefix+"/")) }

// refused reports whether somebody refused a memory, or forgot it.
func refused(ctx context.Context, snap *gitops.Snapshot, id memory.ID) bool {
	_, there, err := snap.File(ctx, journal.DismissedPath(id))
	return err == nil && there
}

// WaitingText words a number of memories that wait for branches that are gone.
func WaitingText(n int) string {
	if n == 1 {
		return "1 memory waits for a branch that is gone"
	}
	return fmt.Sprintf("%d memories wait for branches that are gone", n)
}
