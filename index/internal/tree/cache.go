package tree

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/stamp"
)

// cacheVersion is raised when the layout of the stat cache changes. History:
//
//	1  first
//	2  files in rows of one size
//	3  the prefix of the paths
//	4  the header that all files of the cache have, and sections
const cacheVersion = 4

func cacheFormat() cachefile.Format { return cachefile.Format{Magic: "CTXS", Version: cacheVersion} }

// Cache remembers one tree as it was last seen. The file is
// "stat-<hash of the root>", so that worktrees do not share one. Its sections are
//
//	8 bytes stamp, 4 bytes each number of folders, of files, and length of a blob id, prefix of the paths
//	folders: stamp, uvarint number of files, byte: 1 if it holds something odd, path, list of paths of folders
//	files:   stamp, 4 bytes 1 + number in the catalog, 4 bytes end of the path, blob id in hexadecimal
//	paths:   of the files, a NUL behind each
//
// in the order of folders. Files are only decoded where they are compared.
type Cache struct {
	dir, root string
	prefix    string         // of the paths
	folders   []cachedFolder // sorted by path
	stamp     int64          // see [Writer]
	State     string         // names the files; "" when there is none

	hexLen      int
	rows, paths string
}

// cachedFolder is a folder as it was.
type cachedFolder struct {
	stamp.Stamp
	path         string
	folders      []string
	odd          bool // list it again
	first, count int  // its files
}

func cacheName(dir, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(dir, "stat-"+hex.EncodeToString(sum[:6]))
}

// folder is the folder at path; nil when it was not there.
func (c *Cache) folder(path string) *cachedFolder {
	i, ok := slices.BinarySearchFunc(c.folders, path, func(f cachedFolder, p string) int {
		return strings.Compare(f.path, p)
	})
	if !ok {
		return nil
	}
	return &c.folders[i]
}

// Count returns the number of files.
func (c *Cache) Count() int {
	if n := len(c.folders); n > 0 {
		return c.folders[n-1].first + c.folders[n-1].count
	}
	return 0
}

// Options says where a tree is and where its cache lies.
type Options struct {
	Root    string
	Dir     string // of the cache; "" keeps nothing
	Prefix  string // what the paths of files begin with
	OneShot bool   // the cache may stay mapped until the process ends
}

// Load reads the cache of a tree; a damaged or missing one is empty.
func Load(opt Options) *Cache {
	empty := &Cache{dir: opt.Dir, root: opt.Root, prefix: opt.Prefix}
	if opt.Dir == "" {
		return empty
	}
	s, err := mapped.ReadString(cacheName(opt.Dir, opt.Root), opt.OneShot)
	if err != nil {
		return empty
	}
	sections, err := cacheFormat().DecodeWhole(s, 4)
	if err != nil {
		return empty
	}
	c := *empty
	if !c.decode(sections) {
		return empty
	}
	c.State = stateOf(s)
	return &c
}

// stateOf names a stat cache by its beginning: the checksums of all sections, and
// the moment in which it was made.
func stateOf[T string | []byte](cache T) string {
	sum := sha256.Sum256([]byte(cache[:min(len(cache), 128)]))
	return hex.EncodeToString(sum[:16])
}

// decode reads the sections; false when they do not fit together.
func (c *Cache) decode(sections []string) bool {
	r := cachefile.Reader{Rest: sections[0]}
	c.stamp = int64(r.Fixed(8))
	folders, files := int(r.Fixed(4)), int(r.Fixed(4))
	c.hexLen = int(r.Fixed(4))
	c.rows, c.paths = sections[2], sections[3]
	if r.Err != nil || r.Rest != c.prefix || folders > len(sections[1]) || len(c.rows) != files*rowSize(c.hexLen) {
		return false
	}
	c.folders = make([]cachedFolder, folders)
	n := 0
	r = cachefile.Reader{Rest: sections[1]}
	for i := range c.folders {
		f := &c.folders[i]
		f.Stamp, f.first, f.count = stamp.Read(r.Take(stamp.EncodedSize)), n, r.Uvarint()
		f.odd = r.Byte() != 0
		f.path, f.folders = r.Text(), r.Strings()
		n += f.count
	}
	return r.Err == nil && r.Rest == "" && n == files
}

func rowSize(hexLen int) int { return stamp.EncodedSize + 4 + 4 + hexLen }

// row is a file in the rows of a cache.
type row string

func (c *Cache) row(i int) row {
	size := rowSize(c.hexLen)
	return row(c.rows[i*size : (i+1)*size])
}

// File is file i of the tree as it was.
func (c *Cache) File(i int) (path, blob string, hint int32) {
	r := c.row(i)
	return c.path(i), r.blob(), r.hint()
}

func (r row) stamp() stamp.Stamp {
	return stamp.At(string(r), 0)
}

func (r row) hint() int32 { return int32(cachefile.Uint32(string(r), stamp.EncodedSize)) }

func (r row) blob() string { return string(r[stamp.EncodedSize+8:]) }

func (c *Cache) pathEnd(i int) int {
	return int(cachefile.Uint32(c.rows, i*rowSize(c.hexLen)+stamp.EncodedSize+4))
}

