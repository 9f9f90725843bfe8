package index

import (
	"context"
	"crypto/rand"
	"fmt"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/git-cortex/cortex/index/internal/entry"
	"github.com/git-cortex/cortex/index/internal/readfile"
	"github.com/git-cortex/cortex/index/internal/tree"
	"github.com/git-cortex/cortex/index/internal/work"
	"github.com/git-cortex/cortex/internal/lists"
)

// Tree is the result of [Index.Scan]: the memory files of a folder and their problems,
// sorted by folder and name. Paths are slash-separated, relative to the scanned folder,
// behind [Options.Prefix].
type Tree struct {
	Items    []Item // as landed memories of a view
	Problems []Problem
	Read     int // files that had to be read, because they are new or changed
	Left     int // files that [Index.ScanSome] left for the next scan
	// State names these files: two trees of one state hold the same. It is of as
	// little use to other machines as what the file system says of a file, and ""
	// where no cache is kept.
	State string
}

// Scan lists the memory files below the folder root (…/.cortex/memories) and
// puts those it has not seen into the catalog. A folder that is not there is an
// empty tree, and so is one at or behind a symbolic link, with a problem. Only
// regular files ending in .md are memories; links, devices,
// files over the limit of [memory.MaxFile] and folders nested too deep are
// problems; other files are left alone. Unchanged files cost one stat each.
//
// A file counts as unchanged when size, modification and change time and inode
// are those of the last scan, and it was not modified in the same moment as
// that scan (git's rule for racily clean entries).
//
// With [Options.Watch] a large tree costs one stat for each folder, while what the
// system tells of its files is that nothing happened to them since the last scan.
//
// A scan that ctx ends returns an error, but what it read is not read again by the
// next one.
func (x *Index) Scan(ctx context.Context, root string) (*Tree, error) {
	return x.ScanSome(ctx, root, Haste{Most: tree.MaxFiles})
}

// Haste says what a scan may leave out.
type Haste struct {
	// Most is how many of the files that must be read are read, those in the newest
	// folders; the others are left out, so that all are there after some calls.
	Most int
	// Folders says to look at folders alone: in one that is as it was, a file that was
	// written in place since it was last looked at is taken as it was.
	Folders bool
}

// ScanSome is [Index.Scan] for a caller with little time.
func (x *Index) ScanSome(ctx context.Context, root string, haste Haste) (*Tree, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("scanning memories: %w", err)
	}
	x.warming.Go(x.catalog.load)
	if p := x.linked(root); p != nil {
		return &Tree{Problems: []Problem{*p}}, nil
	}
	known := x.watchedTree(root)
	if t := known.held(ctx, x, root); t != nil {
		return t, nil
	}
	haste.Folders = haste.Folders && known == nil // what is held is that of files
	since := known.before()
	t, w, err := x.look(ctx, root, haste)
	if err != nil {
		return nil, err
	}
	if known != nil {
		known.after(root, since, t, w)
	}
	x.remember(root, t.Items)
	return t, nil
}

// Unchanged names the files of a tree as [Tree.State] does, if its folders are as they were when the files were seen
// last, and a file that was written in place since is taken as it was; else it is a name of no state. No file is
// listed.
func (x *Index) Unchanged(ctx context.Context, root string) string {
	return unchanged(ctx, x.knownStats(root)(), true)
}

// unchanged names the files of a tree that is as its cache says; else it is a name of no state.
func unchanged(ctx context.Context, cache *tree.Cache, foldersOnly bool) string {
	walked, err := tree.Walk(ctx, cache, foldersOnly)
	if err != nil || !walked.Same {
		return rand.Text()
	}
	return cache.State
}

