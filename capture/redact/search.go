package redact

import (
	"slices"
	"strings"
	"sync"
)

// finder looks at a place where a word of its own stands.
type finder func(x *search, at int, w *watch)

// watch is a word, in small letters, that something may be found at.
type watch struct {
	word string
	find finder
	f    *format // of a token format
}

// table finds all words in one pass over a text, whatever their case: it looks
// up each two bytes, and compares the rest of the few words that begin so.
type table struct {
	fold   [256]byte
	token  [256]bool                       // what a run is made of
	class  [256]uint8                      // of a byte that a word has in the first two places, in any case; 0 of others
	pairs  [classesMax * classesMax]uint16 // two classes: an index of groups
	groups [][]watch                       // longest word first
}

// classesMax is more than how many bytes words have in their first two places.
const classesMax = 96

// watches is the table of everything that is looked for.
var watches = sync.OnceValue(func() *table { return newTable(watched()) })

// watched are the words that something may be found at.
func watched() []watch {
	out := make([]watch, 0, 2048)
	for i := range formats() {
		f := &formats()[i]
		for _, w := range f.words {
			out = append(out, watch{w, (*search).format, f})
		}
	}
	for _, list := range []struct {
		name string
		find finder
	}{
		{"names", (*search).name},
		{"services", (*search).service},
		{"headers", (*search).header},
		{"accounts", (*search).account},
		{"codes", (*search).code},
		{"parameters", (*search).parameter},
		{"entrances", (*search).entrance},
	} {
		words()[list.name].each(func(word string) {
			if list.name == "codes" || list.name == "entrances" {
				word = strings.ReplaceAll(word, "_", " ")
			}
			out = append(out, watch{word, list.find, nil})
		})
	}
	for _, name := range append(spoken()["name"], "pat") {
		out = append(out, watch{name, (*search).foreignName, nil})
	}
	for w := range options() {
		out = append(out, watch{w, (*search).program, nil})
	}
	return append(out,
		watch{"://", (*search).address, nil},
		watch{" / ", (*search).pair, nil},
		watch{"identified by ", (*search).identified, nil},
		watch{"bearer ", (*search).bearer, nil},
		watch{"basic ", basic, nil},
		watch{`encoding="base64">`, encodedElement, nil},
		watch{"<<", fed, nil},
		watch{"<private", (*search).privateText, nil},
		watch{"--from-literal", (*search).literals, nil},
		watch{"-----end", (*search).keyEnd, nil},
		watch{"kind:", (*search).manifest, nil},
		watch{`"kind"`, (*search).manifest, nil})
}

// newTable returns the table of some words, each of two bytes at least.
func newTable(list []watch) *table {
	t := &table{groups: make([][]watch, 1, len(list)+1)}
	for i := range t.fold {
		t.fold[i], t.token[i] = byte(i), tokenByte(byte(i))
		if i >= 'A' && i <= 'Z' {
			t.fold[i] = byte(i) + 'a' - 'A'
		}
	}
	last := uint8(0)
	for _, w := range list {
		for _, b := range []byte(w.word[:2]) {
			if t.class[b] == 0 {
				last++
				t.class[b] = last
			}
		}
	}
	for i, b := range t.fold {
		t.class[i] = t.class[b]
	}
	// All groups lie in one slice, the words of each in their order but for the length.
	sizes := make([]int, 1, len(list)+1)
	for _, w := range list {
		pair := t.pair(w.word[0], w.word[1])
		if *pair == 0 {
			*pair = uint16(len(sizes))
			sizes = append(sizes, 0)
		}
		sizes[*pair]++
	}
	all := make([]watch, len(list))
	for _, n := range sizes[1:] {
		t.groups, all = append(t.groups, all[:0:n]), all[n:]
	}
	for _, w := range list {
		g := &t.groups[*t.pair(w.word[0], w.word[1])]
		*g = append(*g, w)
	}
	for _, g := range t.groups {
		slices.SortStableFunc(g, func(a, b watch) int { return len(b.word) - len(a.word) })
	}
	return t
}

