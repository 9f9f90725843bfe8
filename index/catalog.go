package index

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/memory"
)

// Facts is the part of a memory that ranking and status need of every memory of
// a view.
type Facts struct {
	ID         memory.ID
	Type       memory.Type
	Created    time.Time
	Updated    time.Time
	Confidence float64
	Priority   int
	Pinned     bool
	Contested  bool
	Links      []memory.Link
}

// Memory is a memory that holds the facts and nothing else: enough for
// [memory.Decay.Effective] and a [memory.Node].
func (f *Facts) Memory() memory.Memory {
	return memory.Memory{
		ID: f.ID, Type: f.Type, Created: f.Created, Updated: f.Updated, Confidence: f.Confidence,
		Priority: f.Priority, Pinned: f.Pinned, Contested: f.Contested, Links: f.Links,
	}
}

// Catalog holds every memory seen so far, parsed, by blob id. It may be used
// from several goroutines.
//
// Inside the package a blob has a number, its place in the catalog. Other files
// keep numbers as hints that save looking the blob up; what a number stands for
// is compared before it is believed.
type Catalog struct {
	dir  string // "" keeps nothing
	hash int    // bytes of a blob id
	stay bool   // see Options.OneShot
	heal func(ctx context.Context, blob string) bool
	once sync.Once

	mu    sync.RWMutex
	heads heads
	fresh []freshBody           // of heads.more
	links map[int][]memory.Link // of numbers that have any, once read
	gone  map[int]bool          // damaged, on disk or when it was read
	file  catalogFile

	blobs atomic.Pointer[table] // made when a blob is first looked up
}

// freshBody is the body of an entry that is not on disk yet.
type freshBody struct {
	meta, text, unknown string
	done                bool // it is on disk now
}

func newCatalog(opt Options) *Catalog {
	c := &Catalog{dir: opt.Dir, hash: 20, stay: opt.OneShot, heal: func(context.Context, string) bool { return false }}
	if opt.SHA256 {
		c.hash = 32
	}
	c.heads.size = headSize(c.hash)
	return c
}

// load reads the catalog file once.
func (c *Catalog) load() {
	c.once.Do(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.dir != "" {
			c.file = openCatalog(c.dir, c.hash, c.stay)
			c.heads.old = c.file.heads()
			c.gone = c.file.damaged(&c.heads)
		}
	})
}

// number is the number of a blob; -1 when it is not known. Hint is 1 more than
// the number it may have, or 0. The catalog is loaded, and c is locked.
func (c *Catalog) number(blob string, hint int32) int {
	if n := int(hint) - 1; n >= 0 && n < c.heads.len() && !c.gone[n] && sameBlob(c.heads.at(n).blob(), blob) {
		return n
	}
	raw, ok := rawBlob(blob, c.hash)
	if !ok {
		return -1
	}
	return c.table().find(&c.heads, raw)
}

// numberOf is number of an item.
func (c *Catalog) numberOf(it *Item) int {
	if it.known == c && (len(c.gone) == 0 || !c.gone[int(it.hint)-1]) {
		return int(it.hint) - 1
	}
	return c.number(it.Blob, it.hint)
}

// memoryNumber is numberOf of an item that is a memory; -1 of another.
func (c *Catalog) memoryNumber(it *Item) int {
	n := c.numberOf(it)
	if n >= 0 && it.known != c && c.heads.at(n)[0] != kindMemory {
		return -1
	}
	return n
}

// note is numberOf, and notes in the item what it found.
func (c *Catalog) note(it *Item) int {
	n := c.numberOf(it)
	if it.known != c || n != int(it.hint)-1 {
		it.known, it.hint, it.linked = nil, int32(n+1), false
		if n >= 0 && c.heads.at(n)[0] == kindMemory {
			h := c.heads.at(n)
			it.known, it.linked, it.tag = c, h.linked(), tagOf(h.id())
		}
	}
	return n
}

// numberRaw is number of a blob as bytes.
func (c *Catalog) numberRaw(raw string, hint int32) int {
	if n := int(hint) - 1; n >= 0 && n < c.heads.len() && !c.gone[n] && c.heads.at(n).blob() == raw {
		return n
	}
	return c.table().find(&c.heads, raw)
}

// hint is what stands for a blob, as bytes, in other files.
func (c *Catalog) hint(raw string) int {
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.numberRaw(raw, 0)
}

func (c *Catalog) table() *table {
	if t := c.blobs.Load(); t != nil {
		return t
	}
	t := newTable(c.heads.len())
	for n := range c.heads.len() {
		if !c.gone[n] {
			t.put(&c.heads, n)
		}
	}
	c.blobs.Store(t)
	return t
}

// find is the number and head of a blob; -1 when it is not known.
func (c *Catalog) find(blob string, hint int32) (int, head) {
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	n := c.number(blob, hint)
	if n < 0 {
		return n, ""
	}
	return n, c.heads.at(n)
}

// Len is how many blobs the catalog knows.
func (c *Catalog) Len() int {
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.heads.len() - len(c.gone)
}

