package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// tree writes below the top of a working tree and nowhere else: a link that
// leads outside is an error of the system, not a place to write to.
type folder struct {
	root  string
	newer error  // why nothing is written below Dir; nil otherwise
	cache string // where temporary files are in nobody's way; "" beside the file
}

func (w *Workspace) tree() (folder, error) {
	root, err := w.worktree()
	t := folder{root: root, newer: w.newer}
	if rel, err := filepath.Rel(root, w.Repo.CacheDir()); err == nil && filepath.IsLocal(rel) {
		t.cache = rel
	}
	return t, err
}

// read returns a regular file; ok is false when there is none.
func (t folder) read(rel string) (data []byte, ok bool, err error) {
	return t.readCapped(rel, 64<<20)
}

// readCapped is read for a file of at most limit bytes; a larger one is an
// error.
func (t folder) readCapped(rel string, limit int64) (data []byte, ok bool, err error) {
	root, err := os.OpenRoot(t.root)
	if err != nil {
		return nil, false, fmt.Errorf("opening %s: %w", t.root, err)
	}
	defer root.Close()
	info, err := root.Lstat(filepath.FromSlash(rel))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err == nil && info.Size() > limit {
		err = fmt.Errorf("%d bytes is over the limit of %d", info.Size(), limit)
	}
	if err == nil {
		data, err = root.ReadFile(filepath.FromSlash(rel))
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading %s: %w", rel, err)
	}
	return data, true, nil
}

// write replaces a file through a temporary one beside it, synced and
// renamed, so that there is always a whole file. Nothing is written when the
// file says so already.
func (t folder) write(rel string, data []byte) (changed bool, err error) {
	if old, ok, err := t.read(rel); err != nil || ok && bytes.Equal(old, data) {
		return false, err
	}
	if err := t.refuses(rel); err != nil {
		return false, err
	}
	root, err := os.OpenRoot(t.root)
	if err != nil {
		return false, fmt.Errorf("opening %s: %w", t.root, err)
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(rel)), 0o777); err != nil {
		return false, fmt.Errorf("making the folder of %s: %w", rel, err)
	}
	name := "cortex-" + strconv.Itoa(os.Getpid()) + ".tmp"
	if t.cache != "" && replaceBy(root, filepath.Join(t.cache, name), rel, data) == nil {
		return true, nil
	}
	// The cache folder may not be there yet, or be on another file system.
	if err := replaceBy(root, path.Dir(rel)+"/."+name, rel, data); err != nil {
		return false, fmt.Errorf("writing %s: %w", rel, err)
	}
	return true, nil
}

// refuses says why a file is not to be touched; nil for one that may be.
func (t folder) refuses(rel string) error {
	if t.newer != nil && strings.HasPrefix(rel, Dir+"/") {
		return t.newer
	}
	return nil
}

// replaceBy writes temp and renames it to rel; on an error nothing is left.
func replaceBy(root *os.Root, temp, rel string, data []byte) error {
	temp = filepath.FromSlash(temp)
	err := writeSynced(root, temp, data)
	if err == nil {
		err = root.Rename(temp, filepath.FromSlash(rel))
	}
	if err != nil {
		_ = root.Remove(temp)
	}
	return err
}

func writeSynced(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// remove deletes a file, and the folders above it that become empty, up to
// but not including keep. A file that is not there is fine.
func (t folder) remove(rel, keep string) error {
	if err := t.refuses(rel); err != nil {
		return err
	}
	root, err := os.OpenRoot(t.root)
	if err != nil {
		return fmt.Errorf("opening %s: %w", t.root, err)
	}
	defer root.Close()
	if err := root.Remove(filepath.FromSlash(rel)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing %s: %w", rel, err)
	}
	for dir := path.Dir(rel); dir != "." && dir != keep; dir = path.Dir(dir) {
		if root.Remove(filepath.FromSlash(dir)) != nil {
			break // not empty
		}
	}
	return nil
}
