package index

import (
	"context"
	"maps"
	"slices"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// phrase is a run of words as written, none left out.
type phrase []string

func phraseOf(a *words.Analyser, s string) phrase {
	var p phrase
	for _, t := range a.Analyse(s) {
		if t.Stem != "" {
			p = append(p, t.Term)
		}
	}
	return p
}

// required returns the phrases that each result must hold; none where quoted words need
// not stand together.
func (s *search) required(a *words.Analyser) []phrase {
	if s.loose {
		return nil
	}
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
func (s *search) exclude(ctx context.Context) error {
	for i := range s.not {
		var terms []Term
		for _, term := range s.not[i].phrase {
			terms = append(terms, ExactField.Of(term))
		}
		found, err := s.ranking.Find(ctx, terms)
		if err != nil {
			return err
		}
		var both map[int32]bool
		for _, hits := range found {
			next := map[int32]bool{}
			for _, h := range hits {
				if both == nil || both[h.Item] {
					next[h.Item] = true
				}
			}
			both = next
		}
		s.not[i].items = both
	}
	return nil
}

// inOrder are the phrases that a memory with all words of e must hold: none where that is one word.
func (e *excluded) inOrder() []phrase {
	if len(e.phrase) == 1 {
		return nil
	}
	return []phrase{e.phrase}
}

// excluded are the memories that hold something the query excludes.
func (s *search) excluded(ctx context.Context, a *words.Analyser) (map[int32]bool, error) {
	out := map[int32]bool{}
	for _, e := range s.not {
		held, err := s.holding(ctx, a, slices.Collect(maps.Keys(e.items)), e.inOrder())
		if err != nil {
			return nil, err
		}
		for _, at := range held {
			out[at] = true
		}
	}
	return out, nil
}

// holding are those of places that hold every phrase.
func (s *search) holding(ctx context.Context, a *words.Analyser, places []int32, phrases []phrase) ([]int32, error) {
	if len(phrases) == 0 {
		return places, nil
	}
	if err := s.read(ctx, places); err != nil {
		return nil, err
	}
	return lists.Without(places, func(at int32) bool {
		return slices.ContainsFunc(phrases, func(p phrase) bool { return !holdsPhrase(a, s.texts[at], p) })
	}), nil
}

// parts are the texts of a memory that words are searched in. Words of two
// parts are never neighbours.
func parts(m *memory.Memory) []string {
	out := []string{m.Title, m.Text}
	return append(append(append(out, m.Tags...), m.Entities...), m.Files...)
}

func holdsPhrase(a *words.Analyser, m *memory.Memory, p phrase) bool {
	if m == nil {
		return false
	}
	for _, part := range parts(m) {
		var words []string
		for _, t := range a.Analyse(part) {
			if t.Stem != "" {
				words = append(words, t.Term)
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
