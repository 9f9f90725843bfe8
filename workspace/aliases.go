package workspace

import (
	"context"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/policy"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Types of the rooms inside of this package, as the layers above name them.
type (
	// View is a [view.View].
	View = view.View
	// ViewOptions are the [view.Options] of a view.
	ViewOptions = view.Options
	// ViewShape is the [view.Shape] of a view.
	ViewShape = view.Shape
	// ListOptions are [view.ListOptions].
	ListOptions = view.ListOptions
	// Entry is a [view.Entry].
	Entry = view.Entry
	// Conflicted is a [view.Conflicted] file.
	Conflicted = view.Conflicted
	// GoneBranch is a [view.GoneBranch].
	GoneBranch = view.GoneBranch
	// Unconsolidated is a [view.Unconsolidated] count.
	Unconsolidated = view.Unconsolidated
	// Config is the team's policy, see [policy.Config].
	Config = policy.Config
	// NewerError is a [policy.NewerError].
	NewerError = policy.NewerError
	// Marks are the [journal.Marks] of this clone.
	Marks = journal.Marks
)

// DetachedName is the name that people type for a detached HEAD where a branch is
// asked for. No branch can be called that.
const DetachedName = view.DetachedName

// Errors of views and of [View.Find].
var (
	ErrNoBranch  = view.ErrNoBranch
	ErrUnborn    = view.ErrUnborn
	ErrNotFound  = view.ErrNotFound
	ErrAmbiguous = view.ErrAmbiguous
)

// MemoryPath returns the path in the working tree of a memory whose own path,
// such as "decision/2026-03/use-bluge-1f2e3d4.md", is rel.
func MemoryPath(rel string) string { return view.MemoryPath(rel) }

// DefaultBranch is [view.DefaultBranch].
func DefaultBranch(ctx context.Context, repo *gitops.Repo) string {
	return view.DefaultBranch(ctx, repo)
}

// Revision is [view.Revision].
func Revision(ctx context.Context, repo *gitops.Repo, word string, now time.Time, begin bool) (string, error) {
	return view.Revision(ctx, repo, word, now, begin)
}

// Round3 returns f with three decimals, as JSON shows it.
func Round3(f float64) float64 { return view.Round3(f) }

// CountMemories words a number of memories: "1 memory", "3 memories".
func CountMemories(n int) string { return notices.Memories(n) }

// DismissedPath returns the path in the journal of the copy that is kept of a
// memory that was refused or forgotten.
func DismissedPath(id memory.ID) string { return journal.DismissedPath(id) }
