package index

import (
	"strings"

	"github.com/git-cortex/cortex/index/internal/words"
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
func documentOf(a *words.Analyser, blob string, m *memory.Memory) *document {
	d := &document{blob: blob}
	c := counter{doc: d}
	for i := range c.at {
		c.at[i] = map[string]int{}
	}
	c.addTitle(a.Analyse(m.Title), m)
	c.add(a.Analyse(m.Text))
	for _, list := range [][]string{m.Tags, m.Entities, m.Files} {
		c.add(a.Analyse(strings.Join(list, "\n")))
	}
	return d
}

type counter struct {
	doc *document
	at  [fieldCount]map[string]int
}

// addTitle counts the words of the title, unless it only repeats how the text
// begins, as titles made by machines do: then they count once, and as a title
// only if there is more text than that.
func (c *counter) addTitle(tokens []words.Token, m *memory.Memory) {
	title := strings.TrimRight(m.Title, ".…! ")
	start := memory.OneLine(m.Text[:min(len(m.Text), 2*len(title)+16)])
	echo := title != "" && strings.HasPrefix(start, title)
	if !echo {
		c.add(tokens)
	}
	if echo && len(m.Text) < 4*len(title) {
		return
	}
	for i := range tokens {
		if tokens[i].Stem != "" {
			c.count(fieldTitle, tokens[i].Stem, true)
		}
	}
}

func (c *counter) add(tokens []words.Token) {
	for i := range tokens {
		t := &tokens[i]
		c.count(fieldExact, t.Term, t.Stem != "")
		if t.Stem != "" {
			c.count(fieldStem, t.Stem, true)
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
