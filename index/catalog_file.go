package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/entry"
	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/memory"
	"github.com/gofrs/flock"
)

// catalogVersion is raised when the layout of heads and bodies, the order of
// sketches, or what [memory.Parse] makes of a file, change. History:
//
//	1  records of different length
//	2  heads of fixed size, sketches
//	3  conflict markers of any length
//	4  bodies in the order of [memory.Fields]
//	5  the header that all files of the cache have
//	6  the model of a source
const catalogVersion = 6

const maxBody = 4 << 20

func catalogFormat() cachefile.Format {
	return cachefile.Format{Magic: "CTXC", Version: catalogVersion}
}

// catalogFile is the catalog on disk: "catalog", one section and behind it heads in
// order of arrival, and "catalog-<n>.text", the bodies they point to. The section is
//
//	8 bytes number n of the text file
//	4 bytes length of a blob id
//	4 bytes checksum of the names of types and keys: with others it is another layout
//
// Both files only grow, under a lock, bodies first, and are never cut, so that a
// reader sees whole heads, or some that do not verify, which it passes over. Of two
// heads of a blob the later one counts, so damage heals by adding again. There is no
// fsync: what a power cut leaves does not verify and is made again.
type catalogFile struct {
	dir    string
	hash   int
	number uint64 // of the text file
	data   string // heads, and what may be a part of one
	start  int64  // of data in the file
	texts  *textFile
}

var errCatalog = errors.New("catalog does not verify")

func openCatalog(dir string, hash int, stay bool) catalogFile {
	for range 3 { // the text file may be replaced between the two opens
		f, err := readCatalog(dir, hash, stay)
		if err == nil {
			return f
		}
		if errors.Is(err, errCatalog) {
			break
		}
	}
	return catalogFile{dir: dir, hash: hash}
}

func readCatalog(dir string, hash int, stay bool) (f catalogFile, err error) {
	f.dir, f.hash = dir, hash
	data, err := mapped.ReadString(filepath.Join(dir, "catalog"), stay)
	if err != nil {
		return f, errCatalog
	}
	if err := f.parse(data); err != nil {
		return f, err
	}
	texts, err := os.Open(f.textName())
	if err != nil {
		return f, fmt.Errorf("opening texts of the catalog: %w", err)
	}
	f.texts = &textFile{file: texts}
	return f, nil
}

func (f *catalogFile) parse(data string) error {
	sections, heads, err := catalogFormat().Decode(data)
	if err != nil {
		return fmt.Errorf("%w: %w", errCatalog, err)
	}
	number := uint64(0)
	if len(sections) == 1 && len(sections[0]) == 16 {
		number = cachefile.Uint64(sections[0], 0)
	}
	if len(sections) != 1 || sections[0] != string(f.section(number)) {
		return errCatalog
	}
	f.number, f.data, f.start = number, heads, int64(len(data)-len(heads))
	return nil
}

// section is the section of a catalog whose text file has that number.
func (f *catalogFile) section(number uint64) []byte {
	var names []byte
	for _, t := range entry.Types() {
		names = append(names, string(t)...)
	}
	for _, f := range memory.Fields() {
		names = append(names, f.Key...)
	}
	b := binary.LittleEndian.AppendUint64(nil, number)
	b = binary.LittleEndian.AppendUint32(b, uint32(f.hash))
	return binary.LittleEndian.AppendUint32(b, cachefile.Sum(names))
}

func (f *catalogFile) textName() string {
	return filepath.Join(f.dir, fmt.Sprintf("catalog-%d.text", f.number))
}

// heads are the whole heads of the file, in one string.
func (f *catalogFile) heads() string {
	return f.data[:len(f.data)-len(f.data)%entry.Size(f.hash)]
}

// damaged are the numbers of heads that do not verify; nil when there are none.
func (f *catalogFile) damaged(h *entry.Heads) map[int]bool {
	var bad map[int]bool
	for n := range h.OnDisk() {
		if !h.At(n).Sound() {
			if bad == nil {
				bad = map[int]bool{}
			}
			bad[n] = true
		}
	}
	return bad
}

// body reads the body at ref, without text and unknown keys if those are not
// wanted. What does not verify is an error.
func (f *catalogFile) body(ref entry.Ref, text bool) (b freshBody, err error) {
	n := ref.Meta
	if text {
		n = ref.Size()
	}
	if f.texts == nil || n > maxBody {
		return b, errCatalog
	}
	s, err := f.texts.read(ref.Offset, n)
	if err != nil {
		return b, fmt.Errorf("reading text of the catalog: %w", err)
	}
	b.meta = s[:ref.Meta]
	if cachefile.SumString(b.meta) != ref.MetaSum {
		return b, errCatalog
	}
	if text {
		if cachefile.SumString(s[ref.Meta:]) != ref.TextSum {
			return b, errCatalog
		}
		b.text, b.unknown = s[ref.Meta:ref.Meta+ref.Text], s[ref.Meta+ref.Text:]
	}
	return b, nil
}

