package scoring

import (
	"maps"
	"slices"

	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
)

// maxQueryTerms bounds the work of a pasted page.
const maxQueryTerms = 256

// Term is a term of a query.
type Term struct {
	postings.Term
	Weight float64 // of its field
}

// Plan is a query taken apart for ranking.
type Plan struct {
	Terms []Term
	Marks map[string]bool // stems and exact terms to highlight
	Pairs []Pair

	words []queryWord
	alias map[string]string // by stem: the stem of the query that it stands for
	bits  map[string]uint64 // of the first 64 stems, in the masks of a ranking

	// pairMasks are the bits of both stems of a pair; 0 when one has none.
	pairMasks []uint64
}

// NewPlan takes the words of a query apart.
func NewPlan(a *words.Analyser, query []string) *Plan {
	p := &Plan{Marks: map[string]bool{}, alias: map[string]string{}}
	var tokens []words.Token
	var typed []string // by token
	for _, w := range query {
		for _, t := range a.Analyse(w) {
			tokens, typed = append(tokens, t), append(typed, w)
		}
	}
	meaning := slices.ContainsFunc(tokens, func(t words.Token) bool { return t.Stem != "" && !words.IsStop(t.Term) })
	bits := map[string]uint64{}
	prev := ""
	for i, t := range tokens {
		switch {
		case t.Stem == "":
			p.add(postings.Exact, t.Term, weightCompound)
			p.Marks[t.Term] = true
			continue
		case meaning && words.IsStop(t.Term):
			continue
		}
		p.words = append(p.words, queryWord{t.Term, t.Stem, typed[i]})
		if !p.Marks[t.Stem] && len(bits) < 64 {
			bits[t.Stem] = 1 << len(bits)
		}
		p.add(postings.Stem, t.Stem, 1)
		p.add(postings.Exact, t.Term, weightExact)
		p.add(postings.Title, t.Stem, weightTitle)
		p.Marks[t.Stem] = true
		p.addPair(Pair{prev, t.Stem}, bits)
		prev = t.Stem
	}
	p.bits = bits
	return p
}

// Leave takes the words of phrases out of those that may be widened.
func (p *Plan) Leave(a *words.Analyser, phrases []string) {
	for _, phrase := range phrases {
		for _, t := range a.Analyse(phrase) {
			p.words = lists.Without(p.words, func(q queryWord) bool { return q.term == t.Term })
		}
	}
}

func (p *Plan) add(f postings.Field, term string, weight float64) {
	known := slices.ContainsFunc(p.Terms, func(t Term) bool { return t.Term == f.Of(term) })
	if !known && len(p.Terms) < maxQueryTerms {
		p.Terms = append(p.Terms, Term{f.Of(term), weight})
	}
}

func (p *Plan) addPair(two Pair, bits map[string]uint64) {
	known := two[0] == "" || two[0] == two[1] || slices.Contains(p.Pairs, two)
	if known {
		return
	}
	p.Pairs = append(p.Pairs, two)
	p.pairMasks = append(p.pairMasks, maskOf(bits[two[0]], bits[two[1]]))
}

// maskOf has the bits of two words; none if one of them has none.
func maskOf(a, b uint64) uint64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a | b
}

// Pair is two neighbouring words of a query, as stems, stop words left out.
type Pair [2]string

// CountPairs counts the pairs of the plan in a text, each at its place in counts. Most words are none of the
// query, and are passed over before anything is looked up.
func (p *Plan) CountPairs(a *words.Analyser, text string, counts []uint32) {
	prev := "" // the word before, if it is one of the query
	for _, t := range a.Plain(text) {
		stem := p.stemFor(t.Stem)
		marked := a.Near.May(stem) && p.Marks[stem]
		if !marked && prev == "" {
			continue
		}
		switch {
		case words.IsStop(t.Term):
		case !marked:
			prev = ""
		default:
			if i := slices.Index(p.Pairs, Pair{prev, stem}); i >= 0 {
				counts[i]++
			}
			prev = stem
		}
	}
}

// stemFor is the stem of the query that a stem stands for, which is mostly itself.
func (p *Plan) stemFor(stem string) string {
	if of, ok := p.alias[stem]; ok {
		return of
	}
	return stem
}

// Near is how the stems of pairs begin.
func (p *Plan) Near() *words.Prefixes {
	var stems []string
	for _, two := range p.Pairs {
		stems = append(stems, two[0], two[1])
	}
	return words.PrefixesOf(slices.AppendSeq(stems, maps.Keys(p.alias)))
}
