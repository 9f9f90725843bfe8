package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-cortex/cortex/index/internal/scoring"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
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
	var out []string
	_ = x.over(ctx, v, SearchOptions{}, func(from *stored) (err error) {
		out, err = x.ranker.Nearest(ctx, from, q)
		return err
	})
	return out
}

// Nearest is [Index.Nearest] of the memories of a source.
func (r *Ranker) Nearest(ctx context.Context, from Source, q query.Query) ([]string, error) {
	a := r.borrow()
	defer r.giveBack(a)
	var out []string
	for _, w := range q.Words {
		for _, t := range a.Analyse(w) {
			if !isSpelled(t) {
				continue
			}
			written, err := r.spelled(ctx, from, t.Term)
			if err == nil && written == "" {
				out, err = r.suggest(ctx, from, t.Term, out)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// isSpelled reports whether a token is a word of which others may be meant.
func isSpelled(t words.Token) bool {
	return t.Stem != "" && utf8.RuneCountInString(t.Term) >= suggestFrom && !words.IsStop(t.Term)
}

// suggest adds to known words for one that no memory of the source holds.
func (r *Ranker) suggest(ctx context.Context, from Source, term string, known []string) ([]string, error) {
	near, err := scoring.SpelledLike(ctx, from, term)
	if err != nil {
		return nil, err
	}
	var like []string
	for _, c := range near {
		like = append(like, c.Term)
	}
	if utf8.RuneCountInString(term) > suggestFrom {
		begun, err := begunLike(ctx, from, term)
		if err != nil {
			return nil, err
		}
		like = append(like, begun...) // after what is misspelled
	}
	most := len(known) + suggestWords
	for _, c := range like[:min(len(like), suggestTried)] {
		if len(known) == most {
			break
		}
		written, err := r.spelled(ctx, from, c)
		if err != nil {
			return nil, err
		}
		if written != "" && !slices.Contains(known, written) {
			known = append(known, written)
		}
	}
	return known, nil
}

// spelled is a term as the best of the memories that hold it writes it, in small letters;
// "" when none does.
func (r *Ranker) spelled(ctx context.Context, from Source, term string) (string, error) {
	found, err := r.Rank(ctx, from, query.Query{Words: []string{term}}, SearchOptions{Limit: 1, AsTyped: true})
	if err != nil || found.Total == 0 {
		return "", err
	}
	a := r.borrow()
	defer r.giveBack(a)
	for _, h := range found.Hits { // none, where it cannot be read
		text := h.Memory.Title + "\n" + h.Memory.Text
		for _, t := range a.Analyse(text) {
			if t.Term == term {
				return strings.ToLower(text[t.Start:t.End]), nil
			}
		}
	}
	return term, nil
}

// begunLike are the words of a source that begin with word, the shortest first.
func begunLike(ctx context.Context, from Source, word string) ([]string, error) {
	vocabulary, err := from.Begun(ctx, word)
	if err != nil {
		return nil, err
	}
	slices.Sort(vocabulary)
	var out []string
	for _, term := range slices.Compact(vocabulary) {
		rest, begins := strings.CutPrefix(term, word)
		if begins && rest != "" && utf8.RuneCountInString(rest) <= 8 {
			out = append(out, term)
		}
	}
	lists.Sort(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return out, nil
}
