package index

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
	"github.com/git-cortex/cortex/internal/stamp"
)

// statsVersion is raised when the layout of the stat cache changes. History:
//
//	1  first
//	2  files in rows of one size
//	3  the prefix of the paths
//	4  the header that all files of the cache have, and sections
const statsVersion = 4

func statsFormat() cachefile.Format { return cachefile.Format{Magic: "CTXS", Version: statsVersion} }

// statCache remembers one working tree as it was last seen. The file is
// "stat-<hash of the root>", so that worktrees do not share one. Its sections are
//
//	8 bytes stamp, 4 bytes each number of folders, of files, and length of a blob id, prefix of the paths
//	folders: stamp, uvarint number of files, byte: 1 if it holds something odd, path, list of paths of folders
//	files:   stamp, 4 bytes 1 + number in the catalog, 4 bytes end of the path, blob id in hexadecimal
//	paths:   of the files, a NUL behind each
//
// in the order of folders. Files are only decoded where they are compared.
type statCache struct {
	dir, root string
	prefix    string         // of the paths
	folders   []cachedFolder // sorted by path
	stamp     int64          // see statWriter
	state     string         // see Tree.State; "" when there is none

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

func statsName(dir, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(dir, "stat-"+hex.EncodeToString(sum[:6]))
}

// folder is the folder at path; nil when it was not there.
func (c *statCache) folder(path string) *cachedFolder {
	i, ok := slices.BinarySearchFunc(c.folders, path, func(f cachedFolder, p string) int { return strings.Compare(f.path, p) })
	if !ok {
		return nil
	}
	return &c.folders[i]
}

// count is the number of files.
func (c *statCache) count() int {
	if n := len(c.folders); n > 0 {
		return c.folders[n-1].first + c.folders[n-1].count
	}
	return 0
}

// loadStats reads the cache of root; a damaged or missing one is empty.
func loadStats(opt Options, root string) *statCache {
	c := &statCache{dir: opt.Dir, root: root, prefix: opt.Prefix}
	if c.dir == "" {
		return c
	}
	s, err := mapped.ReadString(statsName(c.dir, root), opt.OneShot)
	if err != nil {
		return c
	}
	sections, err := statsFormat().DecodeWhole(s, 4)
	if err != nil || !c.decode(sections) {
		return &statCache{dir: opt.Dir, root: root, prefix: opt.Prefix}
	}
	c.state = stateOf(s)
	return c
}

// stateOf names a stat cache by its beginning: the checksums of all sections, and
// the moment in which it was made.
func stateOf[T string | []byte](cache T) string {
	sum := sha256.Sum256([]byte(cache[:min(len(cache), 128)]))
	return hex.EncodeToString(sum[:16])
}

// decode reads the sections; false when they do not fit together.
func (c *statCache) decode(sections []string) bool {
	r := cachefile.Reader{Rest: sections[0]}
	c.stamp = int64(r.Fixed(8))
	folders, files := int(r.Fixed(4)), int(r.Fixed(4))
	c.hexLen = int(r.Fixed(4))
	c.rows, c.paths = sections[2], sections[3]
	if r.Err != nil || r.Rest != c.prefix || folders > len(sections[1]) || len(c.rows) != files*statRow(c.hexLen) {
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

func statRow(hexLen int) int { return stamp.EncodedSize + 4 + 4 + hexLen }

// statRecord is a file in the rows of a stat cache.
type statRecord string

func (c *statCache) row(i int) statRecord {
	size := statRow(c.hexLen)
	return statRecord(c.rows[i*size : (i+1)*size])
}

func (r statRecord) stamp() stamp.Stamp {
	return stamp.At(string(r), 0)
}

func (r statRecord) hint() int32 { return int32(cachefile.Uint32(string(r), stamp.EncodedSize)) }

func (r statRecord) blob() string { return string(r[stamp.EncodedSize+8:]) }

func (c *statCache) pathEnd(i int) int {
	return int(cachefile.Uint32(c.rows, i*statRow(c.hexLen)+stamp.EncodedSize+4))
}

// path is the path of file i. A NUL follows it in memory.
func (c *statCache) path(i int) string {
	from := 0
	if i > 0 {
		from = c.pathEnd(i-1) + 1
	}
	return c.paths[from:c.pathEnd(i)]
}

// files decodes the files of a folder.
func (c *statCache) files(f *cachedFolder) []fileStat {
	out := make([]fileStat, f.count)
	for i := range out {
		row := c.row(f.first + i)
		out[i] = fileStat{Stamp: row.stamp(), hint: row.hint(), path: c.path(f.first + i), blob: row.blob()}
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
func (f *folderStat) reuse(c *statCache, old *cachedFolder, changes []change) {
	if len(changes) == 0 {
		f.same = old
		return
	}
	f.files = c.files(old)
	for _, ch := range changes {
		file := &f.files[ch.at-old.first]
		file.Stamp, file.blob, file.hint = ch.now, "", 0
		if ch.err != nil {
			f.trouble(strings.TrimPrefix(file.path, f.prefix), ch.err)
		}
		if ch.gone {
			file.path = ""
		}
	}
	f.files = slices.DeleteFunc(f.files, func(s fileStat) bool { return s.path == "" })
}

// encode lays out what was found, as of the time at; files without a blob are left out.
func (c *statCache) encode(at int64, found []folderStat) []byte {
	var folders, rows, paths []byte
	files, hexLen := 0, 0
	size, count := 0, 0
	for i := range found {
		for k := range found[i].files {
			file := &found[i].files[k]
			size, count, hexLen = size+len(file.path)+1, count+1, max(hexLen, len(file.blob))
		}
	}
	paths, rows = make([]byte, 0, size), make([]byte, 0, count*(len(stamp.Append(nil, &stamp.Stamp{}))+8+hexLen))
	for i := range found {
		f := &found[i]
		n := 0
		for k := range f.files {
			if file := &f.files[k]; file.blob != "" {
				paths = append(append(paths, file.path...), 0)
				rows = binary.LittleEndian.AppendUint32(stamp.Append(rows, &file.Stamp), uint32(file.hint))
				rows = binary.LittleEndian.AppendUint32(rows, uint32(len(paths)-1))
				rows = append(rows, file.blob...)
				n++
			}
		}
		files += n
		folders = binary.AppendUvarint(stamp.Append(folders, &f.Stamp), uint64(n))
		odd := byte(0)
		if len(f.problems) > 0 || n < len(f.files) {
			odd = 1
		}
		folders = cachefile.AppendString(append(folders, odd), f.path)
		folders = binary.AppendUvarint(folders, uint64(len(f.folders)))
		for _, s := range f.folders {
			folders = cachefile.AppendString(folders, s)
		}
	}
	first := binary.LittleEndian.AppendUint64(nil, uint64(at))
	for _, n := range []int{len(found), files, hexLen} {
		first = binary.LittleEndian.AppendUint32(first, uint32(n))
	}
	return statsFormat().Encode(append(first, c.prefix...), folders, rows, paths)
}

// decodeSame decodes the files of folders that are as they were.
func (c *statCache) decodeSame(found []folderStat) {
	for i := range found {
		if old := found[i].same; old != nil {
			found[i].files, found[i].same = c.files(old), nil
		}
	}
}

// current reports whether the cache says what was found.
func (c *statCache) current(found []folderStat) bool {
	return slices.EqualFunc(found, c.folders, func(a folderStat, b cachedFolder) bool {
		return a.path == b.path && a.Stamp == b.Stamp && (a.same != nil || len(a.files) == b.count)
	})
}

// statWriter is a stat cache being written. Its stamp is the time of the file
// system at which it was made, which is before anything is listed or read. A nil
// statWriter writes nothing.
type statWriter struct {
	file  *cachefile.File
	stamp int64
}

// begin makes the file that will replace the cache; nil when that is not
// possible, or there is no cache.
func (c *statCache) begin() *statWriter {
	if c.dir == "" || os.MkdirAll(c.dir, 0o777) != nil {
		return nil
	}
	file, err := cachefile.Create(statsName(c.dir, c.root))
	if err != nil {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil
	}
	return &statWriter{file: file, stamp: info.ModTime().UnixNano()}
}

// save puts found in the place of the cache, and returns its state. A cache that
// cannot be written is no failure.
func (w *statWriter) save(c *statCache, found []folderStat) (state string) {
	if w == nil {
		return ""
	}
	data := c.encode(w.stamp, found)
	if _, err := w.file.Write(data); err != nil || w.file.Commit() != nil {
		return ""
	}
	return stateOf(data)
}

// close gives the file back, which is gone unless it was saved.
func (w *statWriter) close() {
	if w != nil {
		w.file.Close()
	}
}
