package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/index/internal/work"
	"github.com/git-cortex/cortex/index/vector"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
)

const (
	// weightVector is the most that vectors weigh when nobody says how much.
	// Measured on six sets with a good and a useless model: see TestVectorSets.
	weightVector = 0.3
	// weightLeast lets what vectors alone find stand below what words find.
	weightLeast = 0.01
	// agreeing is how many hits of both lists are compared.
	agreeing = 10
)

// VectorSearch adds what is similar in meaning to a search.
type VectorSearch struct {
	Vectors *vector.Store
	Text    string        // compared instead of the words of the query, such as a hypothetical answer; may be ""
	Alpha   float64       // weight of the vectors, 0–1; 0 means up to 0.3, as far as both lists agree
	Least   float64       // from which on what shares no word with the query is found; 0 means what stands out
	Wait    time.Duration // for an endpoint, then words alone decide; 0 means as long as it takes
}

// vectorHits records how vectors changed a list of hits, to explain it. The zero value
// and nil stand for no change.
type vectorHits struct {
	alpha   float64        // weight they had
	similar []float32      // cosine of every item of the view with the query
	alone   map[int32]bool // items that share no word with the query

	words, meaning []scored // the lists that were fused
}

// via says how an item was reached, for [Hit]: "" when its words did.
func (h *vectorHits) via(at int32) string {
	if h == nil || !h.alone[at] {
		return ""
	}
	return "similar in meaning"
}

// askVectors begins to make the vector of the query; nil when none is wanted.
func (s *search) askVectors(ctx context.Context) *vector.Question {
	opt := s.opt.Vector
	if opt == nil || s.place == nil || s.source.Len() == 0 {
		return nil
	}
	text := cmp.Or(strings.TrimSpace(opt.Text), strings.Join(s.query.Words, " "))
	if text == "" {
		return nil
	}
	return opt.Vectors.Ask(ctx, text, opt.Wait)
}

// fuseVectors adds what the query is similar to to what was found, and puts all
// in order again. Where vectors cannot be had the list stays as it is and a
// hint says why; it fails only when ctx ends.
func (s *search) fuseVectors(ctx context.Context, a *words.Analyser, asked *vector.Question) (*vectorHits, error) {
	similar, lacking, err := asked.Similar(ctx, vector.View{
		Size: s.source.Len(), Blob: func(at int32) string { return s.source.Item(at).Blob }, Place: s.place,
	})
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("searching: %w", ctx.Err())
	case err != nil:
		s.hints = append(s.hints, "searched by words alone: "+err.Error())
		return nil, nil
	case lacking > 0:
		s.hints = append(s.hints, fmt.Sprintf(
			"searched by words alone: %d of %d memories have no vector yet", lacking, s.source.Len()))
		return nil, nil
	case similar == nil:
		return nil, nil // no word that the model knows
	}
	opt := s.opt.Vector
	h := &vectorHits{alpha: opt.Alpha, similar: similar, alone: map[int32]bool{}}
	vector, err := s.mostSimilar(ctx, a, similar)
	if err != nil {
		return nil, err
	}
	h.alpha = cmp.Or(h.alpha, agreement(s.found, vector))
	keyword := s.union(vector, h)
	s.total += len(h.alone)
	h.words, h.meaning = keyword, s.withSimilarity(keyword, similar)
	s.found = fuse(h.words, h.meaning, h.alpha)
	slices.SortFunc(s.found, s.compare)
	return h, nil
}

