package gitops

import "context"

// Entry is one regular file of a tree.
type Entry struct {
	Path string // slash-separated, from the top of the tree
	Blob ObjectID
}

// Tree lists the regular files of rev below prefix ("" for all), sorted by
// path as git sorts. Symbolic links and submodules are left out. A missing
// revision is [ErrNoRevision]; an absent prefix is an empty list.
func (r *Repo) Tree(ctx context.Context, rev, prefix string) ([]Entry, error) { panic("TODO") }

// Blobs reads the blobs ids in order and hands each to yield, streaming from
// one git process. Data is nil for a blob that is missing, is not a blob or is
// larger than limit bytes (0: no limit); the slice is yield's to keep. An error
// from yield stops the reading and is returned.
func (r *Repo) Blobs(ctx context.Context, ids []ObjectID, limit int64, yield func(id ObjectID, data []byte) error) error {
	panic("TODO")
}

// PathsAt says which of paths are regular files at rev, with their blobs. A
// missing revision answers an empty map.
func (r *Repo) PathsAt(ctx context.Context, rev string, paths []string) (map[string]ObjectID, error) {
	panic("TODO")
}

// Branch is a local branch.
type Branch struct {
	Name   string
	Commit ObjectID
}

// Branches lists the local branches by name. An unborn one is not among them.
func (r *Repo) Branches(ctx context.Context) ([]Branch, error) { panic("TODO") }
