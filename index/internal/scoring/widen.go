package scoring

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
)

// A query is widened where the memories of the source spell its words otherwise:
// "github" finds GitHub as if it was typed so, and a word that no memory holds stands for those that are spelled like
// it. What becomes of a word follows from the memories of the source alone.

const (
	weightPart = 0.3  // the parts of a name that was typed as one word
	weightNear = 0.75 // words that are spelled like one that no memory holds

	longWord   = 8  // letters of a word of which two may be wrong
	maxWidened = 16 // words of a query that is widened: a pasted page is not
	nearWords  = 3  // words that stand for one that no memory holds
	nearFrom   = 4  // letters of a word from which others are near to it
	leastPart  = 2  // letters of a part of a name
)

// queryWord is a word of a query that may be widened.
type queryWord struct {
	term, stem string
	typed      string // what it is a part of
}

// widening is one query being widened.
type widening struct {
	*Ranking
	analyser *words.Analyser
	asTyped  bool      // a word that no memory holds stands for no others
	unheld   []Missing // words that no memory holds
}

// Widen adds to the plan what its words are in the memories of the source, and returns those that no
// memory holds. If asTyped is set they stand for no others.
func (r *Ranking) Widen(ctx context.Context, a *words.Analyser, asTyped bool) ([]Missing, error) {
	if len(r.words) > maxWidened {
		return nil, nil
	}
	w := &widening{Ranking: r, analyser: a, asTyped: asTyped}
	err := w.widen(ctx)
	return w.unheld, err
}

