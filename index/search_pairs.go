package index

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/index/internal/work"
)

// scorePairs adds what pairs of the query are worth that are neighbours in a
// memory too. It reads the texts of the first candidates only.
func (s *search) scorePairs(ctx context.Context) error {
	if len(s.plan.Pairs) == 0 {
		return nil
	}
	top := s.found[:min(len(s.found), candidates)]
	var read []int     // places in top
	var places []int32 // of the same memories
	for i, budget := 0, maxReread; i < len(top) && budget > 0; i++ {
		if at := top[i].Item; s.ranking.MayHavePair(at) {
			read, places = append(read, i), append(places, at)
			budget -= s.source.TextSize(at)
		}
	}
	counts := make([][]uint32, len(top)) // by pair
	if len(places) > 0 {
		texts, err := s.source.Texts(ctx, places)
		if err != nil {
			return fmt.Errorf("searching: %w", err)
		}
		for i, found := range s.pairsIn(texts) {
			counts[read[i]] = found
		}
	}
	s.addPairs(top, counts)
	slices.SortFunc(top, s.compare)
	return nil
}

// pairsIn counts the pairs of the query in texts, on all cores.
func (s *search) pairsIn(texts []Text) [][]uint32 {
	counts := make([][]uint32, len(texts)) // by pair
	near := s.plan.Near()
	work.Share(len(texts), func(next func() (int, bool)) {
		a := s.ranker.borrow()
		a.Near = near
		for i, ok := next(); ok; i, ok = next() {
			counts[i] = make([]uint32, len(s.plan.Pairs))
			s.plan.CountPairs(a, texts[i].Title, counts[i])
			s.plan.CountPairs(a, texts[i].Text, counts[i])
		}
		a.Near = nil
		s.ranker.giveBack(a)
	})
	return counts
}

func (s *search) addPairs(top []scored, counts [][]uint32) {
	df := make([]int, len(s.plan.Pairs))
	for _, c := range counts {
		for i, n := range c {
			if n > 0 {
				df[i]++
			}
		}
	}
	for k := range top {
		at, bonus := top[k].Item, 0.0
		for i, n := range counts[k] {
			if n > 0 {
				score := s.ranking.PairScore(at, df[i], n)
				s.trace.pair(at, s.plan.Pairs[i], n, score)
				bonus += score
			}
		}
		factor, _ := s.leaning.factor(at)
		top[k].Score += float64(bonus * float64(s.boost(at)*factor))
	}
}
