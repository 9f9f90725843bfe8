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
	token  [256]bool       // what a run is made of
	pairs  [1 << 16]uint16 // two bytes of small letters: an index of groups
	groups [][]watch       // longest word first
}

// watches is the table of everything that is looked for.
var watches = sync.OnceValue(func() *table {
	t := &table{groups: make([][]watch, 1)}
	for i := range t.fold {
		t.fold[i], t.token[i] = byte(i), tokenByte(byte(i))
		if i >= 'A' && i <= 'Z' {
			t.fold[i] = byte(i) + 'a' - 'A'
		}
	}
	for i := range formats() {
		f := &formats()[i]
		for _, w := range f.words {
			t.add(watch{w, (*search).format, f})
		}
	}
	for w := range words()["names"] {
		t.add(watch{w, (*search).name, nil})
	}
	for w := range words()["services"] {
		t.add(watch{w, (*search).service, nil})
	}
	for w := range words()["foreign"] {
		t.add(watch{w, (*search).foreignName, nil})
	}
	for w := range words()["headers"] {
		t.add(watch{w, (*search).header, nil})
	}
	for w := range options() {
		t.add(watch{w, (*search).program, nil})
	}
	t.add(watch{"://", (*search).address, nil})
	t.add(watch{" / ", (*search).pair, nil})
	t.add(watch{"bearer ", (*search).bearer, nil})
	t.add(watch{"<private", (*search).privateText, nil})
	t.add(watch{"--from-literal", (*search).literals, nil})
	for w := range words()["accounts"] {
		t.add(watch{w, (*search).account, nil})
	}
	t.add(watch{"kind:", (*search).manifest, nil})
	t.add(watch{`"kind"`, (*search).manifest, nil})
	for _, g := range t.groups {
		slices.SortStableFunc(g, func(a, b watch) int { return len(b.word) - len(a.word) })
	}
	return t
})

func (t *table) add(w watch) {
	pair := &t.pairs[uint16(w.word[0])<<8|uint16(w.word[1])]
	if *pair == 0 {
		*pair = uint16(len(t.groups))
		t.groups = append(t.groups, nil)
	}
	t.groups[*pair] = append(t.groups[*pair], w)
}

// search is one look for secrets in a text.
type search struct {
	s      string
	found  []Secret
	named  int             // the end of the last name that was looked at
	lines  map[*format]int // the end of the line that a format was last tried on
	tagged bool            // private text was looked for
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
			if run >= shortestToken {
				x.run(i-run, i)
			}
			run = 0
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
	if run >= shortestToken {
		x.run(len(s)-run, len(s))
	}
}

// group returns the watches whose words begin with the bytes a and b, in any case.
func (t *table) group(a, b byte) []watch {
	return t.groups[t.pairs[uint16(t.fold[a])<<8|uint16(t.fold[b])]]
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
	if to > from && !published(kind, x.s[from:to]) {
		x.found = append(x.found, Secret{kind, from, to})
	}
}

// lineFrom and lineTo are the bounds of the line around a place.
func (x *search) lineFrom(at int) int { return strings.LastIndexByte(x.s[:at], '\n') + 1 }

func (x *search) lineTo(at int) int {
	if i := strings.IndexByte(x.s[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(x.s)
}
