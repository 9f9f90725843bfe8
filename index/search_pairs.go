package index

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/index/internal/work"
	"github.com/git-cortex/cortex/internal/words"
)

// pair is two neighbouring words of a query, as stems, stop words left out.
type pair [2]string

// scorePairs adds what pairs of the query are worth that are neighbours in a
// memory too. It reads the texts of the first candidates only.
func (s *search) scorePairs(ctx context.Context) {
	top := s.found[:min(len(s.found), candidates)]
	counts := make([][]uint32, len(top)) // by pair
	for i, budget := 0, maxReread; i < len(top) && budget > 0; i++ {
		if s.mayHavePair(top[i].item) {
			counts[i] = make([]uint32, len(s.plan.pairs))
			budget -= s.textSize(top[i].item)
		}
	}
	near := s.plan.near()
	work.Share(len(top), func(next func() (int, bool)) {
		a := s.index.ranker.borrow()
		a.Near = near
		for i, ok := next(); ok; i, ok = next() {
			if counts[i] == nil {
				continue
			}
			if title, text, ok := s.index.words(ctx, s.items[top[i].item], s.opt.Fetch); ok {
				s.countPairs(a, title, counts[i])
				s.countPairs(a, text, counts[i])
			}
		}
		a.Near = nil
		s.index.ranker.giveBack(a)
	})
	s.addPairs(top, counts)
	slices.SortFunc(top, s.compare)
}

// words is the title and text of an item, without making a memory of it.
func (x *Index) words(ctx context.Context, it *Item, fetch Fetch) (title, text string, ok bool) {
	if title, text, ok = x.catalog.words(it); ok {
		return title, text, true
	}
	if m := x.whole(ctx, it, fetch); m != nil {
		return m.Title, m.Text, true
	}
	return "", "", false
}

// mayHavePair reports whether an item holds both words of some pair.
func (s *search) mayHavePair(at int32) bool {
	mask := s.ranking.masks[at]
	return slices.ContainsFunc(s.plan.pairMasks, func(both uint64) bool { return both == 0 || mask&both == both })
}

// countPairs counts the pairs of the query in a text. Most words are none of the
// query, and are passed over before anything is looked up.
func (s *search) countPairs(a *words.Analyser, text string, counts []uint32) {
	prev := "" // the word before, if it is one of the query
	for _, t := range a.Plain(text) {
		stem := s.plan.stemFor(t.Stem)
		marked := a.Near.May(stem) && s.plan.marks[stem]
		if !marked && prev == "" {
			continue
		}
		switch {
		case words.IsStop(t.Term):
		case !marked:
			prev = ""
		default:
			if i := slices.Index(s.plan.pairs, pair{prev, stem}); i >= 0 {
				counts[i]++
			}
			prev = stem
		}
	}
}

// stemFor is the stem of the query that a stem stands for, which is mostly itself.
func (p *plan) stemFor(stem string) string {
	if of, ok := p.alias[stem]; ok {
		return of
	}
	return stem
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
				score := float64(w * bm25(n, r.lengths.words[at][StemField], r.lengths.average[StemField]))
				r.trace.pair(at, s.plan.pairs[i], n, score)
				bonus += score
			}
		}
		factor, _ := s.leaning.factor(s.items[at])
		top[k].score += float64(bonus * float64(boost(s.items[at])*factor))
	}
}

// near is how the stems of pairs begin.
func (p *plan) near() *words.Prefixes {
	var stems []string
	for _, two := range p.pairs {
		stems = append(stems, two[0], two[1])
	}
	for stem := range p.alias {
		stems = append(stems, stem)
	}
	return words.PrefixesOf(stems)
}
