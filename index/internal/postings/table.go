package postings

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	bluge "github.com/blugelabs/bluge/index"
	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/mapped"
)

// docTable names the documents of one Bluge segment, in rows of one size: the
// blob as bytes, 1 + its number in the catalog (a hint), and the lengths.
type docTable struct {
	first uint32 // number of the first document
	hash  int    // bytes of a blob
	rows  string
	dead  func(doc uint32) bool
}

// tableKind ends the name of a table, after the id of its segment.
const tableKind = ".ids"

// tableFormat is versioned by [Schema], as everything in a generation is. The
// sections of a table are the id of its segment, 8 bytes, and the rows.
func tableFormat() cachefile.Format { return cachefile.Format{Magic: "CTXI", Version: Schema} }

// Name says which memory a document is.
type Name struct {
	Blob   string         // as bytes
	Hint   int32          // 1 + the number that [Folder.Number] gave, or 0
	Length [Fields]uint32 // words, not compounds
}

func tableRow(hash int) int { return hash + 4 + 4*int(Fields) }

func (t *docTable) len() int { return len(t.rows) / tableRow(t.hash) }

func (t *docTable) name(doc int) (d Name) {
	size := tableRow(t.hash)
	row := t.rows[doc*size : (doc+1)*size]
	d.Blob = row[:t.hash]
	d.Hint = int32(cachefile.Uint32(row, t.hash))
	for f := range d.Length {
		d.Length[f] = cachefile.Uint32(row, t.hash+4+4*f)
	}
	return d
}

func (d *Name) put(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, d.Blob...), uint32(d.Hint))
	for _, n := range d.Length {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// tableOf reads the stored names of documents first … first+n. Number finds
// their hints; it may be nil.
func tableOf(snapshot *bluge.Snapshot, first, n uint32, hash int, number func(raw string) int) (docTable, error) {
	t := docTable{hash: hash}
	rows := make([]byte, 0, int(n)*tableRow(hash))
	for i := range n {
		var d Name
		bad := cachefile.ErrDamaged
		err := snapshot.VisitStoredFields(uint64(first+i), func(_ string, value []byte) bool {
			d, bad = decodeName(string(value), hash)
			return true
		})
		if err := errors.Join(err, bad); err != nil {
			return t, fmt.Errorf("reading names of the index: %w", err)
		}
		if number != nil {
			d.Hint = int32(number(d.Blob) + 1)
		}
		rows = d.put(rows)
	}
	t.rows = mapped.String(rows)
	return t, nil
}

// encodeName is the stored name of a document: its lengths and its blob.
func encodeName(d *Document) []byte {
	var b []byte
	for _, n := range d.length {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return append(b, d.blob...)
}

func decodeName(s string, hash int) (d Name, err error) {
	c := cachefile.Reader{Rest: s}
	for f := range d.Length {
		d.Length[f] = uint32(c.Fixed(4))
	}
	blob, err := hex.DecodeString(c.Rest)
	if c.Err != nil || err != nil || len(blob) != hash {
		return d, cachefile.ErrDamaged
	}
	d.Blob = string(blob)
	return d, nil
}

// saveTable writes the table of a segment.
func saveTable(d *directory, id uint64, t docTable) error {
	data := tableFormat().Encode(binary.LittleEndian.AppendUint64(nil, id), []byte(t.rows))
	return cachefile.Replace(d.file(tableKind, id), data)
}

// loadTable reads the table of a segment of n documents.
func loadTable(d *directory, id uint64, n, hash int) (docTable, error) {
	rows, err := readTable(d, id)
	if err == nil && len(rows) != n*tableRow(hash) {
		err = cachefile.ErrDamaged
	}
	if err != nil {
		return docTable{}, fmt.Errorf("reading names of the index: %w", err)
	}
	return docTable{hash: hash, rows: rows}, nil
}

// readTable reads and verifies the rows of a table.
func readTable(d *directory, id uint64) (string, error) {
	data, err := mapped.ReadString(d.file(tableKind, id), false)
	if err != nil {
		return "", err
	}
	sections, err := tableFormat().DecodeWhole(data, 2)
	if err != nil {
		return "", err
	}
	if sections[0] != string(binary.LittleEndian.AppendUint64(nil, id)) {
		return "", cachefile.ErrDamaged
	}
	return sections[1], nil
}
