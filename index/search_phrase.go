package index

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/memory"
)

// phrase is a run of words as written, none left out.
type phrase []string

func phraseOf(a *analyser, s string) phrase {
	var p phrase
	for _, t := range a.analyse(s) {
		if t.stem != "" {
			p = append(p, t.term)
		}
	}
	return p
}

// required is what each result must hold.
func (s *search) required(a *analyser) []phrase {
	var out []phrase
	for _, q := range s.query.Phrases {
		if p := phraseOf(a, q); len(p) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// excluded is something the query excludes, and the items that hold all its
// words, in any order.
type excluded struct {
	phrase phrase
	items  map[int32]bool
}

// exclude looks up what the query excludes.
func (s *search) exclude(r *ranking) error {
	for i := range s.not {
		var both map[int32]bool
		for _, term := range s.not[i].phrase {
			hits, err := r.lookup(fieldExact, term)
			if err != nil {
				return err
			}
			next := map[int32]bool{}
			for _, h := range hits {
				if both == nil || both[h.item] {
					next[h.item] = true
				}
			}
			both = next
		}
		s.not[i].items = both
	}
	return nil
}

// excluded are the items that hold something the query excludes.
func (s *search) excluded(ctx context.Context, a *analyser) map[int32]bool {
	out := map[int32]bool{}
	for _, e := range s.not {
		for at := range e.items {
			if len(e.phrase) == 1 || holdsPhrase(a, s.text(ctx, at), e.phrase) {
				out[at] = true
			}
		}
	}
	return out
}

// holds reports whether an item holds every phrase.
func (s *search) holds(ctx context.Context, a *analyser, at int32, phrases []phrase) bool {
	if len(phrases) == 0 {
		return true
	}
	m := s.text(ctx, at)
	return !slices.ContainsFunc(phrases, func(p phrase) bool { return !holdsPhrase(a, m, p) })
}

// parts are the texts of a memory that words are searched in. Words of two
// parts are never neighbours.
func parts(m *memory.Memory) []string {
	out := []string{m.Title, m.Text}
	return append(append(append(out, m.Tags...), m.Entities...), m.Files...)
}

func holdsPhrase(a *analyser, m *memory.Memory, p phrase) bool {
	if m == nil {
		return false
	}
	for _, part := range parts(m) {
		var words []string
		for _, t := range a.analyse(part) {
			if t.stem != "" {
				words = append(words, t.term)
			}
		}
		for i := 0; i+len(p) <= len(words); i++ {
			if slices.Equal(words[i:i+len(p)], p) {
				return true
			}
		}
	}
	return false
}

// scorePairs adds what neighbouring words of the query are worth that are
// neighbours in a memory too, stop words left out on both sides.
func (s *search) scorePairs(ctx context.Context, a *analyser) {
	order := make([][2]string, 0, len(s.plan.pairs))
	for i := 1; i < len(s.plan.stems); i++ {
		if p := [2]string{s.plan.stems[i-1], s.plan.stems[i]}; s.plan.pairs[p] && !slices.Contains(order, p) {
			order = append(order, p)
		}
	}
	top := s.found[:min(len(s.found), candidates)]
	counts := make([]map[[2]string]uint32, len(top))
	df := map[[2]string]int{}
	budget := maxReread
	for i := range top {
		if mask := s.ranking.masks[top[i].item]; mask&(mask-1) == 0 || budget <= 0 {
			continue // one word has no neighbour
		}
		m := s.text(ctx, top[i].item)
		if m == nil {
			continue
		}
		budget -= len(m.Text)
		counts[i] = s.countPairs(a, m)
		for p := range counts[i] {
			df[p]++
		}
	}
	r := s.ranking
	for i := range top {
		at, bonus := top[i].item, 0.0
		for _, p := range order {
			if n := counts[i][p]; n > 0 {
				w := float64(weightPair * idf(df[p], r.total))
				bonus += float64(w * bm25(n, r.length[fieldStem][at], r.average[fieldStem]))
			}
		}
		prior := min(max(s.items[at].Prior, 0), 1)
		top[i].score += float64(bonus * float64(1+float64(weightPrior*prior)))
	}
	s.sort(top)
}

func (s *search) countPairs(a *analyser, m *memory.Memory) map[[2]string]uint32 {
	var out map[[2]string]uint32
	for _, part := range []string{m.Title, m.Text} {
		prev := ""
		for _, t := range a.analyse(part) {
			if t.stem == "" || isStopWord(t.term) {
				continue
			}
			if p := [2]string{prev, t.stem}; s.plan.pairs[p] {
				if out == nil {
					out = map[[2]string]uint32{}
				}
				out[p]++
			}
			prev = t.stem
		}
	}
	return out
}
