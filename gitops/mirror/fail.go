package mirror

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// Why a repository could not be read. None of them says anything about what is in it: the
// caller keeps what it knows, and tries again.
var (
	ErrGone        = errors.New("there is no repository at the address, or not for this user")
	ErrMoved       = errors.New("the repository answers from another address")
	ErrDenied      = errors.New("access was denied")
	ErrUnreachable = errors.New("the remote did not answer")
	ErrEmpty       = errors.New("the repository has no default branch")
	ErrTooLarge    = errors.New("the remote sends more than a fetch may bring")
	ErrDamaged     = errors.New("the mirror is damaged: remove it, add it and fetch it again")
	// ErrUnknownUser is the [ErrDenied] of a remote that does not know the name or the password.
	ErrUnknownUser = fmt.Errorf("%w: the name or the password is not known", ErrDenied)
)

// failure is an error with the words of git or of a server that mean it.
type failure struct {
	err   error
	words []string
}

// failures are looked through in order. What a server says is untrusted, but the worst that a
// lie does is to name another reason why nothing changed.
func failures() []failure {
	return []failure{
		{ErrMoved, []string{
			"returned error: 301", "returned error: 302", "returned error: 307", "returned error: 308",
		}},
		{ErrGone, []string{"returned error: 404", "returned error: 410"}},
		{ErrDenied, []string{"denied by", "is not allowed to", "not authorized"}},
		{ErrUnreachable, []string{
			"returned error: 429", "returned error: 5", "early eof", "remote end hung up", "timed out", "ssl",
			"empty reply",
		}},
		{ErrDamaged, []string{
			"not a git repository", "bad object", "is corrupt", "unable to read", "not a valid object",
			"did not send all necessary objects", "bad pack header", "wrong index", "does not match index",
		}},
	}
}

// named gives what git said about a remote one of the errors above.
func named(failed *gitcmd.RemoteError) error {
	said := strings.ToLower(strings.Join(failed.Said, "\n"))
	switch failed.Kind {
	case gitcmd.RemoteAuth:
		if isUnknownUser(said) {
			return ErrUnknownUser
		}
		return ErrDenied
	case gitcmd.RemoteMissing:
		return ErrGone
	case gitcmd.RemoteUnreachable, gitcmd.RemoteSilent:
		return ErrUnreachable
	}
	for _, f := range failures() {
		if slices.ContainsFunc(f.words, func(w string) bool { return strings.Contains(said, w) }) {
			return f.err
		}
	}
	return nil
}

// isUnknownUser reports whether a remote asked for a name and a password, or for others.
func isUnknownUser(said string) bool {
	words := []string{"could not read username", "authentication failed", "returned error: 401"}
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, w) })
}

// remoteError is the error of a call to an address.
func remoteError(ctx context.Context, doing string, failed *gitcmd.RemoteError) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", doing, context.Cause(ctx))
	}
	if err := named(failed); err != nil {
		return fmt.Errorf("%s: %w: %w", doing, err, failed)
	}
	return fmt.Errorf("%s: %w", doing, failed)
}

// localError is the error of a git that reads the mirror alone: it is damaged, unless the
// call was ended.
func localError(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
	return fmt.Errorf("%s: %w: %w", doing, ErrDamaged, err)
}
