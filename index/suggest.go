package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
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
	var out, vocabulary []string
	for _, w := range q.Words {
		for _, t := range a.Analyse(w) {
			if t.Stem == "" || words.IsStop(t.Term) || utf8.RuneCountInString(t.Term) < suggestFrom || x.holdsWord(ctx, v, t.Term) {
				continue
			}
			if vocabulary == nil {
				vocabulary = x.terms()
			}
			var like []string
			for _, c := range spelledLike(t.Term, vocabulary) {
				like = append(like, c.term)
			}
			if utf8.RuneCountInString(t.Term) > suggestFrom {
				like = append(like, begunLike(t.Term, vocabulary)...) // after what is misspelled
			}
			found := 0
			for _, c := range like[:min(len(like), suggestTried)] {
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

// spelling is a word, and how far it is from another.
type spelling struct {
	term     string
	distance int
}

// spelledLike are the words of vocabulary near to word, nearest first.
func spelledLike(word string, vocabulary []string) []spelling {
	var list []spelling
	letters := []rune(word)
	most := 1
	if len(letters) > 5 {
		most = 2
	}
	d := words.Speller{}
	for _, term := range vocabulary {
		if len(term) < len(word)-most*utf8.UTFMax || len(term) > len(word)+most*utf8.UTFMax {
			continue
		}
		n := utf8.RuneCountInString(term)
		if n < suggestFrom || n < len(letters)-most || n > len(letters)+most {
			continue
		}
		if distance := d.Distance(letters, []rune(term)); distance <= most {
			list = append(list, spelling{term, distance})
		}
	}
	slices.SortFunc(list, func(a, b spelling) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(len(a.term), len(b.term)), cmp.Compare(a.term, b.term))
	})
	return list
}

// begunLike are the words of vocabulary that begin with word, the shortest first.
func begunLike(word string, vocabulary []string) []string {
	var out []string
	for _, term := range vocabulary {
		if len(term) > len(word) && strings.HasPrefix(term, word) && utf8.RuneCountInString(term) <= utf8.RuneCountInString(word)+8 {
			out = append(out, term)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return out
}

// terms are the words of the index and the overlay, each once, in order, whatever
// view they are from.
func (x *Index) terms() []string {
	var out []string
	x.vocabulary(func(term string) { out = append(out, term) })
	slices.Sort(out)
	return slices.Compact(out)
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
