package gitops

import (
	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/remotes"
)

// The exchange of journals with remotes.
type (
	Remotes     = remotes.Remotes
	Refspec     = remotes.Refspec
	Fetched     = remotes.Fetched
	Network     = gitcmd.Network
	RemoteError = gitcmd.RemoteError
)

// Sentinels of exchanges with remotes.
var (
	ErrRemoteMoved = remotes.ErrRemoteMoved
	ErrSyncBusy    = remotes.ErrSyncBusy
)

// Kinds of [RemoteError].
const (
	RemoteAuth        = gitcmd.RemoteAuth
	RemoteUnreachable = gitcmd.RemoteUnreachable
	RemoteMissing     = gitcmd.RemoteMissing
	RemoteSilent      = gitcmd.RemoteSilent
	RemoteRefused     = gitcmd.RemoteRefused
	RemoteMalformed   = gitcmd.RemoteMalformed
	RemoteLocked      = gitcmd.RemoteLocked
)

// Refs of cortex: [JournalRef] is where the journal lives, never a branch. [SafeRef] is a state
// of it that was whole when it was put there. It has no log that could be expired, and keeps
// what the safe does not hold from a gc that finds the journal's own ref broken.
const (
	JournalRef = remotes.JournalRef
	SafeRef    = remotes.SafeRef
)

// Remotes returns the repository's remotes. It costs nothing.
func (r *Repo) Remotes() *Remotes {
	return &Remotes{Git: r.git, CommonDir: r.CommonDir, CacheDir: r.CacheDir(), LockWait: r.lockWait, Ident: r.ident}
}
