package staging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

// File is content to land at a path of the working tree.
type File struct {
	Path string // slash-separated, below .cortex/, or a file of instructions at the top
	Data []byte
	// Generated marks a projection: what is there is replaced if it is as
	// staged, or if Ours says so. Other files are only ever created.
	Generated bool
	// Staged is the blob that the index has at Path, for a projection; "" asks git.
	Staged gitobject.ID
	// Ours reports whether the content that is there was generated, so that an
	// untracked or unstaged projection may be replaced; nil is never.
	Ours func(existing []byte) bool
}

// Refusal is a file that was not landed, and why, in words for the user.
type Refusal struct{ Path, Reason string }

// Land writes files into the working tree and stages exactly these contents,
// in the index of the git hook we run in if there is one. A file that is there
// already with the same content is staged as it is; one that differs is
// refused and left alone. Either all accepted files are staged, or, with an
// error, none, and the working tree is as it was.
func (x *Area) Land(ctx context.Context, files []File) (refused []Refusal, err error) {
	if x.Root == "" {
		return nil, ErrNoWorktree
	}
	if len(files) == 0 {
		return nil, nil
	}
	root, err := os.OpenRoot(x.Root)
	if err != nil {
		return nil, fmt.Errorf("landing: %w", err)
	}
	defer root.Close()
	l := &landing{area: x, root: root, folders: make(map[string]bool)}
	l.temp = l.cacheFolder()
	defer l.drop()
	if err := l.readStaged(ctx, files); err != nil {
		return nil, fmt.Errorf("landing: %w", err)
	}
	for _, f := range files {
		if reason := l.accept(f); reason != "" {
			refused = append(refused, Refusal{f.Path, reason})
		}
	}
	if err := l.perform(ctx); err != nil {
		return refused, fmt.Errorf("landing: %w", errors.Join(err, l.undo()))
	}
	return refused, nil
}

// maxRead bounds a file that is read of the working tree, in bytes.
const maxRead = 64 << 20

// landing is one call of Land.
type landing struct {
	area    *Area
	root    *os.Root
	staged  map[string]gitobject.ID // what the index has for generated files
	folders map[string]bool         // seen to be one, or not there
	temp    string                  // the cache folder below root; "" when it is not
	write   []landFile
	stage   []File

	mu    sync.Mutex
	undos []func() error // newest last
	kept  []string       // links to what was replaced
}

type landFile struct {
	File
	old []byte // what is replaced; nil when the file is created
}

