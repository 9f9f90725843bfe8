package hub

import (
	"cmp"
	"slices"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// Derive sets what no file says of the memories of a store, each of which is in items once: how far it has
// faded, its rank among equals, and what others say of it. The formulas are those of every command.
func Derive(items []index.Item, facts func(i int) index.Facts, now time.Time) {
	answered := map[memory.ID]bool{}
	nodes, linked := make([]memory.Node, len(items)), make([]memory.Linked, len(items))
	for i := range items {
		f := facts(i)
		for _, question := range memory.Targets(f.Links, memory.Answers) {
			answered[question] = true
		}
		nodes[i] = memory.Node{ID: f.ID, Contested: f.Contested, Supersedes: memory.Targets(f.Links, memory.Supersedes)}
		linked[i] = memory.Linked{ID: f.ID, Links: f.Links}
	}
	statuses, central := memory.Statuses(nodes), memory.Centralities(linked)
	for i := range items {
		f := facts(i)
		deriveOne(&items[i], f.Memory(), now, central[i])
		items[i].Status = cmp.Or(statuses[f.ID], items[i].Status)
		over := answered[f.ID] || items[i].Status == memory.StatusSuperseded
		items[i].Open = items[i].Open && !over
	}
}

func deriveOne(it *index.Item, m memory.Memory, now time.Time, central float64) {
	archived := false
	it.Effective, archived = memory.DefaultDecay().Faded(&m, now, memory.Use{}, central)
	it.Status = memory.StatusOf(archived)
	it.Open = slices.Contains([]memory.Type{memory.Question, memory.Problem, memory.Plan}, m.Type)
	ranked := projection.Item{Memory: &m, Effective: it.Effective, Centrality: central}
	it.Prior = projection.Rank(ranked, 0, projection.DefaultTuning().Rank)
}
