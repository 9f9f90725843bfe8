package index

import (
	"context"

	"github.com/git-cortex/cortex/memory"
)

// SearchOptions bounds a search.
type SearchOptions struct {
	Limit   int // hits to return; 0 means 10, negative means all
	Snippet int // characters of a snippet; 0 means 160
}

// Result is an answer.
type Result struct {
	Hits    []Hit // best first; of equal score the smaller id first
	Total   int   // memories that match, before the limit
	Overlay int   // memories of the view that were not in the index yet
}

// Hit is one memory found.
type Hit struct {
	Item    Item
	Memory  *memory.Memory // whole
	Score   float64        // for ordering only; not comparable across queries
	Snippet Snippet
	Via     string // "" when it matched itself; else how it was reached
}

// Snippet is the passage that shows why a memory was found, on one line.
type Snippet struct {
	Text  string `json:"text"`
	Marks []Span `json:"marks"` // matched words, in order, not overlapping
}

// Span is a range of bytes.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Search ranks the memories of v against q. A query without words lists what
// passes its filters by prior, newest first. Items that the catalog does not
// know are not found: call [Index.Fill] first. It fails only when ctx ends.
func (x *Index) Search(ctx context.Context, v View, q Query, opt SearchOptions) (*Result, error) {
	panic("soon")
}

// Update adds the memories of v that the index lacks, if no other process is
// writing, and returns how many. Call it after answering. A busy lock is not an
// error.
func (x *Index) Update(ctx context.Context, v View) (int, error) { panic("soon") }

// Rebuild writes a new generation that holds exactly the memories of v and
// swaps it in; progress (may be nil) hears of memories done. It waits for the
// lock until ctx ends.
func (x *Index) Rebuild(ctx context.Context, v View, progress func(done, total int)) error {
	panic("soon")
}

// Verify reads every file of the cache and reports what is damaged; empty means
// sound.
func (x *Index) Verify(ctx context.Context) []Problem { panic("soon") }

// State describes what is on disk.
func (x *Index) State() State { panic("soon") }

type segments struct{}

func (s *segments) close() {}

func (x *Index) segments() *segments { panic("soon") }

func sortedKeys(m map[string]string) []string { panic("soon") }
