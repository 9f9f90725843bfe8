package contradiction

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// Stems is the signature of the stems of a text's words.
func Stems(text string) []uint32 {
	var a words.Analyser
	var out []string
	for _, t := range lists.Without(a.Plain(text), func(t words.Token) bool { return words.IsStop(t.Term) }) {
		out = append(out, t.Stem)
	}
	return sameness.Signature(out...)
}

// Near knows which memories may be about the same question, by the stems of what they say, of the
// files that they name and of their entities.
type Near struct {
	stems   [][]uint32
	lengths []float64        // of the vectors of their stems
	holding map[uint32][]int // memories by a stem
}

// NewNear compares memories, which [Near.Of] names by their places.
func NewNear(all []*memory.Memory) *Near {
	n := &Near{holding: map[uint32][]int{}, lengths: make([]float64, len(all))}
	for i, m := range all {
		stems := Stems(m.Title + "\n" + m.Text + "\n" + strings.Join(slices.Concat(m.Files, m.Entities), "\n"))
		n.stems = append(n.stems, stems)
		for _, stem := range stems {
			n.holding[stem] = append(n.holding[stem], i)
		}
	}
	for i, stems := range n.stems {
		for _, stem := range stems {
			n.lengths[i] += n.worth(stem)
		}
		n.lengths[i] = math.Sqrt(n.lengths[i])
	}
	return n
}

// worth grows with the rarity of a stem that two memories share.
func (n *Near) worth(stem uint32) float64 {
	rarity := math.Log(1 + float64(len(n.stems))/float64(len(n.holding[stem])))
	return rarity * rarity
}

// Of returns at most so many memories that share words with the one at i, the likest first.
func (n *Near) Of(i, most int) []int {
	alike := map[int]float64{}
	for _, stem := range n.stems[i] {
		for _, other := range n.holding[stem] {
			alike[other] += n.worth(stem) / n.lengths[other]
		}
	}
	delete(alike, i)
	out := slices.Collect(maps.Keys(alike))
	lists.Sort(out, func(a, b int) int { return cmp.Or(cmp.Compare(alike[b], alike[a]), a-b) })
	return out[:min(len(out), most)]
}