// look is [Index.ScanSome], at each file.
func (x *Index) look(ctx context.Context, root string, haste Haste) (*Tree, *tree.Walked, error) {
	cache := x.takeStats(root)
	w := cache.Begin()
	defer w.Close()
	roomFor(cache.Count(), false) // for the items, and what a view makes of them
	walked, err := tree.Walk(ctx, cache, haste.Folders)
	if err != nil {
		return nil, nil, err
	}
	t := &Tree{State: cache.State}
	if walked.Same {
		if t.Items = x.catalog.unchanged(cache); t.Items != nil {
			return t, walked, nil
		}
		walked.Decode()
	}
	found := walked.Folders
	unknown, moved := x.catalog.unknown(found)
	if t.Left = len(unknown) - haste.Most; t.Left > 0 {
		unknown = newest(unknown, haste.Most)
	}
	t.Read = len(unknown)
	if t.Problems, err = x.readAll(ctx, root, unknown); err != nil {
		w.Save(cache, found)
		return nil, nil, fmt.Errorf("scanning memories: %w", err)
	}
	x.sortFiles(found, t)
	if len(unknown) > 0 || moved || !cache.Current(found) {
		t.State = w.Save(cache, found)
	}
	if t.Left = max(0, t.Left); t.Left > 0 {
		t.State = "" // it would name files that are not in the tree
	}
	return t, walked, nil
}

// unchanged are the items of a tree that is as its cache says; nil when the catalog does not
// know one of them as a memory by the number that the cache names.
func (c *Catalog) unchanged(cache *tree.Cache) []Item {
	const part = 1024
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	items := make([]Item, cache.Count())
	var unknown atomic.Bool
	work.Share((len(items)+part-1)/part, func(next func() (int, bool)) {
		for k, ok := next(); ok; k, ok = next() {
			for i := k * part; i < min((k+1)*part, len(items)); i++ {
				if !c.fill(&items[i], cache, i) {
					unknown.Store(true)
					return
				}
			}
		}
	})
	if unknown.Load() {
		return nil
	}
	return items
}

// fill makes an item of file i of an unchanged tree. c is locked.
func (c *Catalog) fill(it *Item, cache *tree.Cache, i int) bool {
	path, blob, hint := cache.File(i)
	n := int(hint) - 1
	if !c.holds(n) {
		return false
	}
	h := c.heads.At(n)
	if !h.IsMemory() || !entry.SameBlob(h.Blob(), blob) {
		return false
	}
	*it = Item{
		Blob: blob, Path: path, Stage: Landed, known: c, hint: hint, linked: h.Linked(), tag: entry.TagOf(h.ID()),
	}
	return true
}

// newest are so many of the files, those in the folders of the latest months. The
// others are given no blob.
func newest(files []*tree.File, most int) []*tree.File {
	month := func(f *tree.File) string { return path.Base(path.Dir(f.Path)) }
	lists.Sort(files, func(a, b *tree.File) int { return strings.Compare(month(b), month(a)) })
	for _, f := range files[most:] {
		f.Blob = ""
	}
	return files[:most]
}

// readAll takes in new and changed files on all cores.
func (x *Index) readAll(ctx context.Context, root string, files []*tree.File) (problems []Problem, err error) {
	roomFor(len(files), true)
	if len(files) > 0 {
		x.catalog.load()
		x.catalog.roomFor(len(files))
	}
	var mu sync.Mutex
	err = work.ShareErr((len(files)+readAtOnce-1)/readAtOnce, func(next func() (int, bool)) error {
		var from readfile.Folder
		defer from.Close()
		var by entry.Maker
		fresh := make([]entry.Made, 0, readAtOnce)
		for k, ok := next(); ok; k, ok = next() {
			for _, f := range files[k*readAtOnce : min((k+1)*readAtOnce, len(files))] {
				if ctx.Err() != nil {
					break // what was read is taken in
				}
				add, p := x.read(&from, &by, root, f)
				fresh = append(fresh, add)
				if p != nil {
					mu.Lock()
					problems = append(problems, *p)
					mu.Unlock()
				}
			}
			x.catalog.put(fresh...)
			fresh = fresh[:0]
		}
		return ctx.Err()
	})
	if len(files) >= flushFrom {
		x.warming.Go(func() { _ = x.catalog.flush() }) // [Index.Close] tries again
	}
	return problems, err
}

// flushFrom is from how many files read on they are written while the caller goes on.
const flushFrom = 1000

// readAtOnce is how many files are read one after the other, and taken into the catalog
// together: most are of one folder.
const readAtOnce = 64