// Has reports whether the catalog knows blob, as a memory or as a problem.
func (c *Catalog) Has(blob string) bool {
	n, _ := c.find(blob, 0)
	return n >= 0
}

// Facts returns the facts of blob; false when it is unknown, not a memory, or
// has links that are damaged, which [Index.Fill] repairs.
func (c *Catalog) Facts(blob string) (Facts, bool) { return c.facts(blob, 0) }

// Head returns the memory without Text and Unknown; false when blob is unknown
// or not a memory. The result is the caller's. What was damaged on disk is read
// again from where the memory came from.
func (c *Catalog) Head(ctx context.Context, blob string) (*memory.Memory, bool) {
	return c.memory(ctx, blob, 0, false)
}

// Memory returns the whole memory; false when blob is unknown, not a memory, or
// cannot be had any more. The result is the caller's. A text that was damaged
// on disk is read again from where the memory came from.
func (c *Catalog) Memory(ctx context.Context, blob string) (*memory.Memory, bool) {
	return c.memory(ctx, blob, 0, true)
}

// FactsOf is [Catalog.Facts] of an item of a view, which is faster.
func (c *Catalog) FactsOf(it *Item) (Facts, bool) { return c.facts(it.Blob, it.hint) }

// HeadOf is [Catalog.Head] of an item of a view, which is faster.
func (c *Catalog) HeadOf(ctx context.Context, it *Item) (*memory.Memory, bool) {
	return c.memory(ctx, it.Blob, it.hint, false)
}

// MemoryOf is [Catalog.Memory] of an item of a view, which is faster.
func (c *Catalog) MemoryOf(ctx context.Context, it *Item) (*memory.Memory, bool) {
	return c.memory(ctx, it.Blob, it.hint, true)
}

// Memories are the memories of items of a view, as [Catalog.MemoryOf] returns
// them, or [Catalog.HeadOf] without their texts; nil where that is false. They
// are read on all cores.
func (c *Catalog) Memories(ctx context.Context, items []Item, text bool) []*memory.Memory {
	const part = 256
	roomFor(len(items), text)
	out := make([]*memory.Memory, len(items))
	parallel((len(items)+part-1)/part, func(next func() (int, bool)) {
		for k, ok := next(); ok; k, ok = next() {
			for i := k * part; i < min((k+1)*part, len(items)); i++ {
				n, h := c.find(items[i].Blob, items[i].hint)
				if n >= 0 && h[0] == kindMemory {
					out[i], _ = c.read(n, h, text)
				}
			}
		}
	})
	for i := range out {
		if out[i] == nil { // damaged: healing may ask git, one at a time
			out[i], _ = c.memory(ctx, items[i].Blob, items[i].hint, text)
		}
	}
	return out
}

// roomFor raises the limit of memory of the process, if there is one, to what so
// many memories take and as much again: they are wanted all at once, and below
// that the garbage collector would run all the time for nothing.
func roomFor(n int, text bool) {
	const base, head, whole = 96 << 20, 2 << 10, 4 << 10
	size := int64(head)
	if text {
		size = whole
	}
	want := base + int64(n)*size
	if limit := debug.SetMemoryLimit(-1); n > 10_000 && limit < want {
		debug.SetMemoryLimit(want)
	}
}

func (c *Catalog) facts(blob string, hint int32) (Facts, bool) {
	n, h := c.find(blob, hint)
	if n < 0 || h[0] != kindMemory {
		return Facts{}, false
	}
	f := h.facts()
	if h.links() > 0 {
		if err := c.noteLinks(n); err != nil {
			return Facts{}, false
		}
		c.mu.RLock()
		f.Links = c.links[n]
		c.mu.RUnlock()
	}
	return f, true
}

func (c *Catalog) memory(ctx context.Context, blob string, hint int32, text bool) (*memory.Memory, bool) {
	for range 2 {
		n, h := c.find(blob, hint)
		if n < 0 || h[0] != kindMemory {
			return nil, false
		}
		if m, err := c.read(n, h, text); err == nil {
			return m, true
		}
		c.forget(n)
		if !c.heal(ctx, blob) {
			return nil, false
		}
	}
	return nil, false
}

// read makes the memory with head h and number n.
func (c *Catalog) read(n int, h head, text bool) (*memory.Memory, error) {
	b, err := c.body(n, h, text)
	if err != nil {
		return nil, err
	}
	m := &memory.Memory{Text: b.text, Unknown: b.unknown}
	h.fill(m)
	cur := cachefile.Reader{Rest: b.meta}
	readMeta(&cur, m)
	return m, cur.Err
}

// words are the title and text of an item; false when they cannot be read.
func (c *Catalog) words(it *Item) (title, text string, ok bool) {
	c.mu.RLock()
	n := c.numberOf(it)
	var h head
	if n >= 0 {
		h = c.heads.at(n)
	}
	c.mu.RUnlock()
	if n < 0 || h[0] != kindMemory {
		return "", "", false
	}
	b, err := c.body(n, h, true)
	cur := cachefile.Reader{Rest: b.meta}
	readLinks(&cur)
	title = cur.Text()
	return title, b.text, err == nil && cur.Err == nil
}

