package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/index/internal/entry"
	"github.com/git-cortex/cortex/index/internal/work"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
)

const (
	similarFrom   = sameness.Edge
	similarKept   = 5    // nearest ones of each memory
	similarWindow = 8    // neighbours on either side in each order of sketches
	similarVisits = 4000 // holders of the words of a text that are looked at
	similarTried  = 32   // of each kind of candidates, the texts that are compared
)

// addSimilar connects memories whose words overlap.
func (g *Graph) addSimilar(ctx context.Context) error {
	n := len(g.ids)
	signatures, sketches := make([][]uint32, n), make([]string, n)
	work.Share(n, func(next func() (int, bool)) {
		for i, ok := next(); ok; i, ok = next() {
			if ctx.Err() == nil {
				signatures[i], sketches[i] = g.signature(ctx, i), g.sketch(i)
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("comparing memories: %w", err)
	}
	for _, s := range similarPairs(sketches, signatures) {
		g.Edges = append(g.Edges, Edge{s.a, s.b, RelSimilar, s.jaccard})
	}
	return nil
}

// signature is that of a memory; nil when its text cannot be had.
func (g *Graph) signature(ctx context.Context, node int) []uint32 {
	m, ok := g.index.Catalog().MemoryOf(ctx, &g.Nodes[node].Item)
	if !ok {
		return nil
	}
	return sameness.Signature(m.Title, m.Text)
}

// sketch is that of a memory; "" when it has no words.
func (g *Graph) sketch(node int) string { return g.index.Catalog().Sketch(&g.Nodes[node].Item) }

// compareAll adds edges to what is similar to one memory and is not among the
// nearest of either: its sketch is compared with all others, and its words with
// those of the memories that agree best.
func (g *Graph) compareAll(ctx context.Context, node int) {
	mine := g.sketch(node)
	if !g.alike || mine == "" {
		return
	}
	known := map[int]bool{node: true}
	for _, e := range g.edgesOf(node) {
		if g.Edges[e].Rel == RelSimilar {
			known[g.Edges[e].From], known[g.Edges[e].To] = true, true
		}
	}
	var list []scored
	for other := range len(g.ids) {
		if s := g.sketch(other); s != "" && !known[other] && entry.Same(mine, s) > 0 {
			list = append(list, scored{int32(other), float64(entry.Same(mine, s))})
		}
	}
	signatures := map[int][]uint32{node: g.signature(ctx, node)}
	var candidates []int32
	for _, s := range bestSorted(list, similarTried) {
		candidates = append(candidates, s.Item)
		signatures[int(s.Item)] = g.signature(ctx, int(s.Item))
	}
	nearest := nearestOf(func(i int) []uint32 { return signatures[i] }, node, candidates)
	for _, s := range nearest[:max(0, min(len(nearest), similarKept+1-len(known)))] {
		g.at[s.a], g.at[s.b] = append(g.at[s.a], len(g.Edges)), append(g.at[s.b], len(g.Edges))
		g.Edges = append(g.Edges, Edge{s.a, s.b, RelSimilar, s.jaccard})
	}
}

// scored is a text and how much it promises.
type scored struct {
	Item  int32
	Score float64
}

// similarity is two texts, by number, and how much their words overlap.
type similarity struct {
	a, b    int // a < b
	jaccard float64
}

// similarPairs finds texts that are similar: of each the nearest five with a
// Jaccard index of 0.1 and more. Compared are only texts that stand beside each
// other in one of the orders of [sketchOrders] or share its least common words,
// and of those the 32 each that promise most. So the time it takes grows with
// the number of texts, not with its square. TestSimilarRecall says what it
// misses. The sketch of a text without words is "".
func similarPairs(sketches []string, signatures [][]uint32) []similarity {
	orders := sketchOrders(sketches)
	holders := holdersOf(signatures)
	nearest := make([][]similarity, len(signatures))
	work.Share(len(signatures), func(next func() (int, bool)) {
		c := candidateList{counts: make([]uint16, len(signatures))}
		for i, ok := next(); ok; i, ok = next() {
			c.chosen = c.chosen[:0]
			c.beside(i, orders, sketches)
			c.sharing(i, holders, signatures)
			nearest[i] = nearestOf(func(i int) []uint32 { return signatures[i] }, i, c.chosen)
		}
	})
	var out []similarity
	for i, list := range nearest {
		for _, s := range list {
			// Where both have each other among their nearest, once is enough.
			if s.a == i || !slices.Contains(nearest[s.a], s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// holdersOf lists the texts of each word.
func holdersOf(signatures [][]uint32) map[uint32][]int32 {
	out := map[uint32][]int32{}
	for i, s := range signatures {
		for _, word := range s {
			out[word] = append(out[word], int32(i))
		}
	}
	return out
}

// sketchOrder is all texts in the order of one lane of their sketches, then the
// three that follow it, and where each text stands.
type sketchOrder struct{ texts, place []int32 }

// sketchOrders are the orders by each lane. Texts that agree in a lane stand
// together, and the more lanes in a row they agree in, the closer, however many
// share the first: bands of MinHash that are as long as they need to be (Bawa,
// Condie, Ganesan, LSH Forest, 2005), in sorted arrays instead of trees.
func sketchOrders(sketches []string) []sketchOrder {
	out := make([]sketchOrder, entry.Lanes)
	work.Share(entry.Lanes, func(next func() (int, bool)) {
		keys, order := make([]uint64, len(sketches)), make([]int, len(sketches))
		for first, ok := next(); ok; first, ok = next() {
			o := sketchOrder{make([]int32, len(sketches)), make([]int32, len(sketches))}
			for i := range sketches {
				order[i], keys[i] = i, 0
				for k := range 4 {
					keys[i] = keys[i]<<16 | uint64(entry.Lane(sketches[i], (first+k)%entry.Lanes))
				}
			}
			slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(keys[a], keys[b]), a-b) })
			for p, i := range order {
				o.texts[p], o.place[i] = int32(i), int32(p)
			}
			out[first] = o
		}
	})
	return out
}

// candidateList gathers what one text is worth comparing with.
type candidateList struct {
	chosen []int32
	counts []uint16 // of every text; zero between calls
	list   []scored
	words  [][]int32 // holders of the words of a text
}

// beside adds the texts beside text i in the orders, those with the most lanes
// in common first.
func (c *candidateList) beside(i int, orders []sketchOrder, sketches []string) {
	c.list = c.list[:0]
	for n := range orders {
		at := int(orders[n].place[i])
		c.alongside(i, orders[n].texts[max(0, at-similarWindow):at], -1, n, sketches)
		c.alongside(i, orders[n].texts[at+1:min(at+1+similarWindow, len(sketches))], 1, n, sketches)
	}
	c.choose()
}

// alongside adds the texts of a row that agree with text i in a lane, from the beginning on
// or, with a step of -1, from the end.
func (c *candidateList) alongside(i int, row []int32, step, lane int, sketches []string) {
	mine := entry.Lane(sketches[i], lane)
	if step < 0 {
		row = slices.Clone(row)
		slices.Reverse(row)
	}
	for _, k := range row {
		if mine == 0 || entry.Lane(sketches[k], lane) != mine {
			return
		}
		if c.counts[k] == 0 {
			c.counts[k] = 1
			c.list = append(c.list, scored{k, float64(entry.Same(sketches[i], sketches[k]))})
		}
	}
}

// sharing adds the texts that share words with text i, its least common words
// first, those first that share the largest part of both.
func (c *candidateList) sharing(i int, holders map[uint32][]int32, signatures [][]uint32) {
	c.list, c.words = c.list[:0], c.words[:0]
	for _, word := range signatures[i] {
		c.words = append(c.words, holders[word])
	}
	lists.Sort(c.words, func(a, b []int32) int { return cmp.Compare(len(a), len(b)) })
	visits := similarVisits
	for _, list := range c.words {
		if visits -= len(list); visits < 0 {
			break
		}
		for _, k := range list {
			if int(k) == i {
				continue
			}
			if c.counts[k] == 0 {
				c.list = append(c.list, scored{Item: k})
			}
			c.counts[k]++
		}
	}
	for n := range c.list {
		k := c.list[n].Item
		c.list[n].Score = float64(c.counts[k]) / float64(len(signatures[i])+len(signatures[k]))
	}
	c.choose()
}

// choose takes the best of the list, and leaves the counts zero.
func (c *candidateList) choose() {
	for _, s := range c.list {
		c.counts[s.Item] = 0
	}
	for _, s := range bestSorted(c.list, similarTried) {
		c.chosen = append(c.chosen, s.Item)
	}
}

// bestSorted are the n best of list, best first; of equal ones the smaller item.
func bestSorted(list []scored, n int) []scored {
	byScore := func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Item, b.Item))
	}
	return work.Best(list, n, byScore)
}

// nearestOf compares a text with candidates, some of which may be there twice,
// and returns those most similar, nearest first.
func nearestOf(signature func(int) []uint32, i int, candidates []int32) []similarity {
	slices.Sort(candidates)
	var out []similarity
	for _, c := range slices.Compact(candidates) {
		k := int(c)
		if j := sameness.Jaccard(signature(i), signature(k)); k != i && j >= similarFrom {
			out = append(out, similarity{min(i, k), max(i, k), j})
		}
	}
	lists.Sort(out, func(x, y similarity) int {
		return cmp.Or(cmp.Compare(y.jaccard, x.jaccard), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return out[:min(len(out), similarKept)]
}
