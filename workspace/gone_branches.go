package workspace

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// DetachedName is the name that people type for a detached HEAD where a branch is
// asked for. No branch can be called that.
const DetachedName = "HEAD"

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

// branches tells the branches that are there from those that memories still wait
// for.
type branches struct {
	repo    *gitops.Repo
	journal *journal
	secrets *secrets
	views   *viewer
}

// GoneBranches finds what waits for branches that were renamed or deleted, and for a
// detached HEAD that no worktree is on any more. What has landed on some branch
// meanwhile, by a squash merge for one, does not count, nor what was refused,
// nor what came from another clone, where the branch may well be.
// Where nothing waits for another branch this costs no git process.
func (w *Workspace) GoneBranches(ctx context.Context) ([]GoneBranch, error) {
	return w.branches.gone(ctx)
}

func (b *branches) gone(ctx context.Context) ([]GoneBranch, error) {
	snap, err := b.journal.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	folders, err := snap.Folders(ctx, "pending")
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	here := b.secrets.branchIn(ctx, snap, b.repo.Topic)
	var names []string
	for _, f := range folders {
		if name, ok := gitops.DecodeBranch(f); ok && name != here {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	known, err := b.known(ctx)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return known[name] })
	if len(names) == 0 {
		return nil, nil
	}
	renames, err := b.repo.History().Renames(ctx)
	if err != nil {
		return nil, err
	}
	settled, err := b.settledHere(ctx)
	if err != nil {
		return nil, err
	}
	var out []GoneBranch
	for _, name := range names {
		s := GoneBranch{Branch: cmp.Or(name, DetachedName), Renamed: b.renamed(ctx, name, renames, known)}
		if err = b.unsettled(ctx, snap, &s, settled); err != nil {
			return nil, err
		}
		if s.Pending = len(s.Entries); s.Pending > 0 {
			out = append(out, s)
		}
	}
	return out, nil
}

// KnownBranches are the branches there are, and those that worktrees are on, as
// the journal names them. "" is a detached HEAD of some worktree.
func (w *Workspace) KnownBranches(ctx context.Context) (map[string]bool, error) {
	return w.branches.known(ctx)
}

func (b *branches) known(ctx context.Context) (map[string]bool, error) {
	branches, err := b.repo.Branches(ctx)
	if err != nil {
		return nil, err
	}
	return b.knownOf(ctx, branches)
}

// knownOf is known of branches that are listed already.
func (b *branches) knownOf(ctx context.Context, branches []gitops.Branch) (map[string]bool, error) {
	unborn, detached, err := b.repo.Checkouts(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{"": detached}
	for _, there := range branches {
		known[b.secrets.branch(ctx, there.Name)] = true
	}
	for _, name := range unborn {
		known[b.secrets.branch(ctx, name)] = true
	}
	return known, nil
}

// renamed follows the renames of a branch to one that is there.
func (b *branches) renamed(ctx context.Context, name string, renames map[string]string, known map[string]bool) string {
	byJournal := map[string]string{}
	for from, to := range renames {
		byJournal[b.secrets.branch(ctx, from)] = to
	}
	for range len(renames) {
		to, ok := byJournal[name]
		if !ok {
			return ""
		}
		if name = b.secrets.branch(ctx, to); known[name] {
			return to
		}
	}
	return ""
}

// settledHere are the memories that have landed here, or are pending here.
func (b *branches) settledHere(ctx context.Context) (map[memory.ID]bool, error) {
	v, err := b.views.view(ctx, ViewOptions{Bare: true})
	if err != nil {
		return nil, err
	}
	settled := make(map[memory.ID]bool, len(v.Items))
	for i, it := range v.Items {
		if it.Stage != index.Pending || it.Far == FarHere {
			settled[v.Index.ID(i)] = true
		}
	}
	return settled, nil
}

// unsettled finds the pending memories of a branch that have not landed
// anywhere, are not pending here too, and were not refused.
func (b *branches) unsettled(ctx context.Context, snap *gitops.Snapshot, s *GoneBranch, settled map[memory.ID]bool) error {
	prefix := gitops.PendingPrefix(s.JournalName())
	entries, err := snap.List(ctx, prefix)
	if err != nil {
		return fmt.Errorf("reading the journal: %w", err)
	}
	paths := make([]string, len(entries))
	for i, e := range entries {
		paths[i] = MemoryPath(strings.TrimPrefix(e.Path, prefix+"/"))
	}
	landed, err := b.repo.Somewhere(ctx, paths)
	if err != nil {
		return err
	}
	s.Titles = []string{}
	marks := marksIn(ctx, snap)
	return snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		m, err := memory.Parse(e.Path, data)
		switch {
		case err == nil && marks.Memory(m.ID):
		case landed[MemoryPath(strings.TrimPrefix(e.Path, prefix+"/"))]:
		case err != nil: // of whatever kind: it is not ours to drop
			s.Entries = append(s.Entries, e)
		case settled[m.ID]:
		default:
			if _, refused, err := snap.File(ctx, DismissedPath(m.ID)); err == nil && refused {
				return nil
			}
			s.Entries, s.Titles = append(s.Entries, e), append(s.Titles, m.Title)
		}
		return nil
	})
}

// WaitingText words a number of memories that wait for branches that are gone.
func WaitingText(n int) string {
	if n == 1 {
		return "1 memory waits for a branch that is gone"
	}
	return fmt.Sprintf("%d memories wait for branches that are gone", n)
}
