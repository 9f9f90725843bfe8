package index

import (
	"github.com/git-cortex/cortex/memory"
)

// Stage says where a memory of a view stands.
type Stage string

// The stages, in the order in which one wins over another when two files of a
// view carry the same memory.
const (
	Landed  Stage = "landed"  // a file of the working tree or revision
	Pending Stage = "pending" // captured for this branch, not landed yet
	Global  Stage = "global"  // from the user's own store
)

// Item is one memory of a view. Blob is required; what the caller leaves zero is
// taken as not known, and filters on it match nothing.
type Item struct {
	Blob   string // git blob id of the file's bytes, hexadecimal
	Path   string // shown to people: relative to the repository root or store
	Stage  Stage
	Branch string // of a pending memory

	// Derived by the caller from links, time and recall counts.
	Status    memory.Status
	Effective float64 // effective confidence, 0–1
	Prior     float64 // rank of DESIGN §5, 0–1: orders near-ties
	Stale     bool    // an anchored file changed
	Open      bool    // a question without answer, a plan or problem not done
}

// View is what a command sees: the working tree or a revision, what is pending
// for the branch, and the global store. Order does not matter.
type View struct {
	Items []Item
}

// Fold removes items that carry the same memory id as another, keeping landed
// before pending before global, and within a stage the one with the smaller
// path. Items that the catalog does not know as memories are left out.
// [Index.Search] does so itself.
func (x *Index) Fold(items []Item) []Item {
	f := x.fold(items)
	out := make([]Item, len(f.items))
	for i, it := range f.items {
		out[i] = *it
	}
	return out
}

// folded is a view in which every memory is once.
type folded struct {
	items   []*Item
	ids     []memory.ID
	numbers []int32 // of the items in the catalog
	ordinal []int32 // by number in the catalog: where in items; -1: not here
}

func (x *Index) fold(items []Item) *folded {
	c := x.catalog
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	f := &folded{items: make([]*Item, 0, len(items)), ids: make([]memory.ID, 0, len(items)), numbers: make([]int32, 0, len(items))}
	seen := newTable(len(items))
	for i := range items {
		it := &items[i]
		n, id := c.number(it.Blob)
		if n < 0 {
			continue
		}
		at, fresh := seen.add(string(id))
		switch {
		case fresh:
			f.items, f.ids, f.numbers = append(f.items, it), append(f.ids, id), append(f.numbers, int32(n))
		case it.before(f.items[at]):
			f.items[at], f.numbers[at] = it, int32(n)
		}
	}
	f.ordinal = make([]int32, len(c.entries))
	for i := range f.ordinal {
		f.ordinal[i] = -1
	}
	for i, n := range f.numbers {
		f.ordinal[n] = int32(i)
	}
	return f
}

// place is the place of a blob in the view; -1 when it is not there.
func (f *folded) place(c *Catalog, blob string) int32 {
	n := c.blobs.find(blob)
	if n < 0 || n >= len(f.ordinal) {
		return -1
	}
	return f.ordinal[n]
}

// before reports whether it stands for the memory it shares with other.
func (it *Item) before(other *Item) bool {
	if a, b := it.Stage.rank(), other.Stage.rank(); a != b {
		return a < b
	}
	if it.Path != other.Path {
		return it.Path < other.Path
	}
	return it.Blob < other.Blob
}

func (s Stage) rank() int {
	switch s {
	case Landed:
		return 0
	case Pending:
		return 1
	}
	return 2
}
