package postings

import (
	"iter"
	"strings"

	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// Field is one searched field of a memory.
type Field uint8

// The fields, and how many there are.
const (
	Stem   Field = iota // stems of everything
	Exact               // the same words as written, and compounds
	Title               // stems of the title
	Fields = iota
)

// name is the name of the field in the Bluge index.
func (f Field) name() string { return "sxt"[f : f+1] }

// termFreq says how often a term occurs in a field.
type termFreq struct {
	term string
	freq uint32
}

// Document is an analysed memory: what the index stores of it.
type Document struct {
	blob   string
	terms  [Fields][]termFreq // in order of first occurrence
	length [Fields]uint32     // words, not compounds
}

// NewDocument analyses m, whose blob is named in hexadecimal.
func NewDocument(a *words.Analyser, blob string, m *memory.Memory) *Document {
	d := &Document{blob: blob}
	var at [Fields]map[string]int
	for f := range at {
		at[f] = map[string]int{}
	}
	Each(a, m, func(f Field, term string, word bool) {
		if word {
			d.length[f]++
		}
		i, ok := at[f][term]
		if !ok {
			i = len(d.terms[f])
			at[f][term] = i
			d.terms[f] = append(d.terms[f], termFreq{term: term})
		}
		d.terms[f][i].freq++
	})
	return d
}

// Lengths are the numbers of words in the fields.
func (d *Document) Lengths() [Fields]uint32 { return d.length }

// Terms are the terms of a field, each once, with how often they occur in it.
func (d *Document) Terms(f Field) iter.Seq2[string, uint32] {
	return func(yield func(string, uint32) bool) {
		for _, t := range d.terms[f] {
			if !yield(t.term, t.freq) {
				return
			}
		}
	}
}

// Visit is called with a term wherever a field holds it. A compound is no word, and has no part in the length of the
// field.
type Visit func(f Field, term string, word bool)

// Each visits the terms of m.
func Each(a *words.Analyser, m *memory.Memory, visit Visit) {
	visit.title(a.Analyse(m.Title), m)
	visit.all(a.Analyse(m.Text))
	for _, list := range [][]string{m.Tags, m.Entities, m.Files} {
		visit.all(a.Analyse(strings.Join(list, "\n")))
	}
}

// title visits the words of the title, unless it only repeats how the text
// begins, as titles made by machines do: then they count once, and as a title
// only if there is more text than that.
func (visit Visit) title(tokens []words.Token, m *memory.Memory) {
	title := strings.TrimRight(m.Title, ".…! ")
	start := memory.OneLine(m.Text[:min(len(m.Text), 2*len(title)+16)])
	repeated := title != "" && strings.HasPrefix(start, title)
	switch {
	case !repeated:
		visit.all(tokens)
	case len(m.Text) < 4*len(title):
		return
	}
	for i := range tokens {
		if tokens[i].Stem != "" {
			visit(Title, tokens[i].Stem, true)
		}
	}
}

func (visit Visit) all(tokens []words.Token) {
	for i := range tokens {
		t := &tokens[i]
		visit(Exact, t.Term, t.Stem != "")
		if t.Stem != "" {
			visit(Stem, t.Stem, true)
		}
	}
}

// Hit is an item of a view that holds a term, and how often.
type Hit struct {
	Item int32
	Freq uint32
}
