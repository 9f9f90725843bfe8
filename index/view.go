package index

import (
	"slices"

	"github.com/git-cortex/cortex/index/internal/entry"
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
	Note    Stage = "note"    // a note of a session, which is in no view
)

// Item is one memory of a view. Blob is required; what the caller leaves zero is
// taken as not known, and filters on it match nothing.
type Item struct {
	Blob   string // git blob id of the file's bytes, hexadecimal
	Path   string // shown to people: relative to the repository root or store
	Stage  Stage
	Branch string // of a pending memory
	Far    int8   // how far that branch is from the view: of one memory the nearest item stands for it

	// Derived by the caller from links, time and recall counts.
	Status    memory.Status
	Effective float64 // effective confidence, 0–1
	Prior     float64 // rank of docs/behaviour.md, 0–1: orders near-ties
	Stale     bool    // an anchored file changed
	Open      bool    // a question without answer, a plan or problem not done
	Apart     bool    // in quarantine: it came with a branch that is not trusted

	// What the catalog says of it, so that it is not looked up again: 1 + its
	// number in known, as a memory, whether it has links or is contested, and the
	// tag of its id. A hint without known is confirmed before it is believed.
	linked bool
	hint   int32
	tag    uint32
	known  *Catalog
}

// View lists the memories that a command sees: those of the working tree or a
// revision, those pending for the branch, and those of the global store. Order does
// not matter. A view that [Index.View] made is searched faster.
type View struct {
	Items []Item

	folded *folded // of exactly these items; nil when it is not known
}

// View is the view of items: those that carry the same memory id as another are
// left out, keeping landed before pending before global, and within a stage the
// one with the smaller path, and so are those that the catalog does not know as
// memories: call [Index.Fill] first. The caller may change what it derives in
// the items of the view, and nothing else.
func (x *Index) View(items []Item) View {
	x.catalog.noteAll(items)
	f := x.fold(items)
	out := items
	if len(f.items) < len(items) {
		out = make([]Item, len(f.items))
		for i, it := range f.items {
			out[i] = *it
			f.items[i] = &out[i]
		}
	}
	return View{Items: out, folded: f}
}

// Fold is the items of [Index.View].
func (x *Index) Fold(items []Item) []Item { return x.View(slices.Clone(items)).Items }

// Blobs are the blobs of the items, in order.
func (v *View) Blobs() []string {
	out := make([]string, len(v.Items))
	for i := range v.Items {
		out[i] = v.Items[i].Blob
	}
	return out
}

// Same reports whether two views that [Index.View] made are known to hold the same
// memories in the same order. It costs nothing, and is true of views one after the other
// in a process that lives on where nothing happened.
func (v *View) Same(other *View) bool { return v.folded != nil && v.folding() == other.folding() }

func (v *View) folding() *folding {
	if v.folded == nil {
		return nil
	}
	return v.folded.folding
}

// Bare returns v without its items, to be compared with later ones.
func (v *View) Bare() View { return View{folded: &folded{folding: v.folding()}} }

// Facts are the facts of item i of a view that [Index.View] made.
func (v *View) Facts(i int) Facts {
	f := v.folded
	facts := factsIn(f.heads.At(int(f.numbers[i])))
	facts.Links = v.Links(i)
	return facts
}

// Fill sets in m the facts of item i of a view that [Index.View] made, but for
// its links, and leaves the rest as it is.
func (v *View) Fill(i int, m *memory.Memory) {
	v.folded.heads.At(int(v.folded.numbers[i])).Fill(m)
}

// Linked reports whether item i of a view that [Index.View] made has links or is
// contested: whether it says anything of other memories.
func (v *View) Linked(i int) bool { return v.Items[i].linked }

// Links are the links of item i of a view that [Index.View] made.
func (v *View) Links(i int) []memory.Link {
	return v.folded.index.catalog.linksOf(int(v.folded.numbers[i]))
}

// Contested reports whether the file of item i of a view that [Index.View] made says that it is contested.
func (v *View) Contested(i int) bool { return v.folded.head(i).Contested() }

// ID is the id of the memory of item i of a view that [Index.View] made.
func (v *View) ID(i int) memory.ID { return v.folded.ids[i] }

// IDs are the ids of all items of a view that [Index.View] made. They must not be changed.
func (v *View) IDs() []memory.ID { return v.folded.ids }

// Place is where the memory with an id stands in a view that [Index.View] made; -1 where it is not there.
func (v *View) Place(id memory.ID) int { return v.folded.seen.Find(v.folded.ids, id, entry.TagOf(id)) }

// folded is a view in which every memory is once.
type folded struct {
	*folding
	items []*Item
}

// folding holds the facts of the catalog about the items of a view. It does not change.
type folding struct {
	index   *Index
	heads   entry.Heads // of the catalog as it was
	ids     []memory.ID
	seen    *entry.IDs // finds ids
	numbers []int32    // of the items in the catalog
	ordinal []int32    // by number in the catalog: where in items; -1: not here

	places keptPlaces
}

// foldOf returns v folded: the fold that [Index.View] left in v if the items have not
// been replaced since, else a new one.
func (x *Index) foldOf(v *View) *folded {
	if v.folded.isOf(x, v.Items) {
		return v.folded
	}
	return x.fold(v.Items)
}

// isOf reports whether items are those that were folded by an index. A nil one is of none.
func (f *folded) isOf(x *Index, items []Item) bool {
	if f == nil || f.index != x || len(f.items) != len(items) {
		return false
	}
	return len(items) == 0 || f.items[0] == &items[0]
}

func (x *Index) fold(items []Item) *folded {
	c := x.catalog
	c.load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	if f := x.lastFold.of(c, items); f != nil {
		return f
	}
	f := &folded{items: make([]*Item, 0, len(items)), folding: &folding{
		index: x, heads: c.heads, seen: entry.NewIDs(len(items)),
		ids: make([]memory.ID, 0, len(items)), numbers: make([]int32, 0, len(items)),
	}}
	for i := range items {
		if n := c.memoryNumber(&items[i]); n >= 0 {
			f.take(c, &items[i], n)
		}
	}
	f.ordinal = make([]int32, f.heads.Len())
	for i := range f.ordinal {
		f.ordinal[i] = -1
	}
	for i, n := range f.numbers {
		f.ordinal[n] = int32(i)
	}
	if x.opt.Watch {
		x.lastFold.keep(c, f, items)
	}
	return f
}

// take takes in an item of number n, unless another stands for its memory. c is locked.
func (f *folded) take(c *Catalog, it *Item, n int) {
	id, tag := f.heads.At(n).ID(), it.tag
	if it.known != c {
		tag = entry.TagOf(id)
	}
	switch at := f.seen.Place(f.ids, id, tag); {
	case at < 0:
		f.items, f.ids, f.numbers = append(f.items, it), append(f.ids, id), append(f.numbers, int32(n))
	case it.before(f.items[at]):
		f.items[at], f.numbers[at] = it, int32(n)
	}
}

// head is the head of an item.
func (f *folded) head(at int) entry.Head { return f.heads.At(int(f.numbers[at])) }

// textSize is the length of the text of an item.
func (f *folded) textSize(at int32) int {
	return f.heads.At(int(f.numbers[at])).Body().Text
}

// place is the place of a blob in the view; -1 when it is not there.
func (f *folded) place(c *Catalog, blob string) int32 { return f.placeNumber(c.number(blob, 0)) }

func (f *folded) placeNumber(n int) int32 {
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
	if it.Far != other.Far {
		return it.Far < other.Far
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
