package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// catalogVersion is raised when records, or what [memory.Parse] makes of a
// file, change. A file of another version is written anew.
//
//	1  first
const catalogVersion = 1

const (
	catalogMagic  = "CTXC"
	catalogHeader = 4 + 4 + 8 + 4 // magic, version, number of the text file, CRC
	recordHeader  = 4 + 4         // length, CRC
	maxRecord     = 1 << 20
)

// catalogFile is the catalog on disk: "catalog", records in order of arrival,
// and "catalog-<n>.text", the texts they point to. Both only grow, under a
// lock, text first, so a reader sees whole records or a tail that it leaves out
// and the next writer cuts off. Of two records of a blob the later one counts,
// so damage heals by adding again. There is no fsync: what a power cut leaves
// does not verify and is made again.
type catalogFile struct {
	dir    string
	number uint64 // of the text file
	data   string // the file as read
	end    int64  // of the last whole record
	texts  *os.File
}

var errCatalog = errors.New("catalog does not verify")

func openCatalog(dir string) catalogFile {
	for range 3 { // the text file may be replaced between the two opens
		f, err := readCatalog(dir)
		if err == nil {
			return f
		}
		if errors.Is(err, errCatalog) {
			break
		}
	}
	return catalogFile{dir: dir}
}

func readCatalog(dir string) (f catalogFile, err error) {
	f.dir = dir
	if f.data, err = readString(filepath.Join(dir, "catalog")); err != nil {
		return f, errCatalog
	}
	if f.number, err = parseCatalogHeader(f.data); err != nil {
		return f, err
	}
	f.texts, err = os.Open(f.textName())
	if err != nil {
		return f, fmt.Errorf("opening texts of the catalog: %w", err)
	}
	return f, nil
}

func parseCatalogHeader(s string) (number uint64, err error) {
	if len(s) < catalogHeader || s[:4] != catalogMagic {
		return 0, errCatalog
	}
	h := []byte(s[:catalogHeader])
	if binary.LittleEndian.Uint32(h[4:]) != catalogVersion || binary.LittleEndian.Uint32(h[16:]) != checksum(h[:16]) {
		return 0, errCatalog
	}
	return binary.LittleEndian.Uint64(h[8:]), nil
}

func (f *catalogFile) textName() string {
	return filepath.Join(f.dir, fmt.Sprintf("catalog-%d.text", f.number))
}

// entries cuts the file into records by blob. It stops at the first that does
// not verify: a torn tail, or damage.
func (f *catalogFile) entries() (table, []entry) {
	if len(f.data) < catalogHeader {
		return table{}, nil
	}
	n := len(f.data) / 150 // a record is rarely shorter
	blobs, out := newTable(n), make([]entry, 0, n)
	f.end = catalogHeader
	for s := f.data[catalogHeader:]; ; {
		record, blob, rest := nextRecord(s)
		if record == "" {
			return blobs, out
		}
		f.end += int64(len(s) - len(rest))
		s = rest
		if at, fresh := blobs.add(blob); fresh {
			out = append(out, entry{record: record})
		} else {
			out[at] = entry{record: record}
		}
	}
}

// nextRecord cuts the first record off s; "" when there is no whole one.
func nextRecord(s string) (record, blob, rest string) {
	c := cursor{s: s}
	n, sum := int(c.fixed(4)), uint32(c.fixed(4))
	if c.err != nil || n == 0 || n > maxRecord || n > len(c.s) {
		return "", "", s
	}
	record = c.take(n)
	if checksumString(record) != sum {
		return "", "", s
	}
	r := cursor{s: record}
	r.byte()
	blob = r.string()
	if r.err != nil {
		return "", "", s
	}
	return record, blob, c.s
}

func (f *catalogFile) text(ref textRef) (string, error) {
	n := ref.text + ref.unknown
	if n == 0 {
		return "", nil
	}
	if f.texts == nil || ref.text < 0 || ref.unknown < 0 || n > 2<<20 {
		return "", errCatalog
	}
	b := make([]byte, n)
	if _, err := f.texts.ReadAt(b, ref.offset); err != nil {
		return "", fmt.Errorf("reading text of the catalog: %w", err)
	}
	if checksum(b) != ref.sum {
		return "", errCatalog
	}
	return string(b), nil
}

