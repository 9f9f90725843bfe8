package index

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
)

// statsVersion is raised when the layout of the stat cache changes.
//
//	1  first
const statsVersion = 1

const (
	statsMagic  = "CTXS"
	statsHeader = 4 + 4 + 8 + 4 // magic, version, stamp, CRC of what follows
)

// statCache remembers the files of one working tree as they were last seen. The
// file is "stat-<hash of the root>", so that worktrees do not share one.
type statCache struct {
	dir, root string
	files     []fileStat // sorted by path
	stamp     int64      // see statWriter
}

func statsName(dir, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(dir, "stat-"+hex.EncodeToString(sum[:6]))
}

// load reads the cache of root; a damaged or missing one is empty.
func loadStats(dir, root string) *statCache {
	c := &statCache{dir: dir, root: root}
	if dir == "" {
		return c
	}
	file, err := os.Open(statsName(dir, root))
	if err != nil {
		return c
	}
	defer file.Close()
	s, err := readString(file)
	if err != nil || len(s) < statsHeader || s[:4] != statsMagic {
		return c
	}
	cur := cursor{s: s[4:]}
	version, written, sum := cur.fixed(4), int64(cur.fixed(8)), uint32(cur.fixed(4))
	if version != statsVersion || checksumString(s[statsHeader:]) != sum {
		return c
	}
	files := make([]fileStat, cur.count())
	for i := range files {
		f := &files[i]
		f.path, f.blob = cur.string(), cur.string()
		f.size, f.mtime, f.ctime, f.inode = int64(cur.fixed(8)), int64(cur.fixed(8)), int64(cur.fixed(8)), cur.fixed(8)
	}
	if cur.err == nil {
		c.files, c.stamp = files, written
	}
	return c
}

// apply gives the blobs of unchanged files to found, which is sorted by path,
// and reports whether both lists hold the same files.
func (c *statCache) apply(found []fileStat) (same bool) {
	same = len(found) == len(c.files)
	old := c.files
	for i := range found {
		f := &found[i]
		for len(old) > 0 && old[0].path < f.path {
			old, same = old[1:], false
		}
		if len(old) == 0 || old[0].path != f.path {
			same = false
			continue
		}
		if old[0].same(f) && !f.racy(c.stamp) {
			f.blob = old[0].blob
		}
		old = old[1:]
	}
	return same
}

// racy reports whether the file may have changed after it was read without its
// times showing it, because it was changed in the moment of the stamp or later.
// The change time, where there is one, cannot be set by hand.
func (a *fileStat) racy(stamp int64) bool {
	if a.ctime != 0 {
		return a.ctime >= stamp
	}
	return a.mtime >= stamp
}

// statWriter is a stat cache being written. Its stamp is the time of the file
// system at which it was made, which is before any file is read.
type statWriter struct {
	file  *os.File
	stamp int64
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

// save puts files, sorted by path, in the place of the cache. A cache that
// cannot be written is no failure.
func (w *statWriter) save(c *statCache, files []fileStat) {
	b := make([]byte, statsHeader, statsHeader+len(files)*170)
	n := 0
	for i := range files {
		if files[i].blob != "" {
			n++
		}
	}
	b = binary.AppendUvarint(b, uint64(n))
	for i := range files {
		f := &files[i]
		if f.blob == "" {
			continue
		}
		b = putString(putString(b, f.path), f.blob)
		for _, v := range []uint64{uint64(f.size), uint64(f.mtime), uint64(f.ctime), f.inode} {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
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

func (w *statWriter) abort() {
	w.file.Close()
	_ = os.Remove(w.file.Name())
}
