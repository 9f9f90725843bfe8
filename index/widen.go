package index

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/index/internal/work"
	"github.com/git-cortex/cortex/internal/order"
	"github.com/git-cortex/cortex/internal/words"
)

// A query is widened where the memories of the view spell its words otherwise:
// "github" finds GitHub as if it was typed so, and a word that no memory holds stands for those that are spelled like
// it. What becomes of a word follows from the memories of the view alone.

const (
	weightPart = 0.3  // the parts of a name that was typed as one word
	weightNear = 0.75 // words that are spelled like one that no memory holds

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
	*search
	ranking *ranking
	found   map[postings.Term][]postings.Hit
	marks   []uint32 // see marked
}

// widen adds to the plan what its words are in the memories of the view.
func (s *search) widen(r *ranking) error {
	p := s.plan
	if len(p.words) > maxWidened {
		return nil
	}
	s.unheld = nil
	w := &widening{search: s, ranking: r, found: map[postings.Term][]postings.Hit{}}
	if err := w.prefetch(); err != nil {
		return err
	}
	var missing []queryWord
	for _, q := range p.words {
		stem, exact := w.found[postings.Stem.Of(q.stem)], w.found[postings.Exact.Of(q.term)]
		if len(stem)+len(exact) == 0 {
			missing = append(missing, q)
			continue
		}
		if joined := w.without(exact, stem); len(joined) > 0 {
			if err := w.joined(q, stem, joined); err != nil {
				return err
			}
		}
	}
	r.known = w.found
	if len(missing) == 0 {
		return nil
	}
	return w.missing(missing)
}

// prefetch looks the terms of the plan up, on all cores.
func (w *widening) prefetch() error {
	terms := w.plan.terms
	hits := make([][]postings.Hit, len(terms))
	err := work.ShareErr(len(terms), func(next func() (int, bool)) (err error) {
		for i, ok := next(); ok; i, ok = next() {
			if hits[i], err = w.ranking.lookup(terms[i].field, terms[i].term); err != nil {
				return err
			}
		}
		return nil
	})
	for i, t := range terms {
		w.found[t.field.Of(t.term)] = hits[i]
	}
	return err
}

// lookup are the items of the view that hold a term.
func (w *widening) lookup(f postings.Field, term string) ([]postings.Hit, error) {
	key := f.Of(term)
	hits, ok := w.found[key]
	if ok {
		return hits, nil
	}
	hits, err := w.ranking.lookup(f, term)
	w.found[key] = hits
	return hits, err
}

// joined makes of a word that memories also write as a name of several (GitHub)
// the same in both spellings.
func (w *widening) joined(q queryWord, stem, joined []postings.Hit) error {
	left, right, err := w.parts(q.term, joined)
	if err != nil {
		return err
	}
	w.stand(postings.Stem, q.stem, w.union(stem, joined))
	if left == "" {
		return nil
	}
	w.plan.marks[q.term] = true
	var title [2][]postings.Hit
	for i, part := range []string{left, right} {
		if title[i], err = w.lookup(postings.Title, part); err != nil {
			return err
		}
		if len(stem) == 0 {
			w.plan.add(postings.Stem, part, weightPart)
		}
	}
	w.stand(postings.Title, q.stem, w.union(w.found[postings.Title.Of(q.stem)], w.both(title[0], title[1])))
	return nil
}

// parts are the stems of the two words that a word is written as where it is a
// name; "" when it is none of two that every one of these memories holds.
func (w *widening) parts(term string, joined []postings.Hit) (left, right string, err error) {
	a := w.index.ranker.borrow()
	defer w.index.ranker.giveBack(a)
	for at := leastPart; at <= len(term)-leastPart; at++ {
		var stems [2]string
		for i, part := range []string{term[:at], term[at:]} {
			if t := a.Plain(part); len(t) == 1 && !words.IsStop(t[0].Term) {
				stems[i] = t[0].Stem
			}
		}
		if stems[0] == "" || stems[1] == "" {
			continue
		}
		rest := joined
		for _, stem := range stems {
			hits, err := w.lookup(postings.Stem, stem)
			if err != nil {
				return "", "", err
			}
			if rest = w.both(rest, hits); len(rest) < len(joined) {
				break
			}
		}
		if len(rest) == len(joined) {
			return stems[0], stems[1], nil
		}
	}
	return "", "", nil
}

