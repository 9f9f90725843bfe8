package main

import (
	"maps"
	"math"
	"slices"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/weights"
	"github.com/git-cortex/cortex/memory"
)

// example is one thing that capture judged, with what the labels say of it.
type example struct {
	group   string
	signs   []string
	cues    []string // rows of the table of cues
	keep    bool
	denied  bool // it hits a negative label and no other
	lands   bool
	landing bool          // the labels say what lands
	types   []memory.Type // of the labels that it hits
}

func examplesOf(s *session) ([]example, error) {
	var out []example
	empty, err := weights.Parse([]byte("sign\tkeep\tlands\n(at)\t50\t50\n"))
	if err != nil {
		return nil, err
	}
	_, err = s.captured(empty, func(w capture.Weighed) {
		e := example{group: s.group, signs: w.Signs, cues: w.Cues, landing: s.landing}
		f := foundOf(&w.Candidate)
		for i := range s.labels {
			l := &s.labels[i]
			if !f.hits(l) {
				continue
			}
			if l.Negative {
				e.denied = true
				continue
			}
			e.keep = true
			e.types = append(e.types, l.Type)
			e.lands = e.lands || l.Lands != nil && *l.Lands
		}
		out = append(out, e)
	})
	return out, err
}

// leastSeen is how many examples a sign is in that is worth a row.
const leastSeen = 12

// features chooses the signs that are worth a row.
func features(all []example) map[string]int {
	seen := map[string]int{}
	for _, e := range all {
		for _, s := range e.signs {
			seen[s]++
		}
	}
	out := map[string]int{}
	for _, s := range slices.Sorted(maps.Keys(seen)) {
		if seen[s] >= leastSeen {
			out[s] = len(out)
		}
	}
	return out
}

// How strongly weights are held near 0, in examples: by so many a sign has to be
// seen to count.
const (
	strength = 30
	steps    = 300
	// falseWeight is how much what a reader called no memory counts.
	falseWeight = 2
)

// learn fits one table: a logistic regression for each head.
func learn(all []example, at settings) *weights.Table {
	index := features(all)
	heads := []string{weights.Keep, weights.Lands}
	rows := map[string][]float64{weights.Bias: make([]float64, len(heads))}
	for name := range index {
		rows[name] = make([]float64, len(heads))
	}
	for h, head := range heads {
		f := newFit(index)
		for i := range all {
			e := &all[i]
			switch {
			case head == weights.Keep:
				weight := 1.0
				if e.denied && !e.keep {
					weight = falseWeight
				}
				f.add(e, e.keep, weight)
			case e.landing:
				f.add(e, e.lands, 1)
			}
		}
		f.run()
		rows[weights.Bias][h] = f.bias
		for name, i := range index {
			rows[name][h] = f.weights[i]
		}
	}
	return weights.New(rows, at.keep, at.lands)
}

// fit is one logistic regression.
type fit struct {
	index   map[string]int
	weights []float64
	bias    float64
	rows    [][]int
	want    []float64
	weight  []float64
}

func newFit(index map[string]int) *fit {
	return &fit{index: index, weights: make([]float64, len(index))}
}

func (f *fit) add(e *example, want bool, weight float64) {
	var row []int
	for _, s := range e.signs {
		if i, ok := f.index[s]; ok {
			row = append(row, i)
		}
	}
	y := 0.0
	if want {
		y = 1
	}
	f.rows, f.want, f.weight = append(f.rows, row), append(f.want, y), append(f.weight, weight)
}

// run descends along the gradient, each weight with a step of its own (Adam).
func (f *fit) run() {
	n := len(f.weights)
	grad, m, v := make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)
	for step := 1; step <= steps; step++ {
		clear(grad)
		total := 0.0
		for i, row := range f.rows {
			z := f.bias
			for _, j := range row {
				z += f.weights[j]
			}
			d := f.weight[i] * (1/(1+math.Exp(-z)) - f.want[i])
			total += f.weight[i]
			for _, j := range row {
				grad[j] += d
			}
			grad[n] += d
		}
		rate := 0.05 * math.Min(1, 2*(1-float64(step-1)/float64(steps)))
		for j := range grad {
			g := grad[j]
			if j < n {
				g += strength * f.weights[j]
			}
			g /= math.Max(total, 1)
			m[j] = 0.9*m[j] + 0.1*g
			v[j] = 0.999*v[j] + 0.001*g*g
			move := rate * (m[j] / (1 - math.Pow(0.9, float64(step)))) / (math.Sqrt(v[j]/(1-math.Pow(0.999, float64(step)))) + 1e-8)
			if j < n {
				f.weights[j] -= move
			} else {
				f.bias -= move
			}
		}
	}
}
