package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	bluge "github.com/blugelabs/bluge/index"
	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/mapped"
)

// indexSchema is raised when analysis, fields or files of the index change. It
// is part of a generation's name, so an index of another schema is not opened.
//
//	1  first
//	2  tables of fixed-size rows
const indexSchema = 2

// segments is an open snapshot of the Bluge index: a [source]. It is shared by
// searches and closed when the last lets go.
type segments struct {
	generation string
	files      *preloaded
	snapshot   *bluge.Snapshot
	tables     []docTable // one per Bluge segment, in order of document numbers
	docs       int
	users      atomic.Int32
}

// docTable names the documents of one Bluge segment, in rows of one size: the
// blob as bytes, 1 + its number in the catalog (a hint), and the lengths.
type docTable struct {
	first uint32 // number of the first document
	hash  int    // bytes of a blob
	rows  string
	dead  func(doc uint32) bool
}

const (
	tableKind  = ".ids"
	tableMagic = "CTXI"
)

// docName is what a source knows of a document.
type docName struct {
	blob   string // as bytes
	hint   int32  // 1 + its number in the catalog, or 0
	length [fieldCount]uint32
}

func tableRow(hash int) int { return hash + 4 + 4*int(fieldCount) }

func (t *docTable) len() int { return len(t.rows) / tableRow(t.hash) }

func (t *docTable) name(doc int) (d docName) {
	size := tableRow(t.hash)
	row := t.rows[doc*size : (doc+1)*size]
	d.blob = row[:t.hash]
	d.hint = int32(cachefile.Uint32(row, t.hash))
	for f := range d.length {
		d.length[f] = cachefile.Uint32(row, t.hash+4+4*f)
	}
	return d
}

