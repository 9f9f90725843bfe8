package index

import "slices"

// Explanation breaks the score of a hit down into the very numbers it was computed
// from, so that they give the score again:
//
//	score = (sum of terms + sum of pairs) × prior × lean × name
//
// Where vectors had a part this product is fusion.words.value, and the score is the sum
// in [FusionScore].
type Explanation struct {
	Terms []TermScore `json:"terms"` // in order of the query
	Pairs []PairScore `json:"pairs"`
	Words float64     `json:"words"`           // sum of terms and pairs
	Prior float64     `json:"prior"`           // factor of the memory's rank: 1 to 1.1
	Lean  float64     `json:"lean"`            // factor of what plain words asked for: 1, or less for what is not that
	Name  float64     `json:"name"`            // factor of what the query names: 1, or more where that is in named
	Named []string    `json:"named,omitempty"` // entities and files of the memory that the query names

	Fusion *FusionScore `json:"fusion,omitempty"` // nil when words alone made the score
}

// TermScore is the part of a score that one term of the query adds, by BM25 over one
// field.
type TermScore struct {
	Field  string  `json:"field"` // stem, exact or title
	Term   string  `json:"term"`
	Weight float64 `json:"weight"` // of the field
	IDF    float64 `json:"idf"`
	Docs   int     `json:"docs"`   // memories of the view that hold the term
	Freq   int     `json:"freq"`   // how often this one does
	Length int     `json:"length"` // words in the field
	Score  float64 `json:"score"`  // weight × idf × BM25
}

// PairScore is the part of a score that two neighbouring words of the query add if
// they are neighbours in the memory too.
type PairScore struct {
	Words [2]string `json:"words"` // stems
	Freq  int       `json:"freq"`
	Score float64   `json:"score"`
}

// fieldTitles are the names of fields in explanations.
func fieldTitles() [Fields]string { return [...]string{"stem", "exact", "title"} }

// trace keeps the pairs that were found while a search is scored, by place; nil keeps none.
type trace map[int32][]PairScore

func (t trace) pair(at int32, words [2]string, freq uint32, score float64) {
	if t != nil {
		t[at] = append(t[at], PairScore{Words: words, Freq: int(freq), Score: score})
	}
}

// explain puts together why an item has its score; nil unless asked for.
func (s *search) explain(at int32) *Explanation {
	r := s.ranking
	if !s.opt.Explain || r == nil && s.vector == nil {
		return nil
	}
	factor, _ := s.leaning.factor(at)
	out := &Explanation{
		Terms: []TermScore{}, Pairs: []PairScore{}, Prior: s.boost(at), Lean: factor,
		Name: nameFactor(s.named[at]), Named: s.named[at], Fusion: s.vector.explain(at),
	}
	if r == nil { // no words to score by
		return out
	}
	for i, t := range s.plan.Terms {
		hits := r.Hits[i]
		k := slices.IndexFunc(hits, func(h Posting) bool { return h.Item == at })
		if k < 0 {
			continue
		}
		weight, score, length := r.Measure(t, at, len(hits), hits[k].Freq)
		term := TermScore{
			Field: fieldTitles()[t.Field], Term: t.Text, Weight: t.Weight, IDF: weight, Docs: len(hits),
			Freq: int(hits[k].Freq), Length: int(length), Score: score,
		}
		out.Terms = append(out.Terms, term)
		out.Words += term.Score
	}
	for _, p := range s.trace[at] {
		out.Pairs = append(out.Pairs, p)
		out.Words += p.Score
	}
	return out
}
