package index

import (
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
type Catalog struct{}

func newCatalog(Options) *Catalog { return &Catalog{} }
func (c *Catalog) load()          {}
func (c *Catalog) flush() error   { return nil }

// Has reports whether the catalog knows blob, as a memory or as a problem.
func (c *Catalog) Has(blob string) bool { panic("soon") }

// Facts returns the facts of blob; false when it is unknown or not a memory.
func (c *Catalog) Facts(blob string) (Facts, bool) { panic("soon") }

// Head returns the memory without Text and Unknown; false when blob is unknown
// or not a memory. The result is the caller's.
func (c *Catalog) Head(blob string) (*memory.Memory, bool) { panic("soon") }

// Memory returns the whole memory; false when blob is unknown, not a memory, or
// its text was damaged on disk ([Catalog.Add] it again). The result is the
// caller's.
func (c *Catalog) Memory(blob string) (*memory.Memory, bool) { panic("soon") }

// Problem returns why blob is not a memory; false when it is one or unknown.
// The path is the one it was first seen under.
func (c *Catalog) Problem(blob string) (Problem, bool) { panic("soon") }

// Add parses data, whose blob id is blob, and remembers the outcome. Data that
// is not a memory is remembered as a problem, which is also returned (nil
// otherwise). Path only names the file in that problem.
func (c *Catalog) Add(blob, path string, data []byte) *Problem { panic("soon") }
