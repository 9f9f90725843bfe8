// Package folder is the way to the files of a working tree: what is below its root
// and nothing else.
//
// A [Folder] says where the root is and why nothing may be written below [Dir], if so.
// A symbolic link that leads outside is an error, so that no repository can have a
// file read or written elsewhere; a file is there whole or as it was.
package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

// Dir is the folder of a repository that holds what cortex keeps in its tree.
const Dir = ".cortex"

// Folder reads and writes files below the root of a working tree and nowhere
// else: a symbolic link that leads outside is an error, and so is any link on
// the way to what is below [Dir]. Paths are relative to the root and use slashes.
// There is nothing in the zero Folder, and writing to it is an error.
type Folder struct {
	Root  string
	Hash  func([]byte) gitops.ObjectID // the id of a blob
	Newer error                        // why nothing is written below Dir; nil otherwise
	Cache string                       // where temporary files are in nobody's way; "" beside the file

	disposable bool // what is written can be made again: no wait for the disk
}

// Match returns the paths that match a pattern of [path.Match], sorted.
func (t Folder) Match(pattern string) []string {
	names, err := fs.Glob(os.DirFS(t.Root), pattern)
	if err != nil {
		panic("folder: a pattern that is none: " + pattern) // all are constants
	}
	return names
}

// Read returns the content of a regular file of at most 64 MiB; ok is false when
// there is no such file.
func (t Folder) Read(rel string) (data []byte, ok bool, err error) {
	return t.ReadCapped(rel, 64<<20)
}

// ReadCapped is [Folder.Read] with another limit: a file of more than limit
// bytes is an error, and is not read.
func (t Folder) ReadCapped(rel string, limit int64) (data []byte, ok bool, err error) {
	root, err := os.OpenRoot(t.Root)
	if err != nil {
		return nil, false, fmt.Errorf("opening %s: %w", t.Root, err)
	}
	defer root.Close()
	info, err := lstat(root, rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
	case !info.Mode().IsRegular():
		err = errors.New("not a regular file")
	case info.Size() > limit:
		err = fmt.Errorf("%d bytes is over the limit of %d", info.Size(), limit)
	default:
		data, err = root.ReadFile(filepath.FromSlash(rel))
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading %s: %w", rel, err)
	}
	return data, true, nil
}

// lstat says what is at a path to which no link leads that [refuseLinks] refuses.
func lstat(root *os.Root, rel string) (fs.FileInfo, error) {
	if err := refuseLinks(root, rel); err != nil {
		return nil, err
	}
	return root.Lstat(filepath.FromSlash(rel))
}

// Write replaces a file through a temporary one, synced and renamed, so that
// there is always a whole file, and makes the folders above it. It writes
// nothing, and changed is false, when the file has this content already.
func (t Folder) Write(rel string, data []byte) (changed bool, err error) {
	old, ok, err := t.Read(rel)
	if err != nil || ok && bytes.Equal(old, data) {
		return false, err
	}
	root, err := t.OpenRoot(rel)
	if err != nil {
		return false, err
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(rel)), 0o777); err != nil {
		return false, fmt.Errorf("making the folder of %s: %w", rel, err)
	}
	if err := atomicfile.Write(root, rel, data, atomicfile.Options{Temp: t.Cache, NoSync: t.disposable}); err != nil {
		return false, fmt.Errorf("writing %s: %w", rel, err)
	}
	return true, nil
}

// OpenRoot opens the root for a caller that writes many files below rel itself.
// Its error is Newer where nothing may be written there.
func (t Folder) OpenRoot(rel string) (*os.Root, error) {
	if t.Newer != nil && isOurs(rel) {
		return nil, t.Newer
	}
	root, err := os.OpenRoot(t.Root)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", t.Root, err)
	}
	return root, nil
}

// LinkRefused says why a folder of the tree is left alone, and what to do.
func LinkRefused(dir string) string {
	return dir + " is a symbolic link, and nothing behind it is read or written; " +
		"put the folder itself in its place, or remove the link: rm " + dir
}

// refuseLinks returns an error if a folder on the way to the file rel below
// [Dir] is a symbolic link. Whoever made the repository may have put it there.
func refuseLinks(root *os.Root, rel string) error {
	if !isOurs(rel) {
		return nil
	}
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		info, err := root.Lstat(filepath.FromSlash(dir))
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return errors.New(LinkRefused(dir))
		}
	}
	return nil
}

// isOurs reports whether a file lies below [Dir].
func isOurs(rel string) bool { return strings.HasPrefix(rel, Dir+"/") }

// Remove deletes a file, and the folders above it that become empty, up to but
// not including keep. It is no error when there is no such file.
func (t Folder) Remove(rel, keep string) error {
	root, err := t.OpenRoot(rel)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := refuseLinks(root, rel); err != nil {
		return fmt.Errorf("removing %s: %w", rel, err)
	}
	if err := root.Remove(filepath.FromSlash(rel)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing %s: %w", rel, err)
	}
	removeEmpty(root, path.Dir(rel), keep)
	return nil
}

// removeEmpty deletes a folder and those above it that are empty, up to but not including keep.
func removeEmpty(root *os.Root, dir, keep string) {
	for dir != "." && dir != keep && root.Remove(filepath.FromSlash(dir)) == nil {
		dir = path.Dir(dir)
	}
}
