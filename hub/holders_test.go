package hub

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// TestHolding: what is said to hold a memory is what holds it, however repositories move, and an answer that began
// before is whole.
func TestHolding(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	h := &Hub{known: map[string]*Repo{}}
	id := func() memory.ID { return memory.ID(fmt.Sprint("m", r.IntN(12))) }
	var before []*Repo
	for range 400 {
		all := maps.Clone(h.known)
		repo := &Repo{RepoRef: RepoRef{Forge: "git", Name: fmt.Sprint("acme/", r.IntN(6))}, Files: map[string]File{}}
		for n := range r.IntN(6) {
			repo.Files[fmt.Sprint(n)] = File{Blob: "b", ID: id()}
		}
		if all[repo.Key()] = repo; r.IntN(4) == 0 {
			delete(all, repo.Key())
		}
		h.know(all)
		granted := slices.DeleteFunc(slices.Collect(maps.Values(all)), func(*Repo) bool { return r.IntN(3) == 0 })
		for _, in := range [][]*Repo{granted, before} {
			ids := []memory.ID{id(), id()}
			holds := func(r *Repo) bool {
				return slices.ContainsFunc(slices.Collect(maps.Values(r.Files)), func(f File) bool { return slices.Contains(ids, f.ID) })
			}
			got := h.holding(in, ids)
			for _, r := range in {
				isNow := all[r.Key()] == r // else it may have got or lost it since
				if isNow && holds(r) && !slices.Contains(got, r) {
					t.Fatalf("%s holds one of %v, and is not among %d", r.Name, ids, len(got))
				}
			}
			extra := slices.ContainsFunc(got, func(r *Repo) bool { return all[r.Key()] == r && !holds(r) })
			if len(got) < len(in) && extra {
				t.Fatalf("one of %d repositories does not hold any of %v", len(got), ids)
			}
			if slices.ContainsFunc(got, func(r *Repo) bool { return !slices.Contains(in, r) }) {
				t.Fatal("a repository is named that was not granted")
			}
		}
		before = granted
	}
}
