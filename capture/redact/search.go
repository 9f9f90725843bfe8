package redact

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
)

// finder looks at a place where a word of its own stands.
type finder func(x *search, at int, w *watch)

// watch is a word, in small letters, that something may be found at.
type watch struct {
	word string
	find finder
	f    *format // of a token format
}

// table finds all words in one pass over a text, whatever their case: it looks up each two bytes, and
// compares the rest of the few words that begin so.
type table struct {
	fold   [256]byte          // each byte in small letters
	token  [256]bool          // what a run is made of
	class  [256]uint8         // of each byte that words have among their first two, in any case; 0 of others
	words  []watch            // by their first two bytes, and the longest first
	starts [groups + 1]uint16 // where the words of each two classes begin
}

// maxClasses is more than the number of bytes that words have among their first two.
const (
	maxClasses = 96
	groups     = maxClasses * maxClasses
)

// watches is the table of everything that is looked for.
var watches = lazy.Value(func() *table { return newTable(watched()) })

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
		{"spoken-code", (*search).code},
		{"parameters", (*search).parameter},
		{"spoken-entrance", (*search).entrance},
		{"spoken-name", (*search).foreignName},
	} {
		for _, word := range wordLists()[list.name].all {
			out = append(out, watch{word, list.find, nil})
		}
	}
	for w := range options() {
		out = append(out, watch{w, (*search).program, nil})
	}
	return append(out,
		watch{"pat", (*search).proseToken, nil},
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
	t := &table{words: make([]watch, len(list))}
	for i := range t.fold {
		t.fold[i], t.token[i] = byte(i), tokenByte(byte(i))
	}
	for c := byte('A'); c <= 'Z'; c++ {
		t.fold[c] = c + 'a' - 'A'
	}
	t.classify(list)
	lists.Sort(list, func(a, b watch) int { return len(b.word) - len(a.word) }) // and so each group
	for _, w := range list {
		t.starts[t.number(w.word[0], w.word[1])+1]++
	}
	for n := range groups {
		t.starts[n+1] += t.starts[n]
	}
	ends := t.starts // of what is in each group by now
	for _, w := range list {
		n := t.number(w.word[0], w.word[1])
		t.words[ends[n]] = w
		ends[n]++
	}
	return t
}

// classify numbers the bytes that words have among their first two.
func (t *table) classify(list []watch) {
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
}

// number returns the number of the group of words that begin with the bytes a and b, in any case.
func (t *table) number(a, b byte) int { return int(t.class[a])*maxClasses + int(t.class[b]) }

// group returns the words that begin with the bytes a and b, in any case.
func (t *table) group(a, b byte) []watch {
	n := t.number(a, b)
	return t.words[t.starts[n]:t.starts[n+1]]
}

// here reports whether s begins with a word, in any case, if it has the first two bytes of the word.
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
	run := 0
	for i := range len(x.s) {
		if t.token[x.s[i]] {
			run++
		} else {
			x.ended(i-run, i)
			run = 0
		}
		x.watched(t, i)
	}
	x.ended(len(x.s)-run, len(x.s))
}

// watched looks at the words that begin at a place.
func (x *search) watched(t *table, at int) {
	if at+1 == len(x.s) {
		return
	}
	group := t.group(x.s[at], x.s[at+1])
	for j := range group {
		if w := &group[j]; t.here(x.s[at:], w.word) {
			w.find(x, at, w)
		}
	}
}

// ended looks at a run of letters and digits that has ended, and at a line that ends there.
func (x *search) ended(from, to int) {
	if to-from >= shortestEncoded {
		x.run(from, to)
		encoded64(x, from, to)
	}
	if strings.HasPrefix(x.s[to:], "\n") {
		wrapped(x, to)
	}
}

// add notes a secret, unless nothing of it is left or it was published as a sample.
func (x *search) add(kind string, from, to int) {
	if to-from >= windowWord && slices.Contains([]string{"secret", "url-signature"}, kind) {
		to = x.rest(to)
	}
	if to > from && !published(kind, x.s[from:to]) {
		x.found = append(x.found, Secret{kind, from, to})
	}
}

// take adds a secret if it has a shape, and reports whether it has.
func (x *search) take(kind, shape string, from, to int) bool {
	if !fits(shape, x.s[from:to]) {
		return false
	}
	x.add(kind, from, to)
	return true
}

// rest is the end of the word in which a window cut a secret off. It is looked for once in
// each word, however many secrets end there.
func (x *search) rest(at int) int {
	if at < x.long[0] || at > x.long[1] {
		x.long = [2]int{at, reach(x.s, at, len(x.s), " \t\r\n\"'`,;<>()\\&#|")}
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

// windowJudged is how much of a value says whether it is a secret, in bytes.
const windowJudged = 256

// lineFrom and lineTo are the bounds of the line around a place, if they are near.
func lineFrom(s string, at int) int {
	near := max(0, at-windowLine)
	return near + strings.LastIndexByte(s[near:at], '\n') + 1
}

func lineTo(s string, at int) int { return reach(s, at, at+windowLine, "\n") }
