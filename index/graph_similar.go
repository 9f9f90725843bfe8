package index

import (
	"cmp"
	"slices"

	"github.com/git-cortex/cortex/memory"
)

const (
	similarFrom  = 0.1 // Jaccard from which two memories are similar (DESIGN §2)
	similarKept  = 5   // nearest ones of each memory
	similarRare  = 40  // memories that a word may be in to bring two together
	similarWords = 2   // such words that two must share
)

// similarity is two texts, by number, and how much their words overlap.
type similarity struct {
	a, b    int // a < b
	jaccard float64
}

// similarPairs finds texts that are similar by their signatures. Only texts that
// share uncommon words are compared, so the time it takes grows with the number
// of texts, not with its square.
func similarPairs(signatures [][]uint32) []similarity {
	holders := map[uint32][]int32{}
	for i, s := range signatures {
		for _, word := range s {
			if list := holders[word]; len(list) <= similarRare {
				holders[word] = append(list, int32(i))
			}
		}
	}
	nearest := make([][]similarity, len(signatures))
	parallel(len(signatures), func(next func() (int, bool)) {
		shared := make([]uint8, len(signatures))
		var candidates []int32
		for i, ok := next(); ok; i, ok = next() {
			for _, word := range signatures[i] {
				list := holders[word]
				if len(list) > similarRare {
					continue
				}
				for _, k := range list {
					if shared[k] == 0 {
						candidates = append(candidates, k)
					}
					shared[k] = min(shared[k]+1, 200)
				}
			}
			nearest[i] = nearestOf(signatures, i, candidates, shared)
			for _, k := range candidates {
				shared[k] = 0
			}
			candidates = candidates[:0]
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

func nearestOf(signatures [][]uint32, i int, candidates []int32, shared []uint8) []similarity {
	var out []similarity
	few := len(signatures[i]) < 2*similarWords
	for _, c := range candidates {
		k := int(c)
		if k == i || shared[k] < similarWords && !few {
			continue
		}
		if j := memory.Jaccard(signatures[i], signatures[k]); j >= similarFrom {
			out = append(out, similarity{min(i, k), max(i, k), j})
		}
	}
	return nearestFew(out)
}

// nearestTo compares one text with all others.
func nearestTo(signatures [][]uint32, i int) []similarity {
	var out []similarity
	for k := range signatures {
		if k == i {
			continue
		}
		if j := memory.Jaccard(signatures[i], signatures[k]); j >= similarFrom {
			out = append(out, similarity{min(i, k), max(i, k), j})
		}
	}
	return nearestFew(out)
}

func nearestFew(list []similarity) []similarity {
	slices.SortFunc(list, func(x, y similarity) int {
		return cmp.Or(cmp.Compare(y.jaccard, x.jaccard), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return list[:min(len(list), similarKept)]
}
