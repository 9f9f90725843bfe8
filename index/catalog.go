package index

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/entry"
	"github.com/git-cortex/cortex/index/internal/work"
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

	flushing sync.Mutex // held before mu

	mu    sync.RWMutex
	heads entry.Heads
	fresh []freshBody           // of heads.More
	links map[int][]memory.Link // of numbers that have any, once read
	gone  map[int]bool          // damaged, on disk or when it was read
	file  catalogFile

	blobs atomic.Pointer[entry.Table] // made when a blob is first looked up
}

// freshBody is the body of an entry that is not on disk yet.
type freshBody struct {
	entry.Body
	done bool // it is on disk now
}

// factsIn are the facts that a head holds: all but links.
func factsIn(h entry.Head) Facts {
	var m memory.Memory
	h.Fill(&m)
	return Facts{
		ID: m.ID, Type: m.Type, Created: m.Created, Updated: m.Updated, Confidence: m.Confidence,
		Priority: m.Priority, Pinned: m.Pinned, Contested: m.Contested,
	}
}

func newCatalog(opt Options) *Catalog {
	c := &Catalog{
		dir: opt.Dir, hash: 20, stay: opt.OneShot, heal: func(context.Context, string) bool { return false },
		links: map[int][]memory.Link{}, gone: map[int]bool{},
	}
	if opt.SHA256 {
		c.hash = 32
	}
	c.heads.Width = entry.Size(c.hash)
	return c
}

// load reads the catalog file once.
func (c *Catalog) load() {
	c.once.Do(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.dir != "" {
			c.file = openCatalog(c.dir, c.hash, c.stay)
			c.heads.Old = c.file.heads()
			c.gone = c.file.damaged(&c.heads)
		}
	})
}

// number is the number of a blob; -1 when it is not known. Hint is 1 more than
// the number it may have, or 0. The catalog is loaded, and c is locked.
func (c *Catalog) number(blob string, hint int32) int {
	if n := int(hint) - 1; c.holds(n) && entry.SameBlob(c.heads.At(n).Blob(), blob) {
		return n
	}
	raw, ok := entry.RawBlob(blob, c.hash)
	if !ok {
		return -1
	}
	return c.table().Find(&c.heads, raw)
}

// holds reports whether there is a number n, which is not damaged.
func (c *Catalog) holds(n int) bool {
	return n >= 0 && n < c.heads.Len() && !c.gone[n]
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
	if n >= 0 && it.known != c && !c.heads.At(n).IsMemory() {
		return -1
	}
	return n
}

// note is numberOf, and notes in the item what it found.
func (c *Catalog) note(it *Item) int {
	n := c.numberOf(it)
	if it.known != c || n != int(it.hint)-1 {
		it.known, it.hint, it.linked = nil, int32(n+1), false
		if n >= 0 && c.heads.At(n).IsMemory() {
			h := c.heads.At(n)
			it.known, it.linked, it.tag = c, h.Linked(), entry.TagOf(h.ID())
		}
	}
	return n
}

// numberRaw is number of a blob as bytes.
func (c *Catalog) numberRaw(raw string, hint int32) int {
	if n := int(hint) - 1; c.holds(n) && c.heads.At(n).Blob() == raw {
		return n
	}
	return c.table().Find(&c.heads, raw)
}

// hint returns the number by which other files refer to a blob, which is given as
// bytes; -1 when the blob is not known.
func (c *Catalog) hint(raw string) int {
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.numberRaw(raw, 0)
}

func (c *Catalog) table() *entry.Table {
	if t := c.blobs.Load(); t != nil {
		return t
	}
	t := tableOf(&c.heads, c.gone)
	c.blobs.Store(t)
	return t
}

// tableOf finds the numbers of all heads that are not gone.
func tableOf(h *entry.Heads, gone map[int]bool) *entry.Table {
	t := entry.NewTable(h.Len())
	for n := range h.Len() {
		if !gone[n] {
			t.Put(h, n)
		}
	}
	return t
}

// find is the number and head of a blob; -1 when it is not known.
func (c *Catalog) find(blob string, hint int32) (int, entry.Head) {
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	n := c.number(blob, hint)
	if n < 0 {
		return n, ""
	}
	return n, c.heads.At(n)
}

