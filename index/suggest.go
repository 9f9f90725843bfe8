package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/order"
	"github.com/git-cortex/cortex/internal/words"
)

const (
	suggestWords = 3 // words that are suggested for one
	suggestTried = 8 // candidates that are looked up for them
	suggestFrom  = 3 // letters of a word from which others are near to it
)

// Nearest finds words of the memories of v that are spelled like those of q that
// none of them holds: one letter changed, left out, added or swapped, two in a
// long word, or begun alike. Nearest first, for each word in turn, with the accents
// that a memory writes them with.
func (x *Index) Nearest(ctx context.Context, v View, q query.Query) []string {
	a := x.ranker.borrow()
	defer x.ranker.giveBack(a)
	var out []string
	for _, w := range q.Words {
		for _, t := range a.Analyse(w) {
			if isSpelled(t) && x.spelled(ctx, v, t.Term) == "" {
				out = append(out, x.suggest(ctx, v, t.Term, out)...)
			}
		}
	}
	return out
}

// isSpelled reports whether a token is a word of which others may be meant.
func isSpelled(t words.Token) bool {
	return t.Stem != "" && utf8.RuneCountInString(t.Term) >= suggestFrom && !words.IsStop(t.Term)
}

// suggest finds words for one that no memory of v holds, but for those that are known.
func (x *Index) suggest(ctx context.Context, v View, term string, known []string) []string {
	var like, out []string
	for _, c := range x.near(term) {
		like = append(like, c.term)
	}
	if utf8.RuneCountInString(term) > suggestFrom {
		like = append(like, x.begun(term)...) // after what is misspelled
	}
	for _, c := range like[:min(len(like), suggestTried)] {
		if len(out) == suggestWords {
			break
		}
		c = x.spelled(ctx, v, c)
		if c != "" && !slices.Contains(slices.Concat(known, out), c) {
			out = append(out, c)
		}
	}
	return out
}

// spelled is a term as the best of the memories that hold it writes it, in small letters;
// "" when none does.
func (x *Index) spelled(ctx context.Context, v View, term string) string {
	r, err := x.Search(ctx, v, query.Query{Words: []string{term}}, SearchOptions{Limit: 1})
	if err != nil || r.Total == 0 {
		return ""
	}
	a := x.ranker.borrow()
	defer x.ranker.giveBack(a)
	for _, h := range r.Hits { // none, where it cannot be read
		text := h.Memory.Title + "\n" + h.Memory.Text
		for _, t := range a.Analyse(text) {
			if t.Term == term {
				return strings.ToLower(text[t.Start:t.End])
			}
		}
	}
	return term
}

// spelling is a word, and how far it is from another.
type spelling struct {
	term     string
	distance int
}

// edits is how many edits a word that is spelled like word may be away from it.
func edits(word string) int {
	if utf8.RuneCountInString(word) > 5 {
		return 2
	}
	return 1
}

// spelledLike are the words of vocabulary near to word, nearest first.
func spelledLike(word string, vocabulary []string) []spelling {
	var list []spelling
	near, most := words.NewNear(word, edits(word)), edits(word)
	for _, term := range vocabulary {
		distance := near.Distance(term)
		if distance <= most && utf8.RuneCountInString(term) >= suggestFrom {
			list = append(list, spelling{term, distance})
		}
	}
	order.Sort(list, func(a, b spelling) int {
		return cmp.Or(
			cmp.Compare(a.distance, b.distance), cmp.Compare(len(a.term), len(b.term)), cmp.Compare(a.term, b.term),
		)
	})
	return list
}

// begunLike are the words of vocabulary that begin with word, the shortest first.
func begunLike(word string, vocabulary []string) []string {
	var out []string
	for _, term := range vocabulary {
		rest, begins := strings.CutPrefix(term, word)
		if begins && rest != "" && utf8.RuneCountInString(rest) <= 8 {
			out = append(out, term)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return out
}

// near are words of the index and the overlay that are spelled like word, nearest
// first, whatever view they are from.
func (x *Index) near(word string) []spelling {
	return spelledLike(word, x.terms(
		func(s *postings.Segments, visit func(string)) { s.Near(postings.Exact, word, edits(word), visit) }))
}

// begun are those that begin with word, the shortest first.
func (x *Index) begun(word string) []string {
	return begunLike(word, x.terms(
		func(s *postings.Segments, visit func(string)) { s.Begun(postings.Exact, word, visit) }))
}

// terms are the words of the index that find visits and all of the overlay, each once.
func (x *Index) terms(find func(s *postings.Segments, visit func(term string))) []string {
	var out []string
	add := func(term string) { out = append(out, term) }
	if s := x.segments(); s != nil {
		defer s.Close()
		find(s, add)
	}
	x.overlayMu.Lock()
	defer x.overlayMu.Unlock()
	x.overlay.Terms(postings.Exact, add)
	slices.Sort(out)
	return slices.Compact(out)
}
