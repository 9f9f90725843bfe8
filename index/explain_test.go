package index

import (
	"context"
	"math"
	"testing"

	"github.com/git-cortex/cortex/index/query"
)

// TestExplanationsAddUp: the parts in an explanation give the score of the hit.
func TestExplanationsAddUp(t *testing.T) {
	c := newCorpus(5)
	s := newShelf(t, c.memories(80)...)
	for i := range s.view.Items {
		s.view.Items[i].Prior = float64(i%7) / 7
	}
	seen := map[string]bool{}
	for _, text := range append(c.queries(40), "decisions about cache index", "journal snapshot since march") {
		r, err := s.index.Search(context.Background(), s.view, query.Parse(text, testNow), SearchOptions{Limit: -1, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		plain := find(t, s.index, s.view, text, -1)
		for i, h := range r.Hits {
			if h.Memory.ID != plain.Hits[i].Memory.ID || h.Score != plain.Hits[i].Score {
				t.Fatalf("%q: hit %d differs when it is explained", text, i)
			}
			sum := 0.0
			for _, term := range h.Why.Terms {
				sum += term.Score
				seen[term.Field] = true
				if term.Freq < 1 || term.Docs < 1 || term.Length < 1 && term.Field != "exact" {
					t.Errorf("%q: %+v", text, term)
				}
			}
			for _, p := range h.Why.Pairs {
				sum += p.Score
				seen["pair"] = true
			}
			if got := sum * h.Why.Prior * h.Why.Lean * h.Why.Name; math.Abs(got-h.Score) > 1e-9 || math.Abs(sum-h.Why.Words) > 1e-9 {
				t.Errorf("%q: hit %d has %v, explained are %v", text, i, h.Score, got)
			}
			if h.Why.Lean < 1 {
				seen["lean"] = true
			}
			if len(h.Why.Named) > 0 {
				seen["name"] = true
			}
		}
	}
	for _, part := range []string{"stem", "exact", "title", "pair", "lean", "name"} {
		if !seen[part] {
			t.Errorf("nothing was explained by %s", part)
		}
	}
	if h := find(t, s.index, s.view, "cache", 1).Hits[0]; h.Why != nil {
		t.Error("explained without being asked")
	}
}