// missing finds what stands for words that no memory holds, beside others that
// some do.
func (w *widening) missing(missing []queryWord) error {
	p := w.plan
	good := len(missing) < len(p.words)
	for _, q := range missing {
		part := func(o queryWord) bool { return o.typed == q.typed }
		all, gone := count(p.words, part), count(missing, part)
		if all > 1 { // an identifier, of which others may hold a part
			if all == gone && !slices.ContainsFunc(w.unheld, func(m missingWord) bool { return m.word == q.typed }) {
				w.unheld = append(w.unheld, missingWord{word: q.typed})
			}
			continue
		}
		note := missingWord{word: q.term}
		if good && !w.opt.AsTyped && spellable(q.term) {
			near, err := w.near(q.term)
			if err != nil {
				return err
			}
			var hits []postings.Hit
			for _, n := range near {
				hits, note.near = w.union(hits, n.hits), append(note.near, n.term)
				p.marks[n.term], p.marks[n.stem] = true, true
				p.alias[n.stem] = q.stem
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

// missingWord is a word that no memory of the view holds, and what stands for it.
type missingWord struct {
	word string
	near []string
}

// hinted are the hints of a search, and which words no memory holds.
func (s *search) hinted() []string {
	out := s.hints
	var none []string
	for _, m := range s.unheld {
		if len(m.near) == 0 {
			none = append(none, strconv.Quote(m.word))
			continue
		}
		near := strings.Join(m.near, ", ")
		out = append(out, fmt.Sprintf("no memory holds %q: searched for %s instead", m.word, near))
	}
	if len(none) > 0 && s.total > 0 {
		out = append(out, "no memory holds "+strings.Join(none, ", "))
	}
	return out
}

// nearWord is a word of the view that is spelled like another.
type nearWord struct {
	queryWord
	distance int
	hits     []postings.Hit
}

// near are the words of the view that are spelled like word: of those with the
// fewest letters changed the ones that most memories hold.
func (w *widening) near(word string) ([]nearWord, error) {
	a := w.index.ranker.borrow()
	defer w.index.ranker.giveBack(a)
	var out []nearWord
	for _, c := range w.index.near(word) {
		if len(out) > 0 && out[0].distance < c.distance {
			break
		}
		n := nearWord{queryWord{term: c.term, stem: c.term}, c.distance, nil}
		if t := a.Plain(c.term); len(t) == 1 {
			n.stem = t[0].Stem
		}
		var err error
		if n.hits, err = w.lookup(postings.Stem, n.stem); err == nil && len(n.hits) == 0 {
			n.hits, err = w.lookup(postings.Exact, n.term)
		}
		if err != nil {
			return nil, err
		}
		same := func(o nearWord) bool { return o.stem == n.stem }
		if len(n.hits) > 0 && !slices.ContainsFunc(out, same) {
			out = append(out, n)
		}
	}
	order.Sort(out, func(a, b nearWord) int { return cmp.Compare(len(b.hits), len(a.hits)) })
	return out[:min(len(out), nearWords)], nil
}

// stand makes hits what a term of the plan finds.
func (w *widening) stand(f postings.Field, term string, hits []postings.Hit) {
	w.found[f.Of(term)] = hits
}

func (w *widening) weigh(f postings.Field, term string, weight float64) {
	for i := range w.plan.terms {
		if t := &w.plan.terms[i]; t.field == f && t.term == term {
			t.weight = weight
		}
	}
}

// spellable reports whether a word is one of letters alone: of numbers and codes,
// what is spelled alike is something else.
func spellable(term string) bool {
	letters := strings.TrimLeftFunc(term, unicode.IsLetter) == ""
	return letters && utf8.RuneCountInString(term) >= nearFrom
}

// marked calls do while marks say of each item how often it is among hits.
func (w *widening) marked(hits []postings.Hit, do func(marks []uint32)) {
	if w.marks == nil {
		w.marks = mapped.Zeroes[uint32](len(w.items))
	}
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
	w.marked(b, func(marks []uint32) {
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
	w.marked(b, func(marks []uint32) {
		for _, h := range a {
			if (marks[h.Item] > 0) == want {
				out = append(out, h)
			}
		}
	})
	return out
}
