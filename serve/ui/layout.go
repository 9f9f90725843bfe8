package ui

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// layout places the nodes of a graph in a square of side 1, the same graph always in
// the same way: communities by label propagation (Raghavan, Albert and Kumara, 2007),
// places by forces between nodes (Fruchterman and Reingold, 1991), from a start where
// each community is together.
type layout struct {
	x, y  []float64
	group []int // of each node, from 0
	edges []edge
	near  [][]int // for each node, its edges
}

type edge struct {
	a, b   int
	weight float64
}

func newLayout(n int) *layout {
	return &layout{x: make([]float64, n), y: make([]float64, n), group: make([]int, n), near: make([][]int, n)}
}

func (l *layout) connect(a, b int, weight float64) {
	l.near[a], l.near[b] = append(l.near[a], len(l.edges)), append(l.near[b], len(l.edges))
	l.edges = append(l.edges, edge{a, b, weight})
}

// place finds communities and places.
func (l *layout) place() {
	if len(l.x) == 0 {
		return
	}
	l.gather()
	l.start()
	const rounds = 120
	for i := range rounds {
		l.push(0.08 * (1 - float64(i)/rounds))
	}
	l.fit()
}

// gather gives each node the group that weighs most among its neighbours, until
// nothing changes.
func (l *layout) gather() {
	for i := range l.group {
		l.group[i] = i
	}
	const rounds = 30 // a label that goes round and round is stopped
	for range rounds {
		changed := false
		for i := range l.group {
			if best := l.heaviest(i); best != l.group[i] {
				l.group[i], changed = best, true
			}
		}
		if !changed {
			break
		}
	}
	number := map[int]int{}
	for i, g := range l.group {
		if _, known := number[g]; !known {
			number[g] = len(number)
		}
		l.group[i] = number[g]
	}
}

// heaviest is the group that the neighbours of a node are for: its own among equals,
// else the smallest.
func (l *layout) heaviest(i int) int {
	weight := map[int]float64{}
	for _, e := range l.near[i] {
		weight[l.group[l.edges[e].a+l.edges[e].b-i]] += l.edges[e].weight
	}
	best := l.group[i]
	for _, g := range slices.Sorted(maps.Keys(weight)) {
		if weight[g] > weight[best] {
			best = g
		}
	}
	return best
}

// start puts each community on a place of its own, on a spiral, the largest in the middle.
func (l *layout) start() {
	size := map[int]int{}
	for _, g := range l.group {
		size[g]++
	}
	order := slices.Collect(maps.Keys(size))
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(a, b)) })
	const golden = 2.399963 // radians: neighbours on the spiral are far apart
	rank := make(map[int]int, len(order))
	for i, g := range order {
		rank[g] = i
	}
	met := map[int]int{}
	for i, g := range l.group {
		k := float64(rank[g])
		r := 0.45 * math.Sqrt((k+0.5)/float64(len(order)))
		within := float64(met[g])
		s := 0.25 / math.Sqrt(float64(len(order))) * math.Sqrt((within+0.5)/float64(size[g]))
		l.x[i] = r*math.Cos(k*golden) + s*math.Cos(within*golden)
		l.y[i] = r*math.Sin(k*golden) + s*math.Sin(within*golden)
		met[g]++
	}
}

// push moves every node by the forces upon it, at most by step.
func (l *layout) push(step float64) {
	n := len(l.x)
	ideal := 0.6 / math.Sqrt(float64(n)) // distance of connected nodes
	dx, dy := make([]float64, n), make([]float64, n)
	for i := range n {
		for j := i + 1; j < n; j++ {
			ex, ey := l.x[i]-l.x[j], l.y[i]-l.y[j]
			d2 := ex*ex + ey*ey + 1e-9
			f := ideal * ideal / d2
			dx[i], dy[i], dx[j], dy[j] = dx[i]+ex*f, dy[i]+ey*f, dx[j]-ex*f, dy[j]-ey*f
		}
	}
	for _, e := range l.edges {
		ex, ey := l.x[e.a]-l.x[e.b], l.y[e.a]-l.y[e.b]
		pull := 1.0
		if l.group[e.a] != l.group[e.b] {
			pull = 0.2 // communities stay apart
		}
		f := pull * e.weight * math.Sqrt(ex*ex+ey*ey) / ideal
		dx[e.a], dy[e.a], dx[e.b], dy[e.b] = dx[e.a]-ex*f, dy[e.a]-ey*f, dx[e.b]+ex*f, dy[e.b]+ey*f
	}
	for i := range n {
		gx, gy := dx[i]-0.5*l.x[i], dy[i]-0.5*l.y[i] // and towards the middle
		d := math.Sqrt(gx*gx+gy*gy) + 1e-9
		m := min(d, step) / d
		l.x[i], l.y[i] = l.x[i]+gx*m, l.y[i]+gy*m
	}
}

// fit scales everything into the square.
func (l *layout) fit() {
	for _, c := range [][]float64{l.x, l.y} {
		low, high := slices.Min(c), slices.Max(c)
		for i := range c {
			if high-low < 1e-9 {
				c[i] = 0.5
			} else {
				c[i] = (c[i] - low) / (high - low)
			}
		}
	}
}
