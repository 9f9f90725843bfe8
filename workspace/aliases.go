package workspace

import (
	"github.com/git-cortex/cortex/workspace/internal/journal"
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
