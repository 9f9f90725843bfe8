// Package atomicfile replaces whole files. A reader, and whoever looks after a
// crash, sees the old file or the new one, never a part of one, and two
// writers never write into each other's file, whatever their process ids are.
//
// [Write] is for content in memory; [WritePath] takes a path instead of a root.
// [Create] is for content that is streamed, or for many files that wait for
// the disk together. Every file is first written under a name that nobody else
// has: random, and created exclusively. It is synced, renamed into its place,
// and then its folder is synced. An error leaves the old file as it was and no
// temporary file. A killed process can leave a temporary file behind; [IsTemp]
// knows its name.
//
// A write is bound to an [os.Root]: a name that leads out of it, through ".."
// or through a link, is an error.
package atomicfile

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ErrNotRegular is a name at which there is something that is not a regular
// file, such as a link or a folder. It is left alone.
var ErrNotRegular = errors.New("not a regular file")

// Options say how a file is written. The zero value keeps the permissions of
// the file that is replaced, puts the temporary file beside it, and syncs.
type Options struct {
	// Mode are the permissions of the file, less the umask. Zero keeps those of
	// the file that is replaced, whatever the umask; a new file then gets 0o666
	// less the umask.
	Mode fs.FileMode

	// Temp is a folder below the root for the temporary file, where nobody
	// minds it if it is left behind. If it is not there, or is on another file
	// system, [Write] puts the temporary file beside the file. "" is beside.
	Temp string

	// New refuses to replace: if there is a file by now, the error is
	// [fs.ErrExist].
	New bool

	// NoSyncDir leaves it to the caller to call [SyncDir], once for all the
	// files of a folder. Until then a power cut may undo the replacement.
	NoSyncDir bool

	// NoSync does not wait for the disk, for a file that can be made again: a
	// power cut may leave it empty or damaged, but no crash of a process.
	NoSync bool
}

// Write makes data the content of the file name below root. Its folder must be
// there.
func Write(root *os.Root, name string, data []byte, opt Options) error {
	err := write(root, name, data, opt)
	if err == nil || opt.Temp == "" {
		return err
	}
	opt.Temp = "" // that folder may not be there yet, or be on another file system
	return write(root, name, data, opt)
}

func write(root *os.Root, name string, data []byte, opt Options) error {
	f, err := Create(root, name, opt)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit()
}

// WritePath is [Write] for a path. Only its last element is guarded against
// links; the folder is taken as the caller found it.
func WritePath(path string, data []byte, opt Options) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	return Write(root, filepath.Base(path), data, opt)
}

// File is a file that is being written under a temporary name. Call Commit to
// put it into its place, and Close in any case. It is not safe for concurrent
// use.
type File struct {
	file   *os.File
	root   *os.Root
	name   string
	temp   string
	kept   fs.FileMode // of the file that is replaced; 0: as created
	opt    Options
	sealed bool // nothing more can be written
	done   bool // renamed or removed
}

// Create begins a file. Nothing is at its name before [File.Commit]. The root
// must stay open until then.
func Create(root *os.Root, name string, opt Options) (*File, error) {
	f := &File{root: root, name: filepath.FromSlash(name), opt: opt}
	switch info, err := root.Lstat(f.name); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case opt.New:
		return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "replace", Path: name, Err: ErrNotRegular}
	case opt.Mode.Perm() == 0:
		f.kept = info.Mode().Perm()
	}
	create := cmp.Or(opt.Mode.Perm(), f.kept, 0o666)
	// Only a temporary file beside others is in sight, so only that is hidden.
	random := "cortex-" + strings.ToLower(rand.Text()) + ".tmp"
	f.temp = filepath.Join(filepath.FromSlash(opt.Temp), random)
	if opt.Temp == "" {
		f.temp = filepath.Join(filepath.Dir(f.name), "."+random)
	}
	var err error
	f.file, err = root.OpenFile(f.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, create)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Write appends to the file.
func (f *File) Write(data []byte) (int, error) { return f.file.Write(data) }

// Stat describes the temporary file; its modification time comes from the
// clock of the file system.
func (f *File) Stat() (fs.FileInfo, error) { return f.file.Stat() }

// Seal ends the writing: the content is synced, unless it need not be, and the
// handle is given back. Commit does it too; calling it before is for many files
// that are to be complete before the first is renamed.
func (f *File) Seal() error {
	if f.sealed {
		return nil
	}
	f.sealed = true
	err := f.keepMode()
	if err == nil && !f.opt.NoSync {
		err = f.file.Sync()
	}
	return errors.Join(err, f.file.Close())
}