// mostSimilar are the memories most similar to the query that pass its filters,
// best first.
func (s *search) mostSimilar(ctx context.Context, a *words.Analyser, similar []float32) ([]scored, error) {
	var places []int32
	for i := range similar {
		if similar[i] > 0 {
			places = append(places, int32(i))
		}
	}
	places, err := s.filtered(ctx, places)
	if err != nil {
		return nil, err
	}
	list := make([]scored, len(places))
	for i, at := range places {
		list[i] = scored{at, s.leanSimilar(at, similar)}
	}
	list = work.Best(list, 2*max(candidates, s.opt.Limit), s.byScore)
	out, err := s.excluded(ctx, a)
	if err != nil {
		return nil, err
	}
	list = lists.Without(list, func(f scored) bool { return out[f.Item] })
	if need := s.required(a); len(need) > 0 {
		held, err := s.holding(ctx, a, placesOf(list), need)
		if err != nil {
			return nil, err
		}
		list = lists.Without(list, func(f scored) bool { return !slices.Contains(held, f.Item) })
	}
	slices.SortFunc(list, s.byScore)
	return list[:min(len(list), max(candidates, s.opt.Limit))], nil
}

func (s *search) byScore(a, b scored) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(s.source.ID(a.Item), s.source.ID(b.Item)))
}

// leanSimilar is how similar an item is, less when it is not of the kind or time
// that plain words asked for.
func (s *search) leanSimilar(at int32, similar []float32) float64 {
	factor, _ := s.leaning.factor(at)
	if similar[at] <= 0 {
		factor = 1
	}
	return float64(float64(similar[at]) * factor)
}

// union returns the items found by words together with the similar ones, which have
// the score of their words too. A similar item that shares no word with the query is
// taken only if its similarity stands out, or is what the caller asks for, and is noted in h.alone.
func (s *search) union(vector []scored, h *vectorHits) []scored {
	keyword := slices.Clone(s.found)
	in := make(map[int32]bool, len(keyword))
	for _, f := range keyword {
		in[f.Item] = true
	}
	threshold := cmp.Or(s.opt.Vector.Least, outlier(h.similar))
	for _, f := range vector {
		if in[f.Item] {
			continue
		}
		factor, inside := s.leaning.factor(f.Item)
		score := 0.0
		if len(s.plan.Terms) > 0 {
			score = float64(s.ranking.Scores[f.Item] * float64(s.boost(f.Item)*factor))
		}
		if score == 0 {
			if f.Score < threshold || !inside {
				continue
			}
			h.alone[f.Item] = true
		}
		keyword = append(keyword, scored{f.Item, score})
	}
	slices.SortFunc(keyword, s.byScore)
	return keyword
}

// withSimilarity is a list with the similarity of each of its items, best first.
func (s *search) withSimilarity(list []scored, similar []float32) []scored {
	out := make([]scored, len(list))
	for i, f := range list {
		out[i] = scored{f.Item, s.leanSimilar(f.Item, similar)}
	}
	slices.SortFunc(out, s.byScore)
	return out
}

// outlier is the similarity from which one stands out: more than the greatest
// of as many unrelated ones is expected to be, were they normally distributed
// (mean + deviation × √(2 ln n), the universal threshold of Donoho and Johnstone
// 1994). Of fewer than five nothing can stand out.
func outlier(similar []float32) float64 {
	n := float64(len(similar))
	if n < 5 {
		return math.Inf(1)
	}
	mean, squares := 0.0, 0.0
	for _, x := range similar {
		mean += float64(x)
		squares += float64(float64(x) * float64(x))
	}
	mean /= n
	deviation := math.Sqrt(max(0, squares/n-float64(mean*mean)))
	return mean + float64(deviation*math.Sqrt(2*math.Log(n)))
}

// agreement is the weight of vectors for a query. It grows with the number of hits
// that the first ten of both lists share, of which one may be by chance, so that a
// list that is noise to this query hardly changes the order, whatever made it.
func agreement(keyword, vector []scored) float64 {
	n := min(agreeing, len(keyword))
	first := map[int32]bool{}
	for _, f := range vector[:min(agreeing, len(vector))] {
		first[f.Item] = true
	}
	shared := 0
	for _, f := range keyword[:n] {
		if first[f.Item] {
			shared++
		}
	}
	if shared < 2 {
		return weightLeast
	}
	return max(weightLeast, float64(weightVector*float64(shared-1)/float64(agreeing-1)))
}
