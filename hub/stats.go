package hub

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// Stats are counts of what a caller may read, and of nothing else.
type Stats struct {
	Repos    []RepoStats // by name
	Memories int         // each counted once
	Shared   int         // that several repositories hold
	Traps    []*Trap     // errors that several repositories met, those of most first
}

// RepoStats count what a repository holds.
type RepoStats struct {
	Name     string
	Commit   string
	Memories int
	Problems int // files that are no memories
	Flagged  int
	Moved    time.Time // when its memories last changed
	Checked  time.Time // when they were last known to be those of its branch
	Stale    bool
}

// Trap is an error that memories of several repositories are of.
type Trap struct {
	Signature string
	Repos     int
	Memories  []memory.ID // the first few, by id
}

// Bounds of statistics.
const (
	maxTraps    = 20
	trapSamples = 3
	statsSize   = 4 << 10 // bytes of a repository, and those of all traps
)

// Stats counts what a caller may read.
func (h *Hub) Stats(ctx context.Context, c Caller) (*Stats, error) {
	in, err := h.granted(ctx, c)
	if err != nil {
		return nil, err
	}
	name := NameOf(in)
	if s, ok := h.stats.Get(name, h.opt.Now()); ok {
		return s, nil
	}
	s := h.count(in)
	h.stats.Put(name, s, statsSize*(1+len(in)), h.opt.Now())
	return s, nil
}

// count counts what repositories hold.
func (h *Hub) count(in []*Repo) *Stats {
	out := &Stats{Repos: []RepoStats{}}
	held := map[memory.ID]int{} // repositories by memory
	traps := map[string]*Trap{}
	for _, r := range in {
		out.Repos = append(out.Repos, statsOf(r))
		for id := range h.lookup(r).paths {
			held[id]++
		}
		for signature, ids := range trapsOf(r) {
			t := traps[signature]
			if t == nil {
				t = &Trap{Signature: signature}
				traps[signature] = t
			}
			t.Repos++
			t.Memories = append(t.Memories, ids...)
		}
	}
	out.Memories = len(held)
	for _, n := range held {
		if n > 1 {
			out.Shared++
		}
	}
	out.Traps = several(traps)
	slices.SortFunc(out.Repos, func(a, b RepoStats) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// trapsOf are the memories of a repository by the errors that bring them back. The words of suspicious ones are not
// repeated.
func trapsOf(r *Repo) map[string][]memory.ID {
	out := map[string][]memory.ID{}
	for _, f := range r.Files {
		if len(f.Flags) > 0 {
			continue
		}
		for _, signature := range f.Errors {
			out[signature] = append(out[signature], f.ID)
		}
	}
	return out
}

func statsOf(r *Repo) RepoStats {
	out := RepoStats{Name: r.Name, Commit: r.OID, Moved: r.Moved, Checked: r.Checked, Stale: r.Outdated()}
	for _, f := range r.Files {
		switch {
		case f.ID == "":
			out.Problems++
		case len(f.Flags) > 0:
			out.Flagged++
			out.Memories++
		default:
			out.Memories++
		}
	}
	return out
}

// several are the traps of more than one repository.
func several(traps map[string]*Trap) []*Trap {
	list := lists.Without(slices.Collect(maps.Values(traps)), func(t *Trap) bool { return t.Repos < 2 })
	lists.Sort(list, func(a, b *Trap) int {
		return cmp.Or(b.Repos-a.Repos, cmp.Compare(a.Signature, b.Signature))
	})
	list = list[:min(len(list), maxTraps)]
	for i := range list {
		ids := list[i].Memories
		slices.Sort(ids)
		ids = slices.Compact(ids)
		list[i].Memories = ids[:min(len(ids), trapSamples)]
	}
	return list
}