func (l *landing) readStaged(ctx context.Context, files []File) (err error) {
	var unknown []string
	l.staged = make(map[string]gitobject.ID)
	for _, f := range files {
		if f.Staged != "" {
			l.staged[f.Path] = f.Staged
		} else if f.Generated {
			unknown = append(unknown, f.Path)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	found, err := l.area.blobs(ctx, unknown)
	maps.Copy(l.staged, found)
	return err
}

// accept decides about one file; the reason says why it is refused.
func (l *landing) accept(f File) (reason string) {
	if !landable(f.Path) {
		return "not a path below .cortex"
	}
	if dir := l.notFolder(f.Path); dir != "" {
		return dir + " is not a folder"
	}
	info, err := l.root.Lstat(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.write = append(l.write, landFile{File: f})
	case err != nil:
		return err.Error()
	case !info.Mode().IsRegular():
		return "something that is not a regular file is there"
	default:
		if reason := l.acceptOver(f, info.Size()); reason != "" {
			return reason
		}
	}
	l.stage = append(l.stage, f)
	return ""
}

// notFolder returns something on the way to a path that is no folder; "" for nothing.
func (l *landing) notFolder(name string) string {
	for dir := path.Dir(name); dir != "." && !l.folders[dir]; dir = path.Dir(dir) {
		if info, err := l.root.Lstat(dir); err == nil && !info.IsDir() {
			return dir
		}
		l.folders[dir] = true
	}
	return ""
}

// acceptOver decides about a file where one is already: the same content stays, and a page that
// cortex made is replaced.
func (l *landing) acceptOver(f File, size int64) (reason string) {
	old, err := l.read(f.Path, size)
	switch {
	case err != nil:
		return err.Error()
	case bytes.Equal(old, f.Data):
		return ""
	case !l.mayReplace(f, old):
		return "a different file is there"
	}
	l.write = append(l.write, landFile{f, old})
	return ""
}

// mayReplace reports whether a file is a page that cortex made.
func (l *landing) mayReplace(f File, old []byte) bool {
	if !f.Generated {
		return false
	}
	return l.staged[f.Path] == l.area.Hash(old) || f.Ours != nil && f.Ours(old)
}

func isUnclean(name string) bool { return !gitobject.PlainName(name) }

// InstructionFiles are the files at the top of a repository that agents read as a session begins. No other one there
// is ever landed.
func InstructionFiles() []string { return []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md"} }

// landable allows clean paths below .cortex/ that mean the same everywhere, and the files of instructions.
func landable(p string) bool {
	rest, ok := strings.CutPrefix(p, ".cortex/")
	ok = ok || slices.Contains(InstructionFiles(), p)
	return ok && !strings.Contains(rest, "%") && !slices.ContainsFunc(strings.Split(rest, "/"), isUnclean)
}

func (l *landing) read(name string, size int64) ([]byte, error) {
	if size > maxRead {
		return nil, fmt.Errorf("the file there is larger than %d bytes", maxRead)
	}
	f, err := l.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func (l *landing) perform(ctx context.Context) error {
	if len(l.stage) == 0 {
		return nil
	}
	var blobs [][]byte
	var lines strings.Builder
	for _, f := range l.stage {
		id := l.area.Hash(f.Data)
		fmt.Fprintf(&lines, "100644 %s\t%s\x00", id, f.Path)
		// A memory that is pending as it is has its object, and the journal
		// keeps it from being pruned.
		if f.Generated || !l.area.Objects.HasBlob(id) {
			blobs = append(blobs, f.Data)
		}
	}
	if err := l.area.Objects.WriteBlobs(ctx, blobs); err != nil {
		return err
	}
	if err := l.writeFiles(); err != nil {
		return err
	}
	return l.area.stage(ctx, lines.String())
}

// writeFiles writes all files, several at once: the file system then commits
// them together. Their names are synced as well: the journal gives a memory up,
// durably, when git has committed it, and git may not sync what it commits.
func (l *landing) writeFiles() error {
	dirs := make(map[string]bool)
	for _, f := range l.write {
		dir := path.Dir(f.Path)
		if err := l.makeFolders(dir, dirs); err != nil {
			return fmt.Errorf("making %s: %w", dir, err)
		}
		dirs[dir] = true
	}
	files := writers()
	for _, f := range l.write {
		files.Go(func() error {
			if err := l.writeFile(f); err != nil {
				return fmt.Errorf("writing %s: %w", f.Path, err)
			}
			return nil
		})
	}
	if err := files.Wait(); err != nil {
		return err
	}
	synced := writers()
	for dir := range dirs {
		synced.Go(func() error { return atomicfile.SyncDir(l.root, dir) })
	}
	return synced.Wait()
}

// writeFile creates or replaces one file. The temporary file is in the cache
// folder if possible, where it does no harm if the process is killed.
func (l *landing) writeFile(f landFile) error {
	kept := l.keep(f)
	opt := atomicfile.Options{Temp: l.temp, New: f.old == nil, NoSyncDir: true}
	if err := atomicfile.Write(l.root, f.Path, f.Data, opt); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.undos = append(l.undos, func() error {
		switch {
		case kept != "":
			return atomicfile.RenameIn(l.root, kept, f.Path)
		case f.old != nil:
			return atomicfile.Write(l.root, f.Path, f.old, atomicfile.Options{})
		}
		return l.root.Remove(f.Path)
	})
	return nil
}

// keep links a file that is to be replaced into the cache folder, and returns the link; ""
// where there is none. To put it back takes no room then: the disk may be full.
func (l *landing) keep(f landFile) string {
	if f.old == nil || l.temp == "" {
		return ""
	}
	kept := path.Join(l.temp, "cortex-"+strconv.FormatUint(rand.Uint64(), 36)+".old.tmp") // as Leftovers knows them
	if l.root.Link(f.Path, kept) != nil {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, kept)
	return kept
}

// drop removes the links to what was replaced, and was not put back.
func (l *landing) drop() {
	for _, name := range l.kept {
		_ = l.root.Remove(name)
	}
}

// cacheFolder is the cache folder seen from the top of the working tree; "" when
// it is not there or, as for a linked worktree, outside.
func (l *landing) cacheFolder() string {
	rel, err := filepath.Rel(l.area.Root, l.area.CacheDir)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	if info, err := l.root.Stat(rel); err != nil || !info.IsDir() {
		return ""
	}
	return filepath.ToSlash(rel)
}

// makeFolders makes dir and what is above it, and adds to changed the folders
// that have a new name in them.
func (l *landing) makeFolders(dir string, changed map[string]bool) error {
	if dir == "." || changed[dir] {
		return nil
	}
	if err := l.makeFolders(path.Dir(dir), changed); err != nil {
		return err
	}
	err := l.root.Mkdir(dir, 0o777)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil {
		changed[path.Dir(dir)] = true
		l.undos = append(l.undos, func() error { return l.root.Remove(dir) })
	}
	return err
}

// undo takes back what was written, newest first.
func (l *landing) undo() error {
	var errs []error
	for _, undo := range slices.Backward(l.undos) {
		errs = append(errs, undo())
	}
	return errors.Join(errs...)
}

// writers are goroutines that share writing: the file system commits together
// what several sync at once.
func writers() *errgroup.Group {
	group := new(errgroup.Group)
	group.SetLimit(8)
	return group
}
