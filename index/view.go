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
	out, _ := x.fold(items)
	return out
}

// fold returns the facts of each item too.
func (x *Index) fold(items []Item) ([]Item, []Facts) {
	seen := make(map[memory.ID]int32, len(items))
	out := make([]Item, 0, len(items))
	facts := make([]Facts, 0, len(items))
	for i := range items {
		it := &items[i]
		f, ok := x.catalog.Facts(it.Blob)
		if !ok {
			continue
		}
		if at, dup := seen[f.ID]; dup {
			if it.before(&out[at]) {
				out[at], facts[at] = *it, f
			}
			continue
		}
		seen[f.ID] = int32(len(out))
		out, facts = append(out, *it), append(facts, f)
	}
	return out, facts
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
