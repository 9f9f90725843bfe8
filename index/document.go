package index

import (
	"strings"
	"sync"

	"github.com/git-cortex/cortex/memory"
)

// field is one searched field of a memory.
type field uint8

// The fields. Their names in the Bluge index are those of fieldName.
const (
	fieldStem  field = iota // stems of everything
	fieldExact              // the same words as written, and compounds
	fieldTitle              // stems of the title
	fieldCount
)

func (f field) name() string { return "sxt"[f : f+1] }

// termFreq says how often a term occurs in a field.
type termFreq struct {
	term string
	freq uint32
}

// document is an analysed memory: what the index stores of it.
type document struct {
	blob   string
	terms  [fieldCount][]termFreq // in order of first occurrence
	length [fieldCount]uint32     // words, not compounds
}

// documentOf analyses m.
func documentOf(a *analyser, blob string, m *memory.Memory) *document {
	d := &document{blob: blob}
	c := counter{doc: d}
	for i := range c.at {
		c.at[i] = map[string]int{}
	}
	c.add(a.analyse(m.Title), true)
	c.add(a.analyse(m.Text), false)
	for _, list := range [][]string{m.Tags, m.Entities, m.Files} {
		c.add(a.analyse(strings.Join(list, "\n")), false)
	}
	return d
}

type counter struct {
	doc *document
	at  [fieldCount]map[string]int
}

func (c *counter) add(tokens []token, title bool) {
	for i := range tokens {
		t := &tokens[i]
		c.count(fieldExact, t.term, t.stem != "")
		if t.stem == "" {
			continue
		}
		c.count(fieldStem, t.stem, true)
		if title {
			c.count(fieldTitle, t.stem, true)
		}
	}
}

func (c *counter) count(f field, term string, word bool) {
	if word {
		c.doc.length[f]++
	}
	i, ok := c.at[f][term]
	if !ok {
		i = len(c.doc.terms[f])
		c.at[f][term] = i
		c.doc.terms[f] = append(c.doc.terms[f], termFreq{term: term})
	}
	c.doc.terms[f][i].freq++
}

// isStopWord reports whether a query word carries no meaning of its own. The
// list is Lucene's with the question words and auxiliaries that people type
// into a search box.
func isStopWord(term string) bool { return stopWords()[term] }

var stopWords = sync.OnceValue(func() map[string]bool {
	const text = `a about am an and any are as at be because been being but by can could did do does doing dont
for from had has have having he her here hers him his how i if in into is it its just me my no nor not of on or our
ours out over own please s she should so some such than that the their theirs them then there these they this those
to too under until up us very was we were what when where which while who whom whose why will with would you your yours`
	words := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		words[w] = true
	}
	return words
})
