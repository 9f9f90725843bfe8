package index

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

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
//	7  the origin of a source
const catalogVersion = 7

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
	texts  *mapped.Growing
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
	f.texts = &mapped.Growing{File: texts, Stay: stay}
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

// damaged are the numbers of heads that do not verify.
func (f *catalogFile) damaged(h *entry.Heads) map[int]bool {
	bad := map[int]bool{}
	for n := range h.OnDisk() {
		if !h.At(n).Sound() {
			bad[n] = true
		}
	}
	return bad
}

// body reads the body at ref, without text and unknown keys if those are not
// wanted. What does not verify is an error.
func (f *catalogFile) body(ref entry.Ref, text bool) (b entry.Body, err error) {
	n := ref.Meta
	if text {
		n = ref.Size()
	}
	if f.texts == nil || n > maxBody {
		return b, errCatalog
	}
	s, err := f.texts.Read(ref.Offset, n)
	if err != nil {
		return b, fmt.Errorf("reading text of the catalog: %w", err)
	}
	b.Meta = s[:ref.Meta]
	if cachefile.SumString(b.Meta) != ref.MetaSum {
		return b, errCatalog
	}
	if text {
		if cachefile.SumString(s[ref.Meta:]) != ref.TextSum {
			return b, errCatalog
		}
		b.Text, b.Unknown = s[ref.Meta:ref.Meta+ref.Text], s[ref.Meta+ref.Text:]
	}
	return b, nil
}

// flush writes what was added, unless another process is writing. The catalog can be
// read meanwhile.
func (c *Catalog) flush() error {
	c.flushing.Lock() // or two would write the same
	defer c.flushing.Unlock()
	c.mu.RLock()
	n := len(c.fresh)
	err := c.write()
	c.mu.RUnlock()
	if err != nil && !errors.Is(err, errLater) {
		return err
	}
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		for i := range c.fresh[:n] {
			c.fresh[i].done = true
		}
	}
	return nil
}

// errLater says that a cache which cannot be written now is written next time.
var errLater = errors.New("another process writes the catalog")

func (c *Catalog) write() error {
	if !c.unsaved() {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		return fmt.Errorf("making the cache folder: %w", err)
	}
	lock := flock.New(filepath.Join(c.dir, "catalog.lock"))
	if ok, err := lock.TryLock(); err != nil || !ok {
		return errLater
	}
	defer lock.Close()
	now, end, err := endOfCatalog(c.dir, c.hash)
	if err != nil || len(c.gone) > 0 {
		return c.rewrite(now.number)
	}
	return c.append(now, end)
}

// unsaved reports whether something that is to be kept on disk is not there yet.
func (c *Catalog) unsaved() bool {
	return c.dir != "" && slices.ContainsFunc(c.fresh, func(b freshBody) bool { return !b.done })
}

// endOfCatalog is the catalog on disk without its heads, and where the next one goes.
func endOfCatalog(dir string, hash int) (f catalogFile, end int64, err error) {
	f.dir, f.hash = dir, hash
	file, err := os.Open(filepath.Join(dir, "catalog"))
	if err != nil {
		return f, 0, errCatalog
	}
	defer file.Close()
	begin := make([]byte, 256)
	n, _ := io.ReadFull(file, begin)
	if err := f.parse(string(begin[:n])); err != nil {
		return f, 0, err
	}
	info, err := file.Stat()
	if err == nil {
		_, err = os.Stat(f.textName())
	}
	if err != nil {
		return f, 0, errCatalog
	}
	heads := info.Size() - f.start
	return f, f.start + heads - heads%int64(entry.Size(hash)), nil
}

func (f *catalogFile) close() {
	if f.texts != nil {
		f.texts.Close()
		f.texts = nil
	}
}

// append writes the added entries behind the last whole head of now.
func (c *Catalog) append(now catalogFile, end int64) error {
	texts, err := os.OpenFile(now.textName(), os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("opening texts of the catalog: %w", err)
	}
	defer texts.Close()
	offset, err := texts.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("opening texts of the catalog: %w", err)
	}
	w := c.writer(texts, offset)
	for i := range c.fresh {
		if b := &c.fresh[i]; !b.done && !c.gone[c.heads.OnDisk()+i] {
			w.add(c.heads.More[i], &b.Body)
		}
	}
	if err := w.texts.Flush(); err != nil {
		return fmt.Errorf("writing texts of the catalog: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(c.dir, "catalog"), os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("opening the catalog: %w", err)
	}
	defer file.Close()
	if _, err := file.WriteAt(w.heads, end); err != nil {
		return fmt.Errorf("writing the catalog: %w", err)
	}
	return nil
}

// catalogWriter writes bodies and gathers the heads that point to them.
type catalogWriter struct {
	heads  []byte
	texts  *bufio.Writer
	offset int64 // of the next body
}

// writer begins to write bodies of the catalog at an offset of a file.
func (c *Catalog) writer(to io.Writer, offset int64) *catalogWriter {
	size := 1 << 10
	for i := range c.fresh {
		if !c.fresh[i].done {
			size += c.heads.Width
		}
	}
	return &catalogWriter{
		heads: make([]byte, size)[:0], texts: bufio.NewWriterSize(to, min(size, 64<<10)), offset: offset,
	}
}

// add writes an entry. An error comes again when the texts are flushed.
func (w *catalogWriter) add(h entry.Head, b *entry.Body) {
	from := len(w.heads)
	w.heads = append(w.heads, h...)
	entry.Move(w.heads[from:], w.offset)
	for _, s := range [...]string{b.Meta, b.Text, b.Unknown} {
		_, _ = w.texts.WriteString(s)
		w.offset += int64(len(s))
	}
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
	texts, err := cachefile.Create(next.textName())
	if err != nil {
		return fmt.Errorf("writing texts of the catalog: %w", err)
	}
	defer texts.Close()
	w := c.writer(texts, 0)
	w.heads = append(w.heads, catalogFormat().Encode(next.section(next.number))...)
	for n := range c.heads.Len() {
		if c.gone[n] {
			continue
		}
		h := c.heads.At(n)
		if at := n - c.heads.OnDisk(); at >= 0 {
			w.add(h, &c.fresh[at].Body)
		} else if b, err := c.file.body(h.Body(), true); err == nil {
			w.add(h, &b)
		}
	}
	if err = w.texts.Flush(); err == nil {
		err = texts.Commit()
	}
	if err != nil {
		return fmt.Errorf("writing texts of the catalog: %w", err)
	}
	if err := cachefile.Replace(filepath.Join(c.dir, "catalog"), w.heads); err != nil {
		return fmt.Errorf("writing the catalog: %w", err)
	}
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
	t := tableOf(&h, gone)
	for n := range h.Len() {
		if t.Find(&h, h.At(n).Blob()) != n { // a later one counts
			continue
		}
		if _, err := f.body(h.At(n).Body(), true); err != nil {
			bad("catalog: "+h.At(n).HexBlob(), err)
		}
	}
}