// flush writes what was added, unless another process is writing.
func (c *Catalog) flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dir == "" || !c.unsaved() {
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
	now, err := readCatalog(c.dir, c.hash, false)
	defer now.close()
	if err != nil || len(c.gone) > 0 {
		return c.rewrite(now.number)
	}
	return c.append(now)
}

func (c *Catalog) unsaved() bool {
	for i := range c.fresh {
		if !c.fresh[i].done {
			return true
		}
	}
	return false
}

func (f *catalogFile) close() {
	if f.texts != nil {
		f.texts.close()
		f.texts = nil
	}
}

// append writes the added entries behind the last whole head of now.
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
	w := catalogWriter{offset: offset}
	w.room(c)
	for i := range c.fresh {
		if b := &c.fresh[i]; !b.done && !c.gone[c.heads.OnDisk()+i] {
			w.add(c.heads.More[i], b)
		}
	}
	if _, err := texts.Write(w.texts.Bytes()); err != nil {
		return fmt.Errorf("writing texts of the catalog: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(c.dir, "catalog"), os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("opening the catalog: %w", err)
	}
	defer file.Close()
	if _, err := file.WriteAt(w.heads.Bytes(), now.start+int64(len(now.heads()))); err != nil {
		return fmt.Errorf("writing the catalog: %w", err)
	}
	c.saved()
	return nil
}

func (c *Catalog) saved() {
	for i := range c.fresh {
		c.fresh[i].done = true
	}
}

// catalogWriter gathers heads and the bodies they point to.
type catalogWriter struct {
	heads, texts bytes.Buffer
	offset       int64 // where texts begin in the file
}

// room makes room for what the catalog has added.
func (w *catalogWriter) room(c *Catalog) {
	heads, texts := 1<<10, 0
	for i := range c.fresh {
		if b := &c.fresh[i]; !b.done {
			heads, texts = heads+len(c.heads.More[i]), texts+len(b.meta)+len(b.text)+len(b.unknown)
		}
	}
	w.heads.Grow(heads)
	w.texts.Grow(texts)
}

func (w *catalogWriter) add(h entry.Head, b *freshBody) {
	w.heads.Write(entry.Move([]byte(h), w.offset+int64(w.texts.Len())))
	w.texts.WriteString(b.meta)
	w.texts.WriteString(b.text)
	w.texts.WriteString(b.unknown)
}

// rewrite replaces both files by new ones that hold every entry of which the
// body can still be read.
func (c *Catalog) rewrite(last uint64) error {
	next := catalogFile{dir: c.dir, hash: c.hash, number: max(last, c.file.number) + 1}
	for {
		if _, err := os.Lstat(next.textName()); err != nil {
			break
		}
		next.number++
	}
	var w catalogWriter
	w.room(c)
	w.heads.Write(catalogFormat().Encode(next.section(next.number)))
	for n := range c.heads.Len() {
		if c.gone[n] {
			continue
		}
		h := c.heads.At(n)
		if at := n - c.heads.OnDisk(); at >= 0 {
			w.add(h, &c.fresh[at])
		} else if b, err := c.file.body(h.Body(), true); err == nil {
			w.add(h, &b)
		}
	}
	if err := cachefile.Replace(next.textName(), w.texts.Bytes()); err != nil {
		return fmt.Errorf("writing texts of the catalog: %w", err)
	}
	if err := cachefile.Replace(filepath.Join(c.dir, "catalog"), w.heads.Bytes()); err != nil {
		return fmt.Errorf("writing the catalog: %w", err)
	}
	c.saved()
	removeOthers(c.dir, "catalog-", ".text", filepath.Base(next.textName()))
	return nil
}

// verify reads every body and calls bad with what is damaged.
func (f *catalogFile) verify(bad func(name string, err error)) {
	h := entry.Heads{Width: entry.Size(f.hash), Old: f.heads()}
	gone := f.damaged(&h)
	if len(gone) > 0 || len(h.Old) != len(f.data) {
		bad("catalog", cachefile.ErrDamaged)
	}
	t := entry.NewTable(h.Len())
	for n := range h.Len() {
		if !gone[n] {
			t.Put(&h, n)
		}
	}
	for n := range h.Len() {
		if gone[n] || t.Find(&h, h.At(n).Blob()) != n { // a later one counts
			continue
		}
		if _, err := f.body(h.At(n).Body(), true); err != nil {
			bad("catalog: "+h.At(n).HexBlob(), err)
		}
	}
}
