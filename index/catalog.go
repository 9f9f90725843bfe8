package index

import (
	"errors"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// Facts is the part of a memory that ranking and status need of every memory of
// a view; it costs about 100 ns to read.
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
// [memory.Decay.Effective] and [memory.NodeOf].
func (f *Facts) Memory() memory.Memory {
	return memory.Memory{
		ID: f.ID, Type: f.Type, Created: f.Created, Updated: f.Updated, Confidence: f.Confidence,
		Priority: f.Priority, Pinned: f.Pinned, Contested: f.Contested, Links: f.Links,
	}
}

// Catalog holds every memory seen so far, parsed, by blob id. It may be used
// from several goroutines.
type Catalog struct {
	dir  string // "" keeps nothing
	once sync.Once

	mu      sync.RWMutex
	blobs   table
	entries []entry // by number of the blob
	added   []int   // what is not on disk yet, in order
	file    catalogFile
}

// entry is one blob: its record and, until it is on disk, its text. One that
// was forgotten has no record.
type entry struct {
	record string
	fresh  *freshText
}

type freshText struct{ text, unknown string }

func newCatalog(opt Options) *Catalog { return &Catalog{dir: opt.Dir} }

// load reads the catalog file once.
func (c *Catalog) load() {
	c.once.Do(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.dir != "" {
			c.file = openCatalog(c.dir)
			c.blobs, c.entries = c.file.entries()
		}
	})
}

func (c *Catalog) get(blob string) (entry, bool) {
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	n := c.blobs.find(blob)
	if n < 0 || c.entries[n].record == "" {
		return entry{}, false
	}
	return c.entries[n], true
}

// number is the place of a blob that is a memory, and its id; -1 for any other
// blob. Lock c for reading around it.
func (c *Catalog) number(blob string) (int, memory.ID) {
	n := c.blobs.find(blob)
	if n < 0 {
		return -1, ""
	}
	r := c.entries[n].record
	if at := 2 + len(blob) + 2; len(blob) < 128 && len(r) > at && r[0] == kindMemory {
		if end := at + 1 + int(r[at]); r[at] < 128 && end <= len(r) {
			return n, memory.ID(r[at+1 : end])
		}
	}
	return -1, ""
}

// open returns a cursor behind kind and blob of an entry.
func (c *Catalog) open(blob string) (kind byte, cur cursor, e entry, ok bool) {
	e, ok = c.get(blob)
	if !ok {
		return 0, cursor{}, e, false
	}
	cur = cursor{s: e.record}
	kind = cur.byte()
	cur.string()
	return kind, cur, e, true
}

// Len is how many blobs the catalog knows.
func (c *Catalog) Len() int {
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.entries)
}

// Has reports whether the catalog knows blob, as a memory or as a problem.
func (c *Catalog) Has(blob string) bool {
	_, ok := c.get(blob)
	return ok
}

// Facts returns the facts of blob; false when it is unknown or not a memory.
func (c *Catalog) Facts(blob string) (Facts, bool) {
	kind, cur, _, ok := c.open(blob)
	if !ok || kind != kindMemory {
		return Facts{}, false
	}
	f := cur.facts()
	return f, cur.err == nil
}

// Head returns the memory without Text and Unknown; false when blob is unknown
// or not a memory. The result is the caller's.
func (c *Catalog) Head(blob string) (*memory.Memory, bool) {
	m, _, _, ok := c.head(blob)
	return m, ok
}

func (c *Catalog) head(blob string) (*memory.Memory, textRef, entry, bool) {
	kind, cur, e, ok := c.open(blob)
	if !ok || kind != kindMemory {
		return nil, textRef{}, e, false
	}
	f := cur.facts()
	m := f.Memory()
	ref := cur.ref()
	cur.rest(&m)
	return &m, ref, e, cur.err == nil
}

// Memory returns the whole memory; false when blob is unknown, not a memory, or
// its text was damaged on disk, in which case the catalog forgets it, so that
// [Index.Fill] fetches it again. The result is the caller's.
func (c *Catalog) Memory(blob string) (*memory.Memory, bool) {
	m, ref, e, ok := c.head(blob)
	if !ok {
		return nil, false
	}
	if e.fresh != nil {
		m.Text, m.Unknown = e.fresh.text, e.fresh.unknown
		return m, true
	}
	c.mu.RLock()
	text, err := c.file.text(ref)
	c.mu.RUnlock()
	if err != nil {
		c.forget(blob)
		return nil, false
	}
	m.Text, m.Unknown = text[:ref.text], text[ref.text:]
	return m, true
}

func (c *Catalog) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.file.close()
}

func (c *Catalog) forget(blob string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := c.blobs.find(blob); n >= 0 {
		c.entries[n] = entry{}
	}
}

// Problem returns why blob is not a memory; false when it is one or unknown.
// The path is the one it was first seen under.
func (c *Catalog) Problem(blob string) (Problem, bool) {
	kind, cur, _, ok := c.open(blob)
	if !ok || kind != kindProblem {
		return Problem{}, false
	}
	p := cur.problem()
	return p, cur.err == nil
}

// Add parses data, whose blob id is blob, and remembers the outcome. Data that
// is not a memory is remembered as a problem, which is also returned (nil
// otherwise). Path only names the file in that problem.
func (c *Catalog) Add(blob, path string, data []byte) *Problem {
	m, err := memory.Parse(path, data)
	if err != nil {
		p := problemOf(path, err)
		c.put(blob, entry{record: string(encodeProblem(blob, p))})
		return &p
	}
	fresh := &freshText{text: m.Text, unknown: m.Unknown}
	c.put(blob, entry{record: string(encodeMemory(blob, m, fresh.ref())), fresh: fresh})
	return nil
}

func (f *freshText) ref() textRef {
	return textRef{text: len(f.text), unknown: len(f.unknown), sum: checksum([]byte(f.text), []byte(f.unknown))}
}

func (c *Catalog) put(blob string, e entry) {
	c.load()
	c.mu.Lock()
	defer c.mu.Unlock()
	n, fresh := c.blobs.add(strings.Clone(blob))
	switch {
	case fresh:
		c.entries = append(c.entries, e)
	case c.entries[n].record == "":
		c.entries[n] = e
	default:
		return
	}
	c.added = append(c.added, n)
}

func problemOf(path string, err error) Problem {
	p := Problem{Path: path, Text: err.Error()}
	var pe *memory.ParseError
	var fe *os.PathError
	switch {
	case errors.As(err, &pe) && pe.Err != nil:
		p.Line, p.Text = pe.Line, pe.Err.Error()
	case errors.As(err, &fe):
		p.Text = fe.Err.Error()
	}
	return p
}
