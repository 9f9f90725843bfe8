package index

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/index/internal/words"
	"github.com/git-cortex/cortex/index/query"
)

const (
	suggestWords = 3 // words that are suggested for one
	suggestTried = 8 // candidates that are looked up for them
	suggestFrom  = 3 // letters of a word from which others are near to it
)

// Nearest finds words of the memories of v that are spelled like those of q that
// none of them holds: one letter changed, left out, added or swapped, two in a
// long word, or begun alike. Nearest first, for each word in turn.
func (x *Index) Nearest(ctx context.Context, v View, q query.Query) []string {
	a := x.borrow()
	defer x.giveBack(a)
	var out []string
	for _, w := range q.Words {
		for _, t := range a.Analyse(w) {
			if t.Stem == "" || words.IsStop(t.Term) || utf8.RuneCountInString(t.Term) < suggestFrom || x.holdsWord(ctx, v, t.Term) {
				continue
			}
			found := 0
			for _, c := range x.spelledLike(t.Term) {
				if found < suggestWords && !slices.Contains(out, c) && x.holdsWord(ctx, v, c) {
					out = append(out, c)
					found++
				}
			}
		}
	}
	return out
}

func (x *Index) holdsWord(ctx context.Context, v View, word string) bool {
	r, err := x.Search(ctx, v, query.Query{Words: []string{word}}, SearchOptions{Limit: 1})
	return err == nil && r.Total > 0
}

// spelledLike are terms of the index near to word, nearest first.
func (x *Index) spelledLike(word string) []string {
	type candidate struct {
		term     string
		distance int
	}
	var list []candidate
	letters := []rune(word)
	most := 1
	if len(letters) > 5 {
		most = 2
	}
	d := speller{}
	seen := map[string]bool{}
	x.vocabulary(func(term string) {
		n := utf8.RuneCountInString(term)
		if n < suggestFrom || n > len(letters)+8 || seen[term] {
			return
		}
		seen[term] = true
		distance := most + 1
		if n >= len(letters)-most && n <= len(letters)+most {
			distance = d.distance(letters, []rune(term))
		}
		if distance > most && len(letters) > suggestFrom && len(term) > len(word) && term[:len(word)] == word {
			distance = most + 1 // begun alike: after what is misspelled
		} else if distance > most {
			return
		}
		list = append(list, candidate{term, distance})
	})
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(len(a.term), len(b.term)), cmp.Compare(a.term, b.term))
	})
	var out []string
	for _, c := range list[:min(len(list), suggestTried)] {
		out = append(out, c.term)
	}
	return out
}

// vocabulary calls visit for the words of the index and the overlay, some of
// them twice, whatever view they are from.
func (x *Index) vocabulary(visit func(term string)) {
	if s := x.segments(); s != nil {
		defer s.Close()
		s.Terms(postings.Exact, visit)
	}
	x.overlayMu.Lock()
	defer x.overlayMu.Unlock()
	x.overlay.Terms(postings.Exact, visit)
}

// speller counts edits between words; its rows are used again.
type speller struct{ before, last, row []int }

// distance is the optimal string alignment distance of a and b: letters
// changed, left out, added, or swapped with their neighbour.
func (s *speller) distance(a, b []rune) int {
	reset := func(r []int) []int { return append(r[:0], make([]int, len(b)+1)...) }
	s.before, s.last, s.row = reset(s.before), reset(s.last), reset(s.row)
	for j := range s.last {
		s.last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		s.row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			s.row[j] = min(s.last[j]+1, s.row[j-1]+1, s.last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				s.row[j] = min(s.row[j], s.before[j-2]+1)
			}
		}
		s.before, s.last, s.row = s.last, s.row, s.before
	}
	return s.last[len(b)]
}
