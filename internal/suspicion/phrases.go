package suspicion

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
)

// ordersFile holds the phrases by which a text gives an agent orders: its first lines say
// how they are written.
//
//go:embed orders.tsv
var ordersFile string

// phrase is one row of the table.
type phrase struct {
	kind     string
	elements []element
	vetoed   bool // not if it is denied
}

// element is one place of a phrase.
type element struct {
	gap     int // words that may stand before it
	choices []choice
	first   bool // at the beginning of a line, a sentence or a clause
	after   byte // a mark that follows it; 0 for any
}

// choice is one word, or several in a row, for a place.
type choice []pattern

// pattern is a word, or how it begins.
type pattern struct {
	text   string
	prefix bool
}

func (p pattern) matches(word string) bool {
	if p.prefix {
		return strings.HasPrefix(word, p.text)
	}
	return word == p.text
}

// table is the file as it is looked up: phrases by the word that they begin with.
type table struct {
	says   map[string]string
	kinds  []string // in the order of the file
	exact  map[string][]*phrase
	prefix map[string][]*phrase // those that give the beginning of that word, by its first two bytes
	deny   element              // one of the words that deny a phrase
}

func begun(word string) string { return word[:min(len(word), 2)] }

// orders reads the table once.
var orders = lazy.Value(func() *table {
	t := &table{says: map[string]string{}, exact: map[string][]*phrase{}, prefix: map[string][]*phrase{}}
	lists := map[string]string{}
	for row := range words.Rows(ordersFile, 3) {
		kind, language, text := row[0], row[1], row[2]
		switch {
		case strings.HasPrefix(kind, "="):
			lists["{"+kind[1:]+"}"] = text
		case language == "says":
			t.says[kind] = text
			t.kinds = append(t.kinds, kind)
		default:
			t.add(kind, text, lists)
		}
	}
	t.deny.choices = choicesOf(lists["{not}"])
	return t
})

// add reads one phrase and puts it where the words that it begins with lead to.
func (t *table) add(kind, text string, lists map[string]string) {
	p := &phrase{kind: kind}
	text, p.vetoed = strings.CutPrefix(text, "!")
	gap := 0
	for place := range strings.FieldsSeq(text) {
		if n, ok := strings.CutPrefix(place, ".."); ok {
			gap, _ = strconv.Atoi(n)
			continue
		}
		e := elementOf(place, lists)
		e.gap, gap = gap, 0
		p.elements = append(p.elements, e)
	}
	for _, c := range p.elements[0].choices {
		if first := c[0]; first.prefix {
			t.prefix[begun(first.text)] = append(t.prefix[begun(first.text)], p)
		} else {
			t.exact[first.text] = append(t.exact[first.text], p)
		}
	}
}

func elementOf(place string, lists map[string]string) element {
	var e element
	place, e.first = strings.CutPrefix(place, "^")
	if last := place[len(place)-1]; last == ':' || last == ']' {
		e.after, place = last, place[:len(place)-1]
	}
	for name, words := range lists {
		place = strings.ReplaceAll(place, name, words)
	}
	e.choices = choicesOf(place)
	return e
}

func choicesOf(text string) []choice {
	var out []choice
	for words := range strings.SplitSeq(text, "|") {
		if words == addressWord {
			out = append(out, choice{{text: addressWord}})
			continue
		}
		var c choice
		for _, w := range wordsOf(strings.ReplaceAll(strings.TrimSuffix(words, "*"), "_", " ")) {
			c = append(c, pattern{text: w.text})
		}
		c[len(c)-1].prefix = strings.HasSuffix(words, "*")
		out = append(out, c)
	}
	return out
}

// found returns the kinds of the phrases in a text.
func (t *table) found(words []word) map[string]bool {
	kinds := map[string]bool{}
	for i := range words {
		text := words[i].text
		t.try(kinds, t.exact[text], words, i)
		t.try(kinds, t.prefix[begun(text)], words, i)
	}
	return kinds
}

// try notes the kinds of those phrases that begin at a word.
func (t *table) try(kinds map[string]bool, phrases []*phrase, words []word, at int) {
	for _, p := range phrases {
		kinds[p.kind] = kinds[p.kind] || t.stands(p, words, at)
	}
}

// stands reports whether a phrase is at a word, and is not denied there where that counts.
func (t *table) stands(p *phrase, words []word, at int) bool {
	words = words[:sentenceEnd(words, at)]
	end, ok := p.matches(words, at, 0)
	if ok && p.vetoed {
		return !t.denied(words, at, end)
	}
	return ok
}

// sentenceEnd is where the sentence of a word ends.
func sentenceEnd(words []word, at int) int {
	n := slices.IndexFunc(words[at:], func(w word) bool { return w.ends })
	if n < 0 {
		return len(words)
	}
	return at + n + 1
}

// matches reports whether the rest of a phrase, from an element on, stands at a word or
// as far behind it as the element allows, and where it ends.
func (p *phrase) matches(words []word, at, from int) (end int, ok bool) {
	if from == len(p.elements) {
		return at, true
	}
	e := &p.elements[from]
	for i := at; i < min(at+e.gap+1, len(words)); i++ {
		for _, c := range e.choicesAt(words, i) {
			if end, ok := p.matches(words, i+len(c), from+1); ok {
				return end, true
			}
		}
	}
	return 0, false
}

// choicesAt are the choices of an element that stand at a word.
func (e *element) choicesAt(words []word, at int) []choice {
	var out []choice
	for _, c := range e.choices {
		if at+len(c) <= len(words) && e.stands(c, words[at:at+len(c)]) {
			out = append(out, c)
		}
	}
	return out
}

// stands reports whether words are a choice of an element.
func (e *element) stands(c choice, words []word) bool {
	for i, want := range c {
		if !want.matches(words[i].text) {
			return false
		}
	}
	return (!e.first || words[0].first) && e.endsAt(words[len(words)-1])
}

// endsAt reports whether the mark behind a word is that of the element.
func (e *element) endsAt(w word) bool { return e.after == 0 || e.after == w.after }

// deniedBefore is how many words before a phrase can deny it.
const deniedBefore = 5

// denied reports whether a word in a match, or shortly before it in its sentence, denies
// what it says.
func (t *table) denied(words []word, at, end int) bool {
	from := max(0, at-deniedBefore)
	for i := range words[from:at] {
		if words[at-1-i].ends {
			from = at - i
			break
		}
	}
	for i := from; i < end; i++ {
		if len(t.deny.choicesAt(words, i)) > 0 {
			return true
		}
	}
	return false
}
