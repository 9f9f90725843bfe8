package gitops

import (
	"io/fs"
	"path/filepath"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// CacheLinkError says that the cache folder, or something in it, is a symbolic
// link. What is behind it may be anything, and is neither read nor written.
type CacheLinkError struct{ Path string }

func (e *CacheLinkError) Error() string {
	return e.Path + " is a symbolic link, and Cortex keeps nothing behind links"
}

// Hint says what a person may do.
func (e *CacheLinkError) Hint() string {
	return "put what it leads to in its place; or remove the link, and Cortex begins anew: rm " + gitcmd.Quote(e.Path)
}

// CheckCache is a [*CacheLinkError] if there is a link on the way to a file in
// [Repo.CacheDir]. The folders above it are the user's.
func (r *Repo) CheckCache() error {
	return filepath.WalkDir(r.CacheDir(), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
			return &CacheLinkError{path}
		}
		return nil //nolint:nilerr // what cannot be read is not there, or has its own error when it is used
	})
}