// linked returns the problem of a symbolic link among the folders that lead to
// root within the working tree, as [Options.Prefix] names them: a repository
// may put one there that leads anywhere on the machine.
func (x *Index) linked(root string) *Problem {
	rel := strings.Trim(x.opt.Prefix, "/")
	for at := root; rel != "" && rel != "."; at, rel = filepath.Dir(at), path.Dir(rel) {
		if info, err := os.Lstat(at); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return &Problem{Path: rel, Text: "a symbolic link: memories behind it are not read"}
		}
	}
	return nil
}

// takeStats is the stat cache of a tree, for one scan.
func (x *Index) takeStats(root string) *tree.Cache {
	load := x.knownStats(root)
	x.statsMu.Lock()
	delete(x.stats, root)
	x.statsMu.Unlock()
	return load()
}

// unknown are the files that must be read. Moved says that some have another
// number than the stat cache says.
func (c *Catalog) unknown(found []tree.Folder) (out []*tree.File, moved bool) {
	c.load()
	var damaged []int
	c.mu.RLock()
	for f := range filesOf(found) {
		n := -1
		if f.Blob != "" {
			n = c.number(f.Blob, f.Hint)
		}
		if n >= 0 && c.isDamagedProblem(n) {
			damaged = append(damaged, n)
			n = -1
		}
		if n < 0 {
			out = append(out, f)
		}
		moved = moved || f.Hint != int32(n+1)
		f.Hint = int32(n + 1)
	}
	c.mu.RUnlock()
	for _, n := range damaged {
		c.forget(n)
	}
	return out, moved
}

// isDamagedProblem reports whether number n is on disk as a problem that cannot be told any
// more. c is locked.
func (c *Catalog) isDamagedProblem(n int) bool {
	if n >= c.heads.OnDisk() || !c.heads.At(n).IsProblem() {
		return false
	}
	_, err := c.file.body(c.heads.At(n).Body(), false)
	return err != nil
}

// filesOf yields the files of folders.
func filesOf(found []tree.Folder) iter.Seq[*tree.File] {
	return func(yield func(*tree.File) bool) {
		for i := range found {
			for k := range found[i].Files {
				if !yield(&found[i].Files[k]) {
					return
				}
			}
		}
	}
}

// sortFiles tells memories from problems.
func (x *Index) sortFiles(found []tree.Folder, t *Tree) {
	n := 0
	for i := range found {
		n += len(found[i].Files)
		for _, p := range found[i].Problems {
			t.Problems = append(t.Problems, Problem{Path: p.Path, Text: p.Text, Unread: p.Unread})
		}
	}
	t.Items = make([]Item, n)[:0]
	c := x.catalog
	var odd []*tree.File
	c.mu.RLock()
	for f := range filesOf(found) {
		if f.Blob == "" {
			continue // it could not be read
		}
		at := c.number(f.Blob, f.Hint)
		f.Hint = int32(at + 1)
		if at >= 0 && c.heads.At(at).IsMemory() {
			t.Items = append(t.Items, Item{Path: f.Path, Blob: f.Blob, Stage: Landed, hint: f.Hint})
		} else {
			odd = append(odd, f)
		}
	}
	c.mu.RUnlock()
	for _, f := range odd {
		if p, ok := c.Problem(f.Blob); ok {
			p.Path = f.Path
			t.Problems = append(t.Problems, p)
		}
	}
	lists.Sort(t.Problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
}

// read parses one new or changed file. One that vanished meanwhile is left
// out without a word, one that cannot be read is a problem.
func (x *Index) read(from *readfile.Folder, by *entry.Maker, root string, f *tree.File) (entry.Made, *Problem) {
	f.Blob = ""
	data, err := from.Read(x.fileName(root, f.Path))
	if os.IsNotExist(err) {
		return entry.Made{}, nil
	}
	if err != nil {
		p := problemOf(f.Path, err)
		p.Path = f.Path
		return entry.Made{}, &p
	}
	f.Blob = by.BlobID(data, x.opt.SHA256)
	add, _ := x.catalog.parse(by, f.Blob, f.Path, data) // sortFiles tells of problems
	return add, nil
}

// BlobID is the git blob id of data, hexadecimal.
func BlobID(data []byte, useSHA256 bool) string {
	return new(entry.Maker).BlobID(data, useSHA256)
}

// remember keeps where landed blobs can be read again, for [Index.Fill].
func (x *Index) remember(root string, items []Item) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.trees[root] = items
}
