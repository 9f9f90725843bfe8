package index

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// Limits of a scan. What is beyond them is a problem, not a memory.
const (
	maxDepth = 8
	maxFiles = 500_000
)

// File is one memory file of a working tree.
type File struct {
	Path string // slash-separated, relative to the scanned folder
	Blob string
}

// Tree is what [Index.Scan] found, sorted by path.
type Tree struct {
	Files    []File
	Problems []Problem // paths relative to the scanned folder
	Read     int       // files that had to be read, because they are new or changed
}

// Scan lists the memory files below the folder root (…/.cortex/memories) and
// puts those it has not seen into the catalog. A folder that is not there is an
// empty tree. Only regular files ending in .md are memories; links, devices,
// files over the limit of [memory.MaxFile] and folders nested too deep are
// problems; other files are left alone. Unchanged files cost one stat each.
//
// A file counts as unchanged when size, modification and change time and inode
// are those of the last scan, and it was not modified in the same moment as
// that scan (git's rule for racily clean entries).
func (x *Index) Scan(ctx context.Context, root string) (*Tree, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("scanning memories: %w", err)
	}
	found, problems, err := walk(ctx, root)
	if err != nil {
		return nil, err
	}
	cache := loadStats(x.opt.Dir, root)
	same := cache.apply(found)
	t := &Tree{Problems: problems}
	if err := x.readNew(ctx, root, cache, found, same, t); err != nil {
		return nil, err
	}
	t.Files = make([]File, 0, len(found))
	for i := range found {
		if f := &found[i]; f.blob != "" {
			x.sortFile(t, f)
		}
	}
	slices.SortFunc(t.Problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	x.remember(root, t.Files)
	return t, nil
}

// readNew takes in what the cache or the catalog does not know, and renews the
// cache if it is out of date.
func (x *Index) readNew(ctx context.Context, root string, cache *statCache, found []fileStat, same bool, t *Tree) error {
	var unknown []*fileStat
	for i := range found {
		if f := &found[i]; f.blob == "" || !x.catalog.Has(f.blob) {
			unknown = append(unknown, f)
		}
	}
	if len(unknown) == 0 && same {
		return nil
	}
	w := cache.begin()
	for _, f := range unknown {
		if err := ctx.Err(); err != nil {
			if w != nil {
				w.abort()
			}
			return fmt.Errorf("scanning memories: %w", err)
		}
		t.Read++
		x.read(root, f, t)
	}
	if w != nil {
		w.save(cache, found)
	}
	return nil
}

func (x *Index) sortFile(t *Tree, f *fileStat) {
	p, bad := x.catalog.Problem(f.blob)
	if !bad {
		t.Files = append(t.Files, File{Path: f.path, Blob: f.blob})
		return
	}
	p.Path = f.path
	t.Problems = append(t.Problems, p)
}

// read takes in one new or changed file. One that vanished meanwhile is left
// out without a word.
func (x *Index) read(root string, f *fileStat, t *Tree) {
	f.blob = ""
	data, err := readRegular(filepath.Join(root, filepath.FromSlash(f.path)))
	switch {
	case os.IsNotExist(err):
	case err != nil:
		p := problemOf(f.path, err)
		p.Path = f.path
		t.Problems = append(t.Problems, p)
	default:
		f.blob = BlobID(data, x.opt.SHA256)
		x.catalog.Add(f.blob, f.path, data)
	}
}

func readRegular(name string) ([]byte, error) {
	file, err := openNoFollow(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", kindOf(info.Mode()))
	}
	data, err := io.ReadAll(io.LimitReader(file, memory.MaxFile+1))
	if err == nil && len(data) > memory.MaxFile {
		err = errTooLarge(int64(len(data)))
	}
	return data, err
}

func errTooLarge(size int64) error {
	return fmt.Errorf("%d bytes is over the limit of %d for one memory", size, memory.MaxFile)
}

func kindOf(m os.FileMode) string {
	switch {
	case m&os.ModeSymlink != 0:
		return "a symbolic link"
	case m.IsDir():
		return "a folder"
	case m&os.ModeNamedPipe != 0:
		return "a named pipe"
	}
	return "a device or socket"
}

// BlobID is the git blob id of data, hexadecimal.
func BlobID(data []byte, useSHA256 bool) string {
	var h hash.Hash
	if useSHA256 {
		h = sha256.New()
	} else {
		h = sha1.New() //nolint:gosec // git's own choice of name, not a secret
	}
	h.Write([]byte("blob " + strconv.Itoa(len(data)) + "\x00"))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// remember keeps where landed blobs can be read again, for [Index.Fill].
func (x *Index) remember(root string, files []File) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.trees[root] = files
}
