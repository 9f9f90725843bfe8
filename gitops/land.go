package gitops

import "context"

// File is content to land at a path of the working tree.
type File struct {
	Path string // slash-separated, below .cortex/
	Data []byte
	// Generated marks a projection: a file in the working tree that has no
	// unstaged edits is replaced. Other files are only ever created.
	Generated bool
}

// Refusal is a file that was not landed, and why, in words for the user.
type Refusal struct{ Path, Reason string }

// LandBlocked says in a few words why nothing may be landed now, "" when it
// may: a merge, cherry-pick, revert or rebase is under way, HEAD is detached,
// or the commit being made uses a temporary index (`git commit -- path`).
func (r *Repo) LandBlocked(ctx context.Context) (string, error) { panic("TODO") }

// Land writes files into the working tree and stages exactly these contents,
// in the index of the git hook we run in if there is one. A file that is there
// already with the same content is staged as it is; one that differs is
// refused and left alone. Either all accepted files are staged, or, with an
// error, none, and the files that Land created are gone again.
func (r *Repo) Land(ctx context.Context, files []File) (refused []Refusal, err error) { panic("TODO") }

// Landed returns those of want whose path is a regular file with that very
// blob at rev, usually "HEAD". A missing revision has none.
func (r *Repo) Landed(ctx context.Context, rev string, want []Entry) ([]Entry, error) { panic("TODO") }
