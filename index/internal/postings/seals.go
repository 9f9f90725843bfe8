package postings

import (
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"

	bluge "github.com/blugelabs/bluge/index"
	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/internal/stamp"
)

// seals remembers which segments of a generation were verified, so that each is
// read whole once and not by every process. A segment counts as verified while
// its size, times and inode are unchanged; one whose time of change is not
// before the verification began is not remembered, as its clock may not have
// moved between two changes. Where files have no such time nothing is.
//
// The one section of the file "sealed" is, for each segment, 8 bytes id and the
// stamp.
type seals struct {
	dir   *directory
	known map[uint64]stamp.Stamp
	used  map[uint64]stamp.Stamp // of the segments that are open now
	next  *cachefile.File        // begun before the first verification, nil until then
	began int64                  // when, by the clock of the file system
}

// sealsVersion is raised when the layout of seals changes. History:
//
//	1  first
//	2  the header that all files of the cache have
const sealsVersion = 2

const sealsName = "sealed"

func sealsFormat() cachefile.Format { return cachefile.Format{Magic: "CTXV", Version: sealsVersion} }

func (d *directory) readSeals() *seals {
	s := &seals{dir: d, known: map[uint64]stamp.Stamp{}, used: map[uint64]stamp.Stamp{}}
	data, err := mapped.ReadString(filepath.Join(d.path, sealsName), false)
	if err != nil {
		return s
	}
	sections, err := sealsFormat().DecodeWhole(data, 1)
	if err != nil {
		return s
	}
	for c := (cachefile.Reader{Rest: sections[0]}); len(c.Rest) >= 8+stamp.EncodedSize; {
		id := c.Fixed(8)
		s.known[id] = stamp.Read(c.Take(stamp.EncodedSize))
	}
	return s
}

// segment opens a segment, and verifies it unless that was done before.
func (d *directory) segment(id uint64, s *seals) (segmentBytes, error) {
	file, err := os.Open(d.file(bluge.ItemKindSegment, id))
	if err != nil {
		return segmentBytes{}, err
	}
	defer file.Close()
	now, ok := stamp.Of(file)
	ok = ok && now.Changed != 0
	if ok && s.known[id] == now {
		s.used[id] = now
		data, closer, err := mapped.Bytes(file, now.Size, now.Size >= mapped.From/16)
		n := max(0, len(data)-footerSize)
		return segmentBytes{data[:n:n], closer}, err
	}
	s.begin()
	data, closer, err := mapped.Bytes(file, now.Size, now.Size >= mapped.From)
	if err != nil {
		return segmentBytes{}, err
	}
	body, err := checkFooter(data, bluge.ItemKindSegment, id)
	if err != nil {
		_ = closer.Close()
		return segmentBytes{}, err
	}
	if ok && s.next != nil && now.Changed < s.began {
		s.used[id] = now
	}
	return segmentBytes{body, closer}, nil
}

// begin notes the time of the file system before something is verified.
func (s *seals) begin() {
	if s.next != nil {
		return
	}
	next, err := cachefile.Create(filepath.Join(s.dir.path, sealsName))
	if err != nil {
		return
	}
	s.next = next
	if info, err := next.Stat(); err == nil {
		s.began = info.ModTime().UnixNano()
	}
}

// save remembers what was verified, if there is anything new. A file that
// cannot be written is no failure.
func (s *seals) save() {
	if s.next == nil {
		return
	}
	defer s.next.Close()
	var b []byte
	for _, id := range slices.Sorted(maps.Keys(s.used)) {
		st := s.used[id]
		b = stamp.Append(binary.LittleEndian.AppendUint64(b, id), &st)
	}
	if _, err := s.next.Write(sealsFormat().Encode(b)); err == nil {
		_ = s.next.Commit()
	}
}

// abort leaves everything as it was.
func (s *seals) abort() {
	if s.next != nil {
		s.next.Close()
	}
}