func (d *docName) put(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, d.blob...), uint32(d.hint))
	for _, n := range d.length {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// openSegments opens the current generation below dir (…/index).
func openSegments(dir string, hash int) (*segments, error) {
	name, err := currentGeneration(dir)
	if err != nil {
		return nil, err
	}
	p, err := preload(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	snapshot, err := bluge.OpenReader(blugeConfig(p))
	if err != nil {
		p.release()
		return nil, fmt.Errorf("opening the index: %w", err)
	}
	s := &segments{generation: name, files: p, snapshot: snapshot}
	s.users.Store(1)
	if err := s.readTables(p.directory, hash); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func blugeConfig(d bluge.Directory) bluge.Config {
	c := bluge.DefaultConfigWithDirectory(func() bluge.Directory { return d })
	c.NormCalc = func(string, int) float32 { return unusedNorm() }
	c.ValidateSnapshotCRC = true
	c.AsyncError = func(error) {}
	c.NumAnalysisWorkers = 1
	return c
}

// current reports whether s is what is on disk now.
func (s *segments) current(dir string) bool {
	name, err := currentGeneration(dir)
	if err != nil || name != s.generation {
		return false
	}
	epochs, err := s.files.directory.List(bluge.ItemKindSnapshot)
	return err == nil && len(epochs) > 0 && epochs[0] == s.files.epoch
}

// acquire takes part in s; false when it is closed already.
func (s *segments) acquire() bool {
	for {
		n := s.users.Load()
		if n == 0 {
			return false
		}
		if s.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (s *segments) close() {
	if s.users.Add(-1) == 0 {
		_ = s.snapshot.Close()
	}
}

// readTables reads which document is which memory, from the table beside each
// segment or, when that is missing or damaged, from the segment itself.
func (s *segments) readTables(d *directory, hash int) error {
	first := uint32(0)
	for _, seg := range s.snapshot.Segments() {
		n, err := segmentSize(seg)
		if err != nil {
			return err
		}
		t, err := loadTable(d, seg.ID(), int(n), hash)
		if err != nil {
			if t, err = tableOf(s.snapshot, first, n, hash, nil); err != nil {
				return err
			}
		}
		t.first = first
		if gone := seg.Deleted(); gone != nil {
			t.dead = gone.Contains
		}
		s.tables = append(s.tables, t)
		first += n
	}
	s.docs = int(first)
	return nil
}

// segmentSize is the number of documents of a segment, deleted ones included.
func segmentSize(seg bluge.SegmentSnapshot) (uint32, error) {
	sized, ok := seg.(interface{ FullSize() int64 })
	if !ok {
		return 0, errors.New("opening the index: a segment without a size")
	}
	return uint32(sized.FullSize()), nil
}

// tableOf reads the stored names of documents first … first+n. Number finds
// their hints; it may be nil.
func tableOf(snapshot *bluge.Snapshot, first, n uint32, hash int, number func(raw string) int) (docTable, error) {
	t := docTable{hash: hash}
	rows := make([]byte, 0, int(n)*tableRow(hash))
	for i := range n {
		var d docName
		bad := errDamaged
		err := snapshot.VisitStoredFields(uint64(first+i), func(_ string, value []byte) bool {
			d, bad = decodeName(string(value), hash)
			return true
		})
		if err := errors.Join(err, bad); err != nil {
			return t, fmt.Errorf("reading names of the index: %w", err)
		}
		if number != nil {
			d.hint = int32(number(d.blob) + 1)
		}
		rows = d.put(rows)
	}
	t.rows = mapped.String(rows)
	return t, nil
}

// encodeName is the stored name of a document: its lengths and its blob.
func encodeName(d *document) []byte {
	var b []byte
	for _, n := range d.length {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return append(b, d.blob...)
}

func decodeName(s string, hash int) (d docName, err error) {
	c := cachefile.Reader{Rest: s}
	for f := range d.length {
		d.length[f] = uint32(c.Fixed(4))
	}
	blob, ok := rawBlob(c.Rest, hash)
	if c.Err != nil || !ok {
		return d, errDamaged
	}
	d.blob = blob
	return d, nil
}

// saveTable writes the table of a segment.
func saveTable(d *directory, id uint64, t docTable) error {
	b := binary.LittleEndian.AppendUint32([]byte(tableMagic), uint32(t.len()))
	b = append(append(b, t.rows...), footer(tableKind, id)...)
	return cachefile.Replace(d.file(tableKind, id), binary.LittleEndian.AppendUint32(b, cachefile.Sum(b)))
}

func loadTable(d *directory, id uint64, n, hash int) (t docTable, err error) {
	data, err := os.ReadFile(d.file(tableKind, id))
	if err != nil {
		return t, fmt.Errorf("reading names of the index: %w", err)
	}
	body, err := checkFooter(data, tableKind, id)
	if err != nil {
		return t, err
	}
	c := cachefile.Reader{Rest: mapped.String(body)}
	if c.Take(4) != tableMagic || int(c.Fixed(4)) != n || len(c.Rest) != n*tableRow(hash) {
		return t, errDamaged
	}
	return docTable{hash: hash, rows: c.Rest}, nil
}

func (s *segments) parts() int { return len(s.tables) }

func (s *segments) each(part int, visit func(doc uint32, d docName)) {
	t := &s.tables[part]
	for k := range t.len() {
		if t.dead == nil || !t.dead(uint32(k)) {
			visit(t.first+uint32(k), t.name(k))
		}
	}
}

func (s *segments) postings(f field, term string, ordinals []int32, hits []hitFreq) ([]hitFreq, error) {
	it, err := s.snapshot.PostingsIterator([]byte(term), f.name(), true, false, false)
	if err != nil {
		return nil, fmt.Errorf("reading postings of the index: %w", err)
	}
	defer it.Close()
	hits = slices.Grow(hits, int(min(it.Count(), uint64(len(ordinals)))))
	for {
		p, err := it.Next()
		if err != nil {
			return nil, fmt.Errorf("reading postings of the index: %w", err)
		}
		if p == nil {
			return hits, nil
		}
		if at := ordinals[p.Number()]; at >= 0 {
			hits = append(hits, hitFreq{at, uint32(p.Frequency())})
		}
	}
}

// currentGeneration reads which generation counts.
func currentGeneration(dir string) (string, error) {
	b, err := os.ReadFile(filepath.Join(dir, "CURRENT"))
	if err != nil {
		return "", fmt.Errorf("opening the index: %w", err)
	}
	name := strings.TrimSpace(string(b))
	if _, ok := generationNumber(name); !ok {
		return "", fmt.Errorf("opening the index: CURRENT names %q: %w", name, errDamaged)
	}
	return name, nil
}

// generationName is the folder of generation n.
func generationName(n int) string { return fmt.Sprintf("g-%d-%d", indexSchema, n) }

// generationNumber is the n of a folder of this schema.
func generationNumber(name string) (int, bool) {
	n := 0
	if _, err := fmt.Sscanf(name, fmt.Sprintf("g-%d-%%d", indexSchema), &n); err != nil || generationName(n) != name {
		return 0, false
	}
	return n, true
}
