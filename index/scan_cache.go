package index

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// statsVersion is raised when the layout of the stat cache changes.
//
//	1  first
const statsVersion = 1

const (
	statsMagic  = "CTXS"
	statsHeader = 4 + 4 + 8 + 4 // magic, version, stamp, CRC of what follows
)

// statCache remembers one working tree as it was last seen. The file is
// "stat-<hash of the root>", so that worktrees do not share one.
type statCache struct {
	dir, root string
	folders   []folderStat // sorted by path
	stamp     int64        // see statWriter
}

func statsName(dir, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(dir, "stat-"+hex.EncodeToString(sum[:6]))
}

// folder is the folder at path; nil when it was not there.
func (c *statCache) folder(path string) *folderStat {
	i, ok := slices.BinarySearchFunc(c.folders, path, func(f folderStat, p string) int { return strings.Compare(f.path, p) })
	if !ok {
		return nil
	}
	return &c.folders[i]
}

// loadStats reads the cache of root; a damaged or missing one is empty.
func loadStats(dir, root string) *statCache {
	c := &statCache{dir: dir, root: root}
	if dir == "" {
		return c
	}
	s, err := readString(statsName(dir, root))
	if err != nil || len(s) < statsHeader || s[:4] != statsMagic {
		return c
	}
	cur := cursor{s: s[4:]}
	version, at, sum := cur.fixed(4), int64(cur.fixed(8)), uint32(cur.fixed(4))
	if version != statsVersion || checksumString(s[statsHeader:]) != sum {
		return c
	}
	folders := make([]folderStat, cur.count())
	for i := range folders {
		cur.folder(&folders[i])
	}
	if cur.err == nil {
		c.folders, c.stamp = folders, at
	}
	return c
}

func (c *cursor) stamp() stamp {
	return stamp{size: int64(c.fixed(8)), mtime: int64(c.fixed(8)), ctime: int64(c.fixed(8)), inode: c.fixed(8)}
}

func (c *cursor) folder(f *folderStat) {
	f.stamp, f.path = c.stamp(), c.string()
	if c.byte() != 0 {
		f.problems = []Problem{{}} // it holds something odd: list it again
	}
	f.folders = c.strings()
	f.files = make([]fileStat, c.count())
	for i := range f.files {
		f.files[i] = fileStat{stamp: c.stamp(), path: c.string(), blob: c.string()}
	}
}

func putStamp(b []byte, s *stamp) []byte {
	for _, v := range []uint64{uint64(s.size), uint64(s.mtime), uint64(s.ctime), s.inode} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

func putFolder(b []byte, f *folderStat) []byte {
	b = putString(putStamp(b, &f.stamp), f.path)
	odd := byte(0)
	if len(f.problems) > 0 {
		odd = 1
	}
	b = binary.AppendUvarint(append(b, odd), uint64(len(f.folders)))
	for _, s := range f.folders {
		b = putString(b, s)
	}
	b = binary.AppendUvarint(b, uint64(len(f.files)))
	for i := range f.files {
		b = putString(putString(putStamp(b, &f.files[i].stamp), f.files[i].path), f.files[i].blob)
	}
	return b
}

// current reports whether the cache says what was found.
func (c *statCache) current(found []folderStat) bool {
	return slices.EqualFunc(found, c.folders, func(a, b folderStat) bool {
		return a.path == b.path && a.stamp == b.stamp && len(a.files) == len(b.files)
	})
}

// statWriter is a stat cache being written. Its stamp is the time of the file
// system at which it was made, which is before anything is listed or read. A nil
// statWriter writes nothing.
type statWriter struct {
	file  *os.File
	stamp int64
	done  bool
}

// begin makes the file that will replace the cache; nil when that is not
// possible, or there is no cache.
func (c *statCache) begin() *statWriter {
	if c.dir == "" || os.MkdirAll(c.dir, 0o777) != nil {
		return nil
	}
	file, err := os.CreateTemp(c.dir, ".tmp-*")
	if err != nil {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		_ = os.Remove(file.Name())
		return nil
	}
	return &statWriter{file: file, stamp: info.ModTime().UnixNano()}
}

// save puts found in the place of the cache. A cache that cannot be written is
// no failure.
func (w *statWriter) save(c *statCache, found []folderStat) {
	if w == nil || w.done {
		return
	}
	w.done = true
	b := binary.AppendUvarint(make([]byte, statsHeader), uint64(len(found)))
	for i := range found {
		b = putFolder(b, &found[i])
	}
	copy(b, statsMagic)
	binary.LittleEndian.PutUint32(b[4:], statsVersion)
	binary.LittleEndian.PutUint64(b[8:], uint64(w.stamp))
	binary.LittleEndian.PutUint32(b[16:], checksum(b[statsHeader:]))
	_, err := w.file.Write(b)
	if e := w.file.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(w.file.Name(), statsName(c.dir, c.root))
	}
	if err != nil {
		_ = os.Remove(w.file.Name())
	}
}

// abort removes the file unless it was saved.
func (w *statWriter) abort() {
	if w == nil || w.done {
		return
	}
	w.file.Close()
	_ = os.Remove(w.file.Name())
}
