package gitops

import "github.com/git-cortex/cortex/gitops/internal/history"

// What commits say.
type (
	History    = history.Reader
	Commit     = history.Commit
	Entry      = history.Entry
	Step       = history.Step
	Difference = history.Difference
	Version    = history.Version
	Brought    = history.Brought
	Made       = history.Made
	Tip        = history.Tip
	Left       = history.Left
	Noted      = history.Noted
	Signature  = history.Signature
	Object     = history.Object
	Changed    = history.Changed
)

// Sentinels of questions about history.
var (
	ErrNoRevision = history.ErrNoRevision
	ErrNoFile     = history.ErrNoFile
	ErrNoLines    = history.ErrNoLines
)

// History returns the repository's history. It costs nothing.
func (r *Repo) History() History { return history.New(r.git) }
