package index

import (
	"context"
	"slices"
)

// pair is two neighbouring words of a query, as stems, stop words left out.
type pair [2]string

// scorePairs adds what pairs of the query are worth that are neighbours in a
// memory too. It reads the texts of the first candidates only.
func (s *search) scorePairs(ctx context.Context) {
	top := s.found[:min(len(s.found), candidates)]
	counts := make([][]uint32, len(top)) // by pair
	for i, budget := 0, maxReread; i < len(top) && budget > 0; i++ {
		if !s.mayHavePair(top[i].item) {
			continue
		}
		if m := s.text(ctx, top[i].item); m != nil {
			counts[i] = make([]uint32, len(s.plan.pairs))
			budget -= len(m.Text)
		}
	}
	parallel(len(top), func(next func() (int, bool)) {
		a := s.index.borrow()
		defer s.index.giveBack(a)
		for i, ok := next(); ok; i, ok = next() {
			if counts[i] != nil {
				m := s.texts[top[i].item]
				s.countPairs(a, m.Title, counts[i])
				s.countPairs(a, m.Text, counts[i])
			}
		}
	})
	s.addPairs(top, counts)
	slices.SortFunc(top, s.compare)
}

// mayHavePair reports whether an item holds both words of some pair.
func (s *search) mayHavePair(at int32) bool {
	mask := s.ranking.masks[at]
	return slices.ContainsFunc(s.plan.pairMasks, func(both uint64) bool { return both == 0 || mask&both == both })
}

func (s *search) countPairs(a *analyser, text string, counts []uint32) {
	prev := ""
	for _, t := range a.plainWords(text) {
		if isStopWord(t.term) {
			continue
		}
		if prev != "" && s.plan.marks[t.stem] && s.plan.marks[prev] {
			if i := slices.Index(s.plan.pairs, pair{prev, t.stem}); i >= 0 {
				counts[i]++
			}
		}
		prev = t.stem
	}
}

func (s *search) addPairs(top []scored, counts [][]uint32) {
	r := s.ranking
	df := make([]int, len(s.plan.pairs))
	for _, c := range counts {
		for i, n := range c {
			if n > 0 {
				df[i]++
			}
		}
	}
	for k := range top {
		at, bonus := top[k].item, 0.0
		for i, n := range counts[k] {
			if n > 0 {
				w := float64(weightPair * idf(df[i], r.total))
				score := float64(w * bm25(n, r.length[fieldStem][at], r.average[fieldStem]))
				r.trace.pair(at, s.plan.pairs[i], n, score)
				bonus += score
			}
		}
		factor, _ := s.leaning.factor(s.items[at])
		top[k].score += float64(bonus * float64(boost(s.items[at])*factor))
	}
}