// pair returns the index of the group of the words that begin with the bytes a and b.
func (t *table) pair(a, b byte) *uint16 {
	return &t.pairs[int(t.class[a])*classesMax+int(t.class[b])]
}

// search is one look for secrets in a text.
type search struct {
	s      string
	found  []Secret
	named  int             // the end of the last name that was looked at
	lines  map[*format]int // the end of the line that a format was last tried on
	tagged bool            // private text was looked for
	long   [2]int          // the bounds of the last long word that was looked at, see [search.rest]
	part   bool            // the text was put together or decoded, and is not looked into again

	unwrapped int // the beginning of the last line that was joined to the one before
	encoded   int // the end of the last base64 that was decoded
	fedTo     int // the end of the last line with a here-document
}

// secretsIn finds secrets, ordered and without overlaps.
func secretsIn(s string) []Secret {
	if len(s) < 6 {
		return nil
	}
	x := &search{s: s}
	x.scan(watches())
	return ordered(s, x.found)
}

// scan goes over the text once. Beside the words it watches runs of letters and
// digits, which may be a token that says so itself.
func (x *search) scan(t *table) {
	s, run := x.s, 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if t.token[c] {
			run++
		} else {
			if run >= shortestEncoded {
				ran(x, i-run, i)
			}
			if run = 0; c == '\n' && i >= x.unwrapped && !x.part {
				wrapped(x, i)
			}
		}
		if i+1 == len(s) {
			break
		}
		group := t.group(c, s[i+1])
		for j := range group {
			if w := &group[j]; t.here(s[i:], w.word) {
				w.find(x, i, w)
			}
		}
	}
	if run >= shortestEncoded {
		ran(x, len(s)-run, len(s))
	}
}

// ran looks at a run of letters and digits that has ended.
func ran(x *search, from, to int) {
	if to-from >= shortestToken {
		x.run(from, to)
	}
	if encodesText(x.s[from:to]) {
		encoded64(x, from, to)
	}
}

// group returns the watches whose words begin with the bytes a and b, in any case.
func (t *table) group(a, b byte) []watch {
	return t.groups[*t.pair(a, b)]
}

// here reports whether s begins with a word, of which two bytes are compared
// before.
func (t *table) here(s, word string) bool {
	if len(s) < len(word) {
		return false
	}
	for k := 2; k < len(word); k++ {
		if t.fold[s[k]] != word[k] {
			return false
		}
	}
	return true
}

// add notes a secret, unless nothing of it is left or it was published as a sample.
func (x *search) add(kind string, from, to int) {
	if to-from >= windowWord && (kind == "secret" || kind == "url-signature") {
		to = x.rest(to)
	}
	if to > from && !published(kind, x.s[from:to]) {
		x.found = append(x.found, Secret{kind, from, to})
	}
}

// rest is the end of the word in which a window cut a secret off. It is looked for once in
// each word, however many secrets end there.
func (x *search) rest(at int) int {
	if at < x.long[0] || at > x.long[1] {
		end := at
		for end < len(x.s) && strings.IndexByte(" \t\r\n\"'`,;<>()\\&#|", x.s[end]) < 0 {
			end++
		}
		x.long = [2]int{at, end}
	}
	return x.long[1]
}

// How much is looked at around a name, in bytes. A text may be one line of names, so
// without bounds the time would grow with the square of its length.
const (
	windowLine  = 2 << 10
	windowTable = 8 << 10
	windowValue = 8 << 10
	windowWord  = 1 << 10
)

// lineFrom and lineTo are the bounds of the line around a place, if they are near.
func (x *search) lineFrom(at int) int { return lineFrom(x.s, at) }

func lineFrom(s string, at int) int {
	near := max(0, at-windowLine)
	return near + strings.LastIndexByte(s[near:at], '\n') + 1
}

func (x *search) lineTo(at int) int {
	return at + len(upTo(x.s[at:min(len(x.s), at+windowLine)], "\n"))
}