// Len is how many blobs the catalog knows.
func (c *Catalog) Len() int {
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.heads.Len() - len(c.gone)
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

// Sketch returns the sketch of the words of an item, which agrees with others as its words
// do; "" when there are none.
func (c *Catalog) Sketch(it *Item) string {
	n, h := c.find(it.Blob, it.hint)
	if n < 0 || !h.IsMemory() || entry.Lane(h.Sketch(), 0) == 0 {
		return ""
	}
	return h.Sketch()
}

// Memories are the memories of items of a view, as [Catalog.MemoryOf] returns
// them, or [Catalog.HeadOf] without their texts; nil where that is false. They
// are read on all cores.
func (c *Catalog) Memories(ctx context.Context, items []Item, text bool) []*memory.Memory {
	const part = 256
	roomFor(len(items), text)
	out := make([]*memory.Memory, len(items))
	work.Share((len(items)+part-1)/part, func(next func() (int, bool)) {
		for k, ok := next(); ok; k, ok = next() {
			block := make([]memory.Memory, min(part, len(items)-k*part)) // one allocation for all
			for i := k * part; i < min((k+1)*part, len(items)); i++ {
				n, h := c.find(items[i].Blob, items[i].hint)
				if n >= 0 && h.IsMemory() {
					if m := &block[i-k*part]; c.readInto(m, n, h, text) == nil {
						out[i] = m
					}
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
	if n < 0 || !h.IsMemory() {
		return Facts{}, false
	}
	f := factsIn(h)
	if h.Links() > 0 {
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
		if n < 0 || !h.IsMemory() {
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
func (c *Catalog) read(n int, h entry.Head, text bool) (*memory.Memory, error) {
	m := new(memory.Memory)
	return m, c.readInto(m, n, h, text)
}

func (c *Catalog) readInto(m *memory.Memory, n int, h entry.Head, text bool) error {
	b, err := c.body(n, h, text)
	if err != nil {
		return err
	}
	m.Text, m.Unknown = b.Text, b.Unknown
	h.Fill(m)
	cur := cachefile.Reader{Rest: b.Meta}
	entry.ReadMeta(&cur, m)
	return cur.Err
}

// words are the title and text of an item; false when they cannot be read.
func (c *Catalog) words(it *Item) (title, text string, ok bool) {
	c.mu.RLock()
	n := c.numberOf(it)
	var h entry.Head
	if n >= 0 {
		h = c.heads.At(n)
	}
	c.mu.RUnlock()
	if n < 0 || !h.IsMemory() {
		return "", "", false
	}
	b, err := c.body(n, h, true)
	cur := cachefile.Reader{Rest: b.Meta}
	entry.ReadLinks(&cur)
	title = cur.Text()
	return title, b.Text, err == nil && cur.Err == nil
}

func (c *Catalog) body(n int, h entry.Head, text bool) (entry.Body, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if at := n - c.heads.OnDisk(); at >= 0 {
		b := c.fresh[at].Body
		if !text {
			b.Text, b.Unknown = "", ""
		}
		return b, nil
	}
	return c.file.body(h.Body(), text)
}

// noteLinks reads the links of number n, once. An error says that n is damaged.
func (c *Catalog) noteLinks(n int) error {
	c.mu.RLock()
	h, known := c.heads.At(n), c.links[n] != nil
	c.mu.RUnlock()
	if known || h.Links() == 0 {
		return nil
	}
	b, err := c.body(n, h, false)
	if err != nil {
		return err
	}
	cur := cachefile.Reader{Rest: b.Meta}
	links := entry.ReadLinks(&cur)
	if cur.Err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.setLinks(n, links)
	}
	return cur.Err
}

// linksOf are the links of number n, as far as they were read.
func (c *Catalog) linksOf(n int) []memory.Link {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.links[n]
}

func (c *Catalog) setLinks(n int, links []memory.Link) {
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
	c.gone[n] = true
	c.blobs.Store(nil)
}

// Problem returns why blob is not a memory; false when it is one or unknown.
// The path is the one it was first seen under.
func (c *Catalog) Problem(blob string) (Problem, bool) {
	n, h := c.find(blob, 0)
	if n < 0 || !h.IsProblem() {
		return Problem{}, false
	}
	b, err := c.body(n, h, false)
	if err != nil {
		c.forget(n)
		return Problem{}, false
	}
	cur := cachefile.Reader{Rest: b.Meta}
	var p Problem
	p.Line, p.Path, p.Text = entry.ReadProblem(&cur)
	return p, cur.Err == nil
}

// Add parses data, whose blob id is blob, and remembers the outcome. Data that
// is not a memory is remembered as a problem, which is also returned (nil
// otherwise). Path only names the file in that problem.
func (c *Catalog) Add(blob, path string, data []byte) *Problem {
	f, p := c.parse(new(entry.Maker), blob, path, data)
	c.put(f)
	return p
}

// parse parses data for Add.
func (c *Catalog) parse(by *entry.Maker, blob, path string, data []byte) (entry.Made, *Problem) {
	raw, ok := entry.RawBlob(blob, c.hash)
	made, err := by.Make(raw, path, data)
	if err != nil {
		p := problemOf(path, err)
		if ok {
			made = entry.MakeProblem(raw, p.Line, p.Path, p.Text)
		}
		return made, &p
	}
	if !ok {
		made = entry.Made{} // the name of no blob
	}
	return made, nil
}

// roomFor makes room for so many more entries, so that adding them copies none.
func (c *Catalog) roomFor(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heads.More, c.fresh = slices.Grow(c.heads.More, n), slices.Grow(c.fresh, n)
}

// put adds files that the catalog does not know yet.
func (c *Catalog) put(files ...entry.Made) {
	c.load()
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.table()
	for i := range files {
		f := &files[i]
		if f.Head == "" || t.Find(&c.heads, f.Head.Blob()) >= 0 {
			continue
		}
		c.heads.More = append(c.heads.More, f.Head)
		c.fresh = append(c.fresh, freshBody{Body: f.Body})
		t.Put(&c.heads, c.heads.Len()-1)
		if len(f.Links) > 0 {
			c.setLinks(c.heads.Len()-1, f.Links)
		}
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
