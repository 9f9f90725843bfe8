package index

import (
	"cmp"
	"slices"
)

// fuse adds two lists, best first, of which an item may be in one or both, each scaled to
// 0–1 by its least and greatest score: (1−alpha)·keyword + alpha·vector. It keeps how far
// apart hits are (Bruch, Gai, Ingber 2023, "An analysis of fusion functions for hybrid
// retrieval"). Alpha is the weight of the vectors: 0 leaves the keyword list as it is, 1 the
// vector list. What a list lacks counts nothing there. The result is sorted by score, then
// by item.
func fuse(keyword, vector []scored, alpha float64) []scored {
	alpha = min(max(alpha, 0), 1)
	sum := map[int32]float64{}
	var out []scored
	for _, list := range []struct {
		items  []scored
		weight float64
	}{{keyword, 1 - alpha}, {vector, alpha}} {
		if list.weight == 0 {
			continue
		}
		values := scaled(list.items)
		for i, it := range list.items {
			if _, ok := sum[it.Item]; !ok {
				out = append(out, scored{Item: it.Item})
			}
			sum[it.Item] += float64(list.weight * values[i])
		}
	}
	for i := range out {
		out[i].Score = sum[out[i].Item]
	}
	slices.SortFunc(out, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Item, b.Item))
	})
	return out
}

// FusionScore is how the score of a hit came from both lists:
//
//	score = (1 − alpha) × words.share + alpha × meaning.share
type FusionScore struct {
	Alpha   float64   `json:"alpha"`
	Words   ListScore `json:"words"`   // by words: what the terms and pairs come to
	Meaning ListScore `json:"meaning"` // by vectors: the cosine, less for what is not of the kind or time asked for
}

// ListScore is the score of a hit in one of the two lists, and its share of the fused
// score before the list is weighted.
type ListScore struct {
	Value    float64 `json:"value"`
	Least    float64 `json:"least"`    // of the list
	Greatest float64 `json:"greatest"` // of the list
	Share    float64 `json:"share"`    // (value − least) / (greatest − least)
}

// explain returns how the score of an item came from both lists; nil when vectors had
// no part in it.
func (h *vectorHits) explain(at int32) *FusionScore {
	if h == nil {
		return nil
	}
	return &FusionScore{
		Alpha: min(max(h.alpha, 0), 1),
		Words: listScore(h.words, at), Meaning: listScore(h.meaning, at),
	}
}

func listScore(list []scored, at int32) (out ListScore) {
	if len(list) == 0 {
		return out
	}
	byScore := func(a, b scored) int { return cmp.Compare(a.Score, b.Score) }
	out.Least = slices.MinFunc(list, byScore).Score
	out.Greatest = slices.MaxFunc(list, byScore).Score
	i := slices.IndexFunc(list, func(it scored) bool { return it.Item == at })
	if i >= 0 {
		out.Value, out.Share = list[i].Score, scaled(list)[i]
	}
	return out
}

// scaled are the scores of a list, 1 for the greatest and 0 for the least. In a
// list of equals all are 1.
func scaled(list []scored) []float64 {
	out := make([]float64, len(list))
	if len(list) == 0 {
		return out
	}
	least, greatest := list[0].Score, list[0].Score
	for _, it := range list {
		least, greatest = min(least, it.Score), max(greatest, it.Score)
	}
	for i, it := range list {
		out[i] = 1
		if greatest > least {
			out[i] = (it.Score - least) / (greatest - least)
		}
	}
	return out
}
