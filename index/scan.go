package index

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/index/internal/entry"
	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/index/internal/readfile"
)

// Limits of a scan. What is beyond them is a problem, not a memory.
const (
	maxDepth = 8
	maxFiles = 500_000
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
// empty tree, and so is one at or behind a symbolic link, with a problem. Only regular files ending in .md are memories; links, devices,
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
	return x.ScanSome(ctx, root, Haste{Most: maxFiles})
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

// look is [Index.ScanSome], at each file.
func (x *Index) look(ctx context.Context, root string, haste Haste) (*Tree, *walker, error) {
	cache := x.takeStats(root)
	w := cache.begin()
	defer w.close()
	roomFor(cache.count(), false) // for the items, and what a view makes of them
	walker := &walker{root: root, prefix: x.opt.Prefix, cache: cache, catalog: x.catalog, folders: haste.Folders, items: mapped.Zeroes[Item](cache.count())}
	found, err := walker.walk(ctx)
	if err != nil {
		return nil, nil, err
	}
	t := &Tree{}
	if walker.items != nil {
		t.Items, t.State = walker.items, cache.state
		return t, walker, nil
	}
	unknown, moved := x.catalog.unknown(found)
	if t.Left = len(unknown) - haste.Most; t.Left > 0 {
		unknown = newest(unknown, haste.Most)
	}
	t.Read = len(unknown)
	if t.Problems, err = x.readAll(ctx, root, unknown); err != nil {
		w.save(cache, found)
		return nil, nil, fmt.Errorf("scanning memories: %w", err)
	}
	x.sortFiles(found, t)
	if t.State = cache.state; len(unknown) > 0 || moved || !cache.current(found) {
		t.State = w.save(cache, found)
	}
	if t.Left = max(0, t.Left); t.Left > 0 {
		t.State = "" // it would name files that are not in the tree
	}
	return t, walker, nil
}

// newest are so many of the files, those in the folders of the latest months. The
// others are given no blob.
func newest(files []*fileStat, most int) []*fileStat {
	month := func(f *fileStat) string { return path.Base(path.Dir(f.path)) }
	slices.SortStableFunc(files, func(a, b *fileStat) int { return strings.Compare(month(b), month(a)) })
	for _, f := range files[most:] {
		f.blob = ""
	}
	return files[:most]
}

// readAll takes in new and changed files on all cores.
func (x *Index) readAll(ctx context.Context, root string, files []*fileStat) (problems []Problem, err error) {
	roomFor(len(files), true)
	if len(files) > 0 {
		x.catalog.load()
		x.catalog.roomFor(len(files))
	}
	var mu sync.Mutex
	err = parallelErr((len(files)+readAtOnce-1)/readAtOnce, func(next func() (int, bool)) error {
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
func (x *Index) takeStats(root string) *statCache {
	load := x.knownStats(root)
	x.statsMu.Lock()
	delete(x.stats, root)
	x.statsMu.Unlock()
	return load()
}

// unknown are the files that must be read. Moved says that some have another
// number than the stat cache says.
func (c *Catalog) unknown(found []folderStat) (out []*fileStat, moved bool) {
	c.load()
	var damaged []int
	c.mu.RLock()
	for i := range found {
		for k := range found[i].files {
			f := &found[i].files[k]
			n := -1
			if f.blob != "" {
				n = c.number(f.blob, f.hint)
			}
			if n >= 0 && n < c.heads.OnDisk() && c.heads.At(n).IsProblem() {
				if _, err := c.file.body(c.heads.At(n).Body(), false); err != nil {
					damaged = append(damaged, n)
					n = -1
				}
			}
			if n < 0 {
				out = append(out, f)
			}
			moved = moved || f.hint != int32(n+1)
			f.hint = int32(n + 1)
		}
	}
	c.mu.RUnlock()
	for _, n := range damaged {
		c.forget(n)
	}
	return out, moved
}

// sortFiles tells memories from problems.
func (x *Index) sortFiles(found []folderStat, t *Tree) {
	n := 0
	for i := range found {
		n += len(found[i].files)
	}
	t.Items = mapped.Zeroes[Item](n)[:0]
	c := x.catalog
	var odd []*fileStat
	c.mu.RLock()
	for i := range found {
		t.Problems = append(t.Problems, found[i].problems...)
		for k := range found[i].files {
			f := &found[i].files[k]
			if f.blob == "" {
				continue // it could not be read
			}
			at := c.number(f.blob, f.hint)
			f.hint = int32(at + 1)
			if at >= 0 && c.heads.At(at).IsMemory() {
				t.Items = append(t.Items, Item{Path: f.path, Blob: f.blob, Stage: Landed, hint: f.hint})
			} else {
				odd = append(odd, f)
			}
		}
	}
	c.mu.RUnlock()
	for _, f := range odd {
		if p, ok := c.Problem(f.blob); ok {
			p.Path = f.path
			t.Problems = append(t.Problems, p)
		}
	}
	slices.SortStableFunc(t.Problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
}

// read parses one new or changed file. One that vanished meanwhile is left
// out without a word, one that cannot be read is a problem.
func (x *Index) read(from *readfile.Folder, by *entry.Maker, root string, f *fileStat) (entry.Made, *Problem) {
	f.blob = ""
	data, err := from.Read(x.fileName(root, f.path))
	if os.IsNotExist(err) {
		return entry.Made{}, nil
	}
	if err != nil {
		p := problemOf(f.path, err)
		p.Path = f.path
		return entry.Made{}, &p
	}
	f.blob = by.BlobID(data, x.opt.SHA256)
	add, _ := x.catalog.parse(by, f.blob, f.path, data) // sortFiles tells of problems
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