func (w *widening) widen(ctx context.Context) error {
	if _, err := w.learn(ctx, lookedUp(w.Terms)...); err != nil {
		return err
	}
	var missing []queryWord
	for _, q := range w.words {
		stem, exact := w.known[postings.Stem.Of(q.stem)], w.known[postings.Exact.Of(q.term)]
		if len(stem)+len(exact) == 0 {
			missing = append(missing, q)
			continue
		}
		if joined := w.without(exact, stem); len(joined) > 0 {
			if err := w.joined(ctx, q, stem, joined); err != nil {
				return err
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return w.missing(ctx, missing)
}

// joined makes of a word that memories also write as a name of several (GitHub)
// the same in both spellings.
func (w *widening) joined(ctx context.Context, q queryWord, stem, joined []postings.Hit) error {
	parts, err := w.parts(ctx, q.term, joined)
	if err != nil {
		return err
	}
	w.stand(postings.Stem, q.stem, w.union(stem, joined))
	if parts == nil {
		return nil
	}
	w.Marks[q.term] = true
	title, err := w.learn(ctx, postings.Title.Of(parts[0]), postings.Title.Of(parts[1]))
	if err != nil {
		return err
	}
	if len(stem) == 0 {
		w.add(postings.Stem, parts[0], weightPart)
		w.add(postings.Stem, parts[1], weightPart)
	}
	w.stand(postings.Title, q.stem, w.union(w.known[postings.Title.Of(q.stem)], w.both(title[0], title[1])))
	return nil
}

// parts are the stems of the two words that a word is written as where it is a
// name; nil when it is none of two that every one of these memories holds.
func (w *widening) parts(ctx context.Context, term string, joined []postings.Hit) ([]string, error) {
	splits := w.splits(term)
	for side := range 2 {
		terms := make([]postings.Term, len(splits))
		for i, stems := range splits {
			terms[i] = postings.Stem.Of(stems[side])
		}
		found, err := w.learn(ctx, terms...)
		if err != nil {
			return nil, err
		}
		var held [][]string
		for i, hits := range found {
			if len(w.both(joined, hits)) == len(joined) {
				held = append(held, splits[i])
			}
		}
		splits = held
	}
	if len(splits) == 0 {
		return nil, nil
	}
	return splits[0], nil
}

// splits are the stems of the two words that a word can be cut into.
func (w *widening) splits(term string) [][]string {
	var out [][]string
	for at := leastPart; at <= len(term)-leastPart; at++ {
		left, right := w.partStem(term[:at]), w.partStem(term[at:])
		if left != "" && right != "" {
			out = append(out, []string{left, right})
		}
	}
	return out
}

// partStem is the stem of a text that is one word and no stop word, else "".
func (w *widening) partStem(text string) string {
	if t := w.analyser.Plain(text); len(t) == 1 && !words.IsStop(t[0].Term) {
		return t[0].Stem
	}
	return ""
}

// missing finds what stands for words that no memory holds.
func (w *widening) missing(ctx context.Context, missing []queryWord) error {
	for _, q := range missing {
		part := func(o queryWord) bool { return o.typed == q.typed }
		all, gone := count(w.words, part), count(missing, part)
		if all > 1 { // an identifier, of which others may hold a part
			if all == gone && !slices.ContainsFunc(w.unheld, func(m Missing) bool { return m.Word == q.typed }) {
				w.unheld = append(w.unheld, Missing{Word: q.typed})
			}
			continue
		}
		note := Missing{Word: q.term}
		if !w.asTyped && spellable(q.term) {
			near, err := w.near(ctx, q.term)
			if err != nil {
				return err
			}
			var hits []postings.Hit
			for _, n := range near {
				hits, note.Near = w.union(hits, n.hits), append(note.Near, n.term)
				w.Marks[n.term], w.Marks[n.stem] = true, true
				w.alias[n.stem] = q.stem
			}
			if len(hits) > 0 {
				w.stand(postings.Stem, q.stem, hits)
				w.weigh(postings.Stem, q.stem, weightNear)
			}
		}
		w.unheld = append(w.unheld, note)
	}
	return nil
}

func count(list []queryWord, holds func(queryWord) bool) int {
	n := 0
	for _, q := range list {
		if holds(q) {
			n++
		}
	}
	return n
}

// Missing is a word that no memory of the view holds, and what stands for it.
type Missing struct {
	Word string
	Near []string
}

// nearWord is a word of the view that is spelled like another.
type nearWord struct {
	queryWord
	hits []postings.Hit
}

// near are the words of the source that are spelled like word: of those with the
// fewest letters changed the ones that most memories hold.
func (w *widening) near(ctx context.Context, word string) ([]nearWord, error) {
	candidates, err := SpelledLike(ctx, w.source, word)
	if err != nil {
		return nil, err
	}
	candidates = lists.Where(candidates, func(c Spelling) bool { return likely(word, c) })
	for len(candidates) > 0 {
		n := 0
		for n < len(candidates) && candidates[n].Distance == candidates[0].Distance {
			n++
		}
		held, err := w.held(ctx, candidates[:n])
		if err != nil {
			return nil, err
		}
		if len(held) > 0 {
			lists.Sort(held, func(a, b nearWord) int { return cmp.Compare(len(b.hits), len(a.hits)) })
			return held[:min(len(held), nearWords)], nil
		}
		candidates = candidates[n:]
	}
	return nil, nil
}

// likely reports whether who typed word may have meant another one. Hardly anybody mistypes the
// first letter, and a word of middle length with two letters changed is another word, "parent" is
// no "payment", unless one of them is the s of a plural.
func likely(word string, c Spelling) bool {
	_, n := utf8.DecodeRuneInString(word)
	plural := strings.HasSuffix(word, "s") != strings.HasSuffix(c.Term, "s")
	return strings.HasPrefix(c.Term, word[:n]) &&
		(c.Distance < 2 || plural || utf8.RuneCountInString(word) >= longWord)
}

// held are the words of a list that some memories hold, of each stem the first.
func (w *widening) held(ctx context.Context, list []Spelling) ([]nearWord, error) {
	stems, terms := make([]postings.Term, len(list)), make([]postings.Term, len(list))
	for i, c := range list {
		stems[i], terms[i] = postings.Stem.Of(w.stemOf(c.Term)), postings.Exact.Of(c.Term)
	}
	found, err := w.learn(ctx, stems...)
	if err != nil {
		return nil, err
	}
	var rare []postings.Term // words that are not found by their stem
	for i, hits := range found {
		if len(hits) == 0 {
			rare = append(rare, terms[i])
		}
	}
	if _, err := w.learn(ctx, rare...); err != nil {
		return nil, err
	}
	var out []nearWord
	for i, c := range list {
		n := nearWord{queryWord{term: c.Term, stem: stems[i].Text}, found[i]}
		if len(n.hits) == 0 {
			n.hits = w.known[terms[i]]
		}
		same := func(o nearWord) bool { return o.stem == n.stem }
		if len(n.hits) > 0 && !slices.ContainsFunc(out, same) {
			out = append(out, n)
		}
	}
	return out, nil
}

// stemOf is the stem of a term that is one word, and of any other the term itself.
func (w *widening) stemOf(term string) string {
	if t := w.analyser.Plain(term); len(t) == 1 {
		return t[0].Stem
	}
	return term
}

// stand makes hits what a term of the plan finds.
func (w *widening) stand(f postings.Field, term string, hits []postings.Hit) {
	w.known[f.Of(term)] = hits
}

func (w *widening) weigh(f postings.Field, term string, weight float64) {
	for i := range w.Terms {
		if t := &w.Terms[i]; t.Term == f.Of(term) {
			t.Weight = weight
		}
	}
}

// spellable reports whether a word is one of letters alone: of numbers and codes,
// what is spelled alike is something else.
func spellable(term string) bool {
	letters := strings.TrimLeftFunc(term, unicode.IsLetter) == ""
	return letters && utf8.RuneCountInString(term) >= nearFrom
}

// mark calls do while marks say of each item how often it is among hits.
func (w *widening) mark(hits []postings.Hit, do func(marks []uint32)) {
	for _, h := range hits {
		w.marks[h.Item] = h.Freq
	}
	do(w.marks)
	for _, h := range hits {
		w.marks[h.Item] = 0
	}
}

// union are the hits of either, the larger frequency where both have one.
func (w *widening) union(a, b []postings.Hit) []postings.Hit {
	out := slices.Clone(a)
	w.mark(b, func(marks []uint32) {
		for i := range out {
			out[i].Freq = max(out[i].Freq, marks[out[i].Item])
		}
	})
	return append(out, w.sift(b, a, false)...)
}

// both are the hits of a whose items b has too.
func (w *widening) both(a, b []postings.Hit) []postings.Hit { return w.sift(a, b, true) }

// without are the hits of a whose items b does not have.
func (w *widening) without(a, b []postings.Hit) []postings.Hit { return w.sift(a, b, false) }

func (w *widening) sift(a, b []postings.Hit, want bool) (out []postings.Hit) {
	w.mark(b, func(marks []uint32) {
		for _, h := range a {
			if (marks[h.Item] > 0) == want {
				out = append(out, h)
			}
		}
	})
	return out
}