func (c *Catalog) body(n int, h head, text bool) (freshBody, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if at := n - c.heads.onDisk(); at >= 0 {
		b := c.fresh[at]
		if !text {
			b.text, b.unknown = "", ""
		}
		return b, nil
	}
	return c.file.body(h.body(), text)
}

// noteLinks reads the links of number n, once. An error says that n is damaged.
func (c *Catalog) noteLinks(n int) error {
	c.mu.RLock()
	h, known := c.heads.at(n), c.links[n] != nil
	c.mu.RUnlock()
	if known || h.links() == 0 {
		return nil
	}
	b, err := c.body(n, h, false)
	if err != nil {
		return err
	}
	cur := cachefile.Reader{Rest: b.meta}
	links := readLinks(&cur)
	if cur.Err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.setLinks(n, links)
	}
	return cur.Err
}

func (c *Catalog) setLinks(n int, links []memory.Link) {
	if c.links == nil {
		c.links = map[int][]memory.Link{}
	}
	c.links[n] = links
}

func (c *Catalog) noteAll(items []Item) {
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	for i := range items {
		c.note(&items[i])
	}
}

// lacking are the paths of items that are not known, by blob. It takes note of
// the links of the others; where those are damaged, the item is not known.
func (c *Catalog) lacking(items []Item) map[string]string {
	c.load()
	out := map[string]string{}
	var linked []int
	c.mu.RLock()
	for i := range items {
		it := &items[i]
		switch n := c.note(it); {
		case n < 0:
			out[it.Blob] = it.Path
		case it.linked:
			linked = append(linked, i)
		}
	}
	c.mu.RUnlock()
	for _, i := range linked {
		it := &items[i]
		if n := int(it.hint - 1); c.noteLinks(n) != nil {
			c.forget(n)
			out[it.Blob] = it.Path
		}
	}
	return out
}

// notMemories are the items that are problems, or not known.
func (c *Catalog) notMemories(items []Item) (out []*Item) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for i := range items {
		if c.memoryNumber(&items[i]) < 0 {
			out = append(out, &items[i])
		}
	}
	return out
}

func (c *Catalog) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.file.close()
}

// forget drops number n, which is damaged, so that its blob can be added again.
func (c *Catalog) forget(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone == nil {
		c.gone = map[int]bool{}
	}
	c.gone[n] = true
	c.blobs.Store(nil)
}

// Problem returns why blob is not a memory; false when it is one or unknown.
// The path is the one it was first seen under.
func (c *Catalog) Problem(blob string) (Problem, bool) {
	n, h := c.find(blob, 0)
	if n < 0 || h[0] != kindProblem {
		return Problem{}, false
	}
	b, err := c.body(n, h, false)
	if err != nil {
		c.forget(n)
		return Problem{}, false
	}
	cur := cachefile.Reader{Rest: b.meta}
	p := readProblem(&cur)
	return p, cur.Err == nil
}

// Add parses data, whose blob id is blob, and remembers the outcome. Data that
// is not a memory is remembered as a problem, which is also returned (nil
// otherwise). Path only names the file in that problem.
func (c *Catalog) Add(blob, path string, data []byte) *Problem {
	m, err := memory.Parse(path, data)
	raw, ok := rawBlob(blob, c.hash)
	if err != nil {
		p := problemOf(path, err)
		if ok {
			b := freshBody{meta: string(encodeProblem(p))}
			c.put(problemHead(raw, b.ref()), b, nil)
		}
		return &p
	}
	if ok {
		b := freshBody{meta: string(encodeMeta(m)), text: m.Text, unknown: m.Unknown}
		s := sketchOf(memory.Signature(m.Title, m.Text))
		c.put(memoryHead(raw, m, &s, b.ref()), b, m.Links)
	}
	return nil
}

func (b *freshBody) ref() bodyRef {
	return bodyRef{
		meta: len(b.meta), text: len(b.text), unknown: len(b.unknown),
		metaSum: cachefile.SumString(b.meta), textSum: cachefile.Sum([]byte(b.text), []byte(b.unknown)),
	}
}

func (c *Catalog) put(h []byte, b freshBody, links []memory.Link) {
	c.load()
	c.mu.Lock()
	defer c.mu.Unlock()
	t, add := c.table(), head(h)
	if t.find(&c.heads, add.blob()) >= 0 {
		return
	}
	b.text, b.unknown = strings.Clone(b.text), strings.Clone(b.unknown)
	c.heads.more = append(c.heads.more, add)
	c.fresh = append(c.fresh, b)
	t.put(&c.heads, c.heads.len()-1)
	if len(links) > 0 {
		c.setLinks(c.heads.len()-1, links)
	}
}

func problemOf(path string, err error) Problem {
	p := Problem{Path: path, Text: err.Error()}
	var pe *memory.ParseError
	var fe *os.PathError
	switch {
	case errors.As(err, &pe) && pe.Err != nil:
		p.Line, p.Text = pe.Line, pe.Err.Error()
	case errors.As(err, &fe):
		p.Text, p.Unread = fe.Err.Error(), true
	}
	return p
}