// keepMode gives the file the permissions of the one that it replaces, past the umask.
func (f *File) keepMode() error {
	if f.kept == 0 {
		return nil
	}
	info, err := f.file.Stat()
	if err != nil || info.Mode().Perm() == f.kept {
		return err
	}
	return f.file.Chmod(f.kept)
}

// Commit puts the file into its place and makes its name durable. After an
// error the place is as it was, unless only the folder could not be synced.
func (f *File) Commit() error {
	if f.done {
		return errors.New("committing a file twice, or after it was closed")
	}
	err := f.Seal()
	if err == nil {
		err = f.place()
	}
	if err != nil {
		f.discard()
		return err
	}
	f.done = true
	if f.opt.NoSync || f.opt.NoSyncDir {
		return nil
	}
	return SyncDir(f.root, filepath.Dir(f.name))
}

func (f *File) place() error {
	if !f.opt.New {
		return RenameIn(f.root, f.temp, f.name)
	}
	err := f.root.Link(f.temp, f.name) // which never replaces
	if err == nil {
		_ = f.root.Remove(f.temp)
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	// A file system without links: hold the name with an empty file.
	held, err := f.root.OpenFile(f.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if err := errors.Join(held.Close(), RenameIn(f.root, f.temp, f.name)); err != nil {
		return errors.Join(err, f.root.Remove(f.name))
	}
	return nil
}

// Close removes the temporary file unless it was committed.
func (f *File) Close() {
	if !f.sealed {
		f.sealed = true
		_ = f.file.Close()
	}
	f.discard()
}

func (f *File) discard() {
	if !f.done {
		f.done = true
		_ = f.root.Remove(f.temp)
	}
}

// Rename renames a file that was written in another way. As in [File.Commit], a
// program that has one of the files open only delays it, half a second at most.
func Rename(from, to string) error {
	return patiently(func() error { return os.Rename(from, to) }, isBusy)
}

// RenameIn is [Rename] below a root.
func RenameIn(root *os.Root, from, to string) error {
	return patiently(func() error { return root.Rename(from, to) }, isBusy)
}

// patiently waits, half a second at most, for a scanner or an indexer that has a
// file open, where that keeps it from being renamed.
func patiently(rename func() error, busy func(error) bool) error {
	err := rename()
	for pause := time.Millisecond; err != nil && busy(err) && pause < 500*time.Millisecond; pause *= 2 {
		time.Sleep(pause)
		err = rename()
	}
	return err
}

// SyncDir makes the names in a folder below root durable, on systems and file
// systems that can. A folder that is gone by now has none.
func SyncDir(root *os.Root, dir string) error {
	err := syncDir(root, dir)
	if err == nil || cannotSync(err) {
		return nil
	}
	return fmt.Errorf("syncing the folder %s: %w", filepath.ToSlash(dir), err)
}

// cannotSync reports whether a folder is gone, may be written and not read, or is on one
// of the network file systems that sync files only.
func cannotSync(err error) bool {
	known := []error{fs.ErrNotExist, fs.ErrPermission, syscall.EINVAL, syscall.ENOTSUP}
	return slices.ContainsFunc(known, func(k error) bool { return errors.Is(err, k) })
}

// IsFolder reports whether a folder is at a path, and no link to one.
func IsFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// IsTemp reports whether a file of this name, without its folder, is a
// temporary file of this package. If nobody has it open, a killed process left
// it behind.
func IsTemp(name string) bool { return tempName().MatchString(name) }

var tempName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\.?cortex-[a-z2-7]{26}\.tmp$`)
})

// Edit makes what edit returns the content of the file at path. Edit is given nil for a
// file that is not there, and returns nil for one that has to go. A new file gets mode
// (0: as the umask says) and a folder, others keep theirs, and a file that does not
// change is not written.
func Edit(path string, mode fs.FileMode, edit func([]byte) ([]byte, error)) error {
	before, err := os.ReadFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return err
	}
	after, err := edit(before)
	if err != nil {
		return fmt.Errorf("editing %s: %w", path, err)
	}
	if bytes.Equal(after, before) {
		return nil
	}
	if after == nil {
		return os.Remove(path)
	}
	if !missing {
		return WritePath(path, after, Options{})
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return WritePath(path, after, Options{Mode: mode})
}

// Read returns the content of a regular file of at most limit bytes. Anything else, such
// as a pipe that would never end, is not opened: the error is [ErrNotRegular].
func Read(path string, limit int64) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, limit)
	}
	return os.ReadFile(path)
}