// check reads the text of e.
func (f *catalogFile) check(e entry) error {
	c := cursor{s: e.record}
	if c.byte() != kindMemory {
		return nil
	}
	c.string()
	c.facts()
	_, err := f.text(c.ref())
	return err
}

// flush writes what was added, unless another process is writing.
func (c *Catalog) flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dir == "" || len(c.added) == 0 {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return fmt.Errorf("making the cache folder: %w", err)
	}
	lock := flock.New(filepath.Join(c.dir, "catalog.lock"))
	if ok, err := lock.TryLock(); err != nil || !ok {
		return nil //nolint:nilerr // a cache that cannot be written now is written next time
	}
	defer lock.Close()
	now, err := readCatalog(c.dir)
	defer now.close()
	if err != nil {
		return c.rewrite(now.number)
	}
	now.entries()
	return c.append(now)
}

func (f *catalogFile) close() {
	if f.texts != nil {
		f.texts.Close()
		f.texts = nil
	}
}

// append writes the added entries behind the last whole record of now.
func (c *Catalog) append(now catalogFile) error {
	texts, err := os.OpenFile(now.textName(), os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("opening texts of the catalog: %w", err)
	}
	defer texts.Close()
	offset, err := texts.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("opening texts of the catalog: %w", err)
	}
	var text, records bytes.Buffer
	for _, n := range c.added {
		if e := c.entries[n]; e.record != "" {
			c.emit(&records, &text, e, offset)
		}
	}
	if _, err := texts.Write(text.Bytes()); err != nil {
		return fmt.Errorf("writing texts of the catalog: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(c.dir, "catalog"), os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("opening the catalog: %w", err)
	}
	defer file.Close()
	if err := file.Truncate(now.end); err != nil {
		return fmt.Errorf("cutting the catalog: %w", err)
	}
	if _, err := file.WriteAt(records.Bytes(), now.end); err != nil {
		return fmt.Errorf("writing the catalog: %w", err)
	}
	c.added = nil
	return nil
}

// emit encodes e, whose text goes behind what text holds already.
func (c *Catalog) emit(records, text *bytes.Buffer, e entry, offset int64) {
	record := []byte(e.record)
	if e.fresh != nil {
		cur := cursor{s: e.record}
		cur.byte()
		blob := cur.string()
		f := cur.facts()
		m := f.Memory()
		cur.ref()
		cur.rest(&m)
		ref := e.fresh.ref()
		ref.offset = offset + int64(text.Len())
		record = encodeMemory(blob, &m, ref)
		text.WriteString(e.fresh.text)
		text.WriteString(e.fresh.unknown)
	}
	var head [recordHeader]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(record)))
	binary.LittleEndian.PutUint32(head[4:], checksum(record))
	records.Write(head[:])
	records.Write(record)
}

// rewrite replaces both files by new ones that hold every entry whose text can
// still be read.
func (c *Catalog) rewrite(last uint64) error {
	number := max(last, c.file.number) + 1
	for {
		if _, err := os.Lstat((&catalogFile{dir: c.dir, number: number}).textName()); err != nil {
			break
		}
		number++
	}
	var text, records bytes.Buffer
	head := append([]byte(catalogMagic), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(head[4:], catalogVersion)
	binary.LittleEndian.PutUint64(head[8:], number)
	records.Write(binary.LittleEndian.AppendUint32(head, checksum(head)))
	for _, e := range c.entries {
		if e.record == "" {
			continue
		}
		if e.fresh == nil && e.record[0] == kindMemory {
			cur := cursor{s: e.record}
			cur.byte()
			cur.string()
			cur.facts()
			ref := cur.ref()
			s, err := c.file.text(ref)
			if err != nil {
				continue
			}
			e.fresh = &freshText{text: s[:ref.text], unknown: s[ref.text:]}
		}
		c.emit(&records, &text, e, 0)
	}
	next := catalogFile{dir: c.dir, number: number}
	if err := replaceFile(next.textName(), text.Bytes()); err != nil {
		return fmt.Errorf("writing texts of the catalog: %w", err)
	}
	if err := replaceFile(filepath.Join(c.dir, "catalog"), records.Bytes()); err != nil {
		return fmt.Errorf("writing the catalog: %w", err)
	}
	c.added = nil
	removeOthers(c.dir, "catalog-", ".text", filepath.Base(next.textName()))
	return nil
}