// path is the path of file i. A NUL follows it in memory.
func (c *Cache) path(i int) string {
	from := 0
	if i > 0 {
		from = c.pathEnd(i-1) + 1
	}
	return c.paths[from:c.pathEnd(i)]
}

// files decodes the files of a folder.
func (c *Cache) files(f *cachedFolder) []File {
	out := make([]File, f.count)
	for i := range out {
		row := c.row(f.first + i)
		out[i] = File{Stamp: row.stamp(), Hint: row.hint(), Path: c.path(f.first + i), Blob: row.blob()}
	}
	return out
}

// change is a file that is not as it was.
type change struct {
	at   int // among the files of the cache
	now  stamp.Stamp
	gone bool
	err  error // of asking for it
}

// reuse takes the files of old but for changes. Without any, they are not even
// decoded.
func (f *Folder) reuse(c *Cache, old *cachedFolder, changes []change) {
	if len(changes) == 0 {
		f.same = old
		return
	}
	f.Files = c.files(old)
	for _, ch := range changes {
		file := &f.Files[ch.at-old.first]
		file.Stamp, file.Blob, file.Hint = ch.now, "", 0
		if ch.err != nil {
			f.trouble(strings.TrimPrefix(file.Path, f.prefix), ch.err)
		}
		if ch.gone {
			file.Path = ""
		}
	}
	f.Files = lists.Without(f.Files, func(s File) bool { return s.Path == "" })
}

// encode lays out what was found, as of the time at; files without a blob are left out.
func (c *Cache) encode(at int64, found []Folder) []byte {
	var folders []byte
	files, hexLen, size := 0, 0, 0
	for i := range found {
		for k := range found[i].Files {
			file := &found[i].Files[k]
			files, size, hexLen = files+1, size+len(file.Path)+1, max(hexLen, len(file.Blob))
		}
	}
	paths, rows := make([]byte, 0, size), make([]byte, 0, files*rowSize(hexLen))
	files = 0
	for i := range found {
		f := &found[i]
		n := 0
		for k := range f.Files {
			if file := &f.Files[k]; file.Blob != "" {
				paths = append(append(paths, file.Path...), 0)
				rows = file.put(rows, len(paths)-1)
				n++
			}
		}
		files += n
		folders = f.put(folders, n)
	}
	first := binary.LittleEndian.AppendUint64(nil, uint64(at))
	for _, n := range []int{len(found), files, hexLen} {
		first = binary.LittleEndian.AppendUint32(first, uint32(n))
	}
	return cacheFormat().Encode(append(first, c.prefix...), folders, rows, paths)
}

// put appends the row of a file, of which the path ends at a place.
func (f *File) put(rows []byte, pathEnd int) []byte {
	rows = binary.LittleEndian.AppendUint32(stamp.Append(rows, &f.Stamp), uint32(f.Hint))
	return append(binary.LittleEndian.AppendUint32(rows, uint32(pathEnd)), f.Blob...)
}

// put appends a folder of which so many files are kept.
func (f *Folder) put(folders []byte, kept int) []byte {
	odd := byte(0)
	if len(f.Problems) > 0 || kept < len(f.Files) {
		odd = 1
	}
	folders = append(binary.AppendUvarint(stamp.Append(folders, &f.Stamp), uint64(kept)), odd)
	folders = binary.AppendUvarint(cachefile.AppendString(folders, f.Path), uint64(len(f.folders)))
	for _, s := range f.folders {
		folders = cachefile.AppendString(folders, s)
	}
	return folders
}

// decodeSame decodes the files of folders that are as they were.
func (c *Cache) decodeSame(found []Folder) {
	for i := range found {
		if old := found[i].same; old != nil {
			found[i].Files, found[i].same = c.files(old), nil
		}
	}
}

// Current reports whether the cache says what was found.
func (c *Cache) Current(found []Folder) bool {
	return slices.EqualFunc(found, c.folders, func(a Folder, b cachedFolder) bool {
		return a.Path == b.path && a.Stamp == b.Stamp && a.Count() == b.count
	})
}

// Writer is a cache being written. Its stamp is the time of the file
// system at which it was made, which is before anything is listed or read. A nil
// Writer writes nothing.
type Writer struct {
	file  *cachefile.File
	stamp int64
}

// Begin makes the file that will replace the cache; nil when that is not
// possible, or there is no cache.
func (c *Cache) Begin() *Writer {
	if c.dir == "" || os.MkdirAll(c.dir, 0o777) != nil {
		return nil
	}
	file, err := cachefile.Create(cacheName(c.dir, c.root))
	if err != nil {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil
	}
	return &Writer{file: file, stamp: info.ModTime().UnixNano()}
}

// Save puts found in the place of the cache, and returns its state. A cache that
// cannot be written is no failure.
func (w *Writer) Save(c *Cache, found []Folder) (state string) {
	if w == nil {
		return ""
	}
	data := c.encode(w.stamp, found)
	if _, err := w.file.Write(data); err != nil || w.file.Commit() != nil {
		return ""
	}
	return stateOf(data)
}

// Close gives the file back, which is gone unless it was saved.
func (w *Writer) Close() {
	if w != nil {
		w.file.Close()
	}
}
