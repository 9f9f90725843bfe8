package redact

import (
	_ "embed" // for values.tsv
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed values.tsv
var valueTable string

// shape is a row of values.tsv.
type shape struct {
	bounds  []bound // in the order of [measured]
	is, not []string
}

// bound is how many of something a value may have.
type bound struct{ least, most int }

// valueTables are the expressions and shapes of values.tsv.
type valueTables struct {
	expressions map[string]func() *regexp.Regexp
	shapes      map[string][]shape
}

// values reads values.tsv at the first use.
var values = sync.OnceValue(func() valueTables {
	out := valueTables{map[string]func() *regexp.Regexp{}, map[string][]shape{}}
	for line := range strings.Lines(valueTable) {
		cells := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		switch len(cells) {
		case 2:
			out.expressions[cells[0]] = lazily(cells[1])
		case 11:
			out.shapes[cells[0]] = append(out.shapes[cells[0]], newShape(cells[1:]))
		}
	}
	return out
})

// newShape reads the cells of a shape.
func newShape(cells []string) shape {
	var out shape
	for _, cell := range cells[:8] {
		least, most, _ := strings.Cut(cell, "-")
		b := bound{0, math.MaxInt}
		b.least, _ = strconv.Atoi(least)
		if n, err := strconv.Atoi(most); err == nil {
			b.most = n
		}
		out.bounds = append(out.bounds, b)
	}
	out.is, out.not = listed(cells[8]), listed(cells[9])
	return out
}

// listed are the names in a cell, none where it is "-".
func listed(cell string) []string {
	if cell == "-" {
		return nil
	}
	return strings.Split(cell, ",")
}

// fits reports whether a value has the shape, or the property, of a name of values.tsv.
func fits(name, v string) bool {
	if ask := askedOf()[name]; ask != nil {
		return ask(v)
	}
	if expr := values().expressions[name]; expr != nil {
		return expr().MatchString(v)
	}
	counts := measured(v)
	return slices.ContainsFunc(values().shapes[name], func(x shape) bool { return x.has(v, counts) })
}

// fitsAny reports whether a value has one of some properties.
func fitsAny(v string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return fits(name, v) })
}

// has reports whether a value has the shape.
func (x *shape) has(v string, counts []int) bool {
	for i, n := range counts {
		if n < x.bounds[i].least || n > x.bounds[i].most {
			return false
		}
	}
	for _, name := range x.is {
		if !fits(name, v) {
			return false
		}
	}
	return !fitsAny(v, x.not...)
}

// measured counts what the columns of values.tsv ask for.
func measured(v string) []int {
	lower, upper, digit, other := classes(v)
	return []int{len(v), lower, upper, lower + upper, digit, other, distinct(v), 100 * changes(v) / max(1, len(v))}
}

// askedOf are the properties that a function tells. None of them asks [fits].
var askedOf = sync.OnceValue(func() map[string]func(v string) bool {
	return map[string]func(v string) bool{
		"placeholder": placeholder, "periodic": periodic, "worded": worded, "identifier": identifier, "novalue": novalue,
		"unnamed":  unnamed,
		"wordlike": wordlike, "technical": technical, "versioned": versioned, "phrase": phrase, "state": state, "about": aboutSecret, "declines": declines, "sample": samplePassword,
		"sentence": func(v string) bool { return is("sentence", strings.ToLower(v)) },
	}
})

// placeholder reports whether a value stands for a secret without being one.
func placeholder(v string) bool {
	return pattern("placeholder").MatchString(v) || holdsAny(strings.ToLower(v), "placeholders") || repeated(v)
}

// repeated reports whether one byte stands in a value over and over.
func repeated(v string) bool {
	longest, run := 0, 0
	for i := range len(v) {
		if v[i] != v[max(0, i-1)] {
			run = 0
		}
		run++
		longest = max(longest, run)
	}
	return longest >= 8 || longest >= 5 && longest*3 > len(v)
}

// periodic reports whether a person typed a value to stand for a secret: one
// short piece over and over ("123123123"), so that most of it repeats what
// stands two to four bytes before.
func periodic(v string) bool {
	for p := 2; p <= 4 && len(v) >= 16; p++ {
		same := 0
		for i := p; i < len(v); i++ {
			if v[i] == v[i-p] {
				same++
			}
		}
		if same*5 >= len(v)*3 {
			return true
		}
	}
	return false
}

func genuine(v string) bool { return !placeholder(v) && !periodic(v) }

// classes counts what a value is made of.
func classes(v string) (lower, upper, digit, other int) {
	for i := range len(v) {
		switch kind(v[i]) {
		case 1:
			lower++
		case 2:
			upper++
		case 3:
			digit++
		default:
			other++
		}
	}
	return
}

// kind is 1 for a small letter, 2 for a capital, 3 for a digit, and 4 for anything else.
func kind(c byte) int {
	switch {
	case c >= 'a' && c <= 'z':
		return 1
	case c >= 'A' && c <= 'Z':
		return 2
	case c >= '0' && c <= '9':
		return 3
	}
	return 4
}

// changes counts how often letters of one kind are followed by another kind,
// which they are in a jumble at every other place.
func changes(s string) int {
	n, last := 0, 0
	for i := range len(s) {
		if k := kind(s[i]); k != last {
			n, last = n+1, k
		}
	}
	return n
}

// distinct counts the different bytes of a value.
func distinct(v string) int {
	var seen [256]bool
	n := 0
	for i := range len(v) {
		if !seen[v[i]] {
			seen[v[i]] = true
			n++
		}
	}
	return n
}

// The shapes that are asked for most, see values.tsv.
func random(v string) bool      { return fits("random", v) }
func jumbled(v string) bool     { return fits("jumbled", v) }
func keylike(v string) bool     { return fits("keylike", v) }
func strong(v string) bool      { return fits("strong", v) }
func seasoned(v string) bool    { return fits("seasoned", v) }
func typed(v string) bool       { return fits("typed", v) }
func literal(v string) bool     { return fits("literal", v) }
func uuid(v string) bool        { return fits("uuid", v) }
func expression(v string) bool  { return fits("expression", v) }
func hexadecimal(v string) bool { return fits("hexadecimal", v) }
func described(v string) bool   { return fits("described", v) }

// chosen reports whether a value looks like a password that a person chose.
func chosen(v string, quoted bool) bool {
	return fits("chosen", v) || quoted && fits("quoted", v)
}

// worded reports whether a value is made of words: at least three of four letters and
// more, written together or apart, and next to nothing else.
func worded(v string) bool {
	words, letters := 0, 0
	for _, w := range pattern("long-words").FindAllString(v, -1) {
		if strings.ContainsAny(w, "aeiouyAEIOUY") {
			words++
			letters += len(w)
		}
	}
	return words >= 3 && 5*letters >= 4*len(v) || words >= 4 && 4*letters >= 3*len(v)
}

// identifier reports whether a value is a name as programs have them: "ed25519Seed".
func identifier(v string) bool { return wordsOf(v, 4) }

// wordsOf reports whether a name is made of words that have so many letters on average.
func wordsOf(v string, least int) bool {
	words := nameWords(v)
	letters := 0
	for _, w := range words {
		switch {
		case is("technical", w):
			letters += 4
		case !pattern("name-word").MatchString(w):
			return false
		default:
			letters += len(strings.TrimRight(w, "0123456789"))
		}
	}
	return letters >= least*len(words) && strings.ToUpper(v) != v
}

// novalue reports whether a word stands for nothing, for a type, or for a state, where
// a password could stand.
func novalue(v string) bool {
	l := strings.ToLower(strings.Trim(v, ".,;:!?\"'`()*"))
	return l == "" || is("novalues", l)
}

// technical reports whether a value is the name of a format, a unit or a version, which have
// digits too: "sha256", "base64-encoded", "12px", "v2". Nothing else in it has a digit.
func technical(v string) bool {
	l := strings.ToLower(strings.Trim(v, ".,;:!?\"'`()*"))
	known := false
	for part := range strings.FieldsFuncSeq(l, func(r rune) bool { return strings.ContainsRune("-_/.", r) }) {
		switch {
		case technicalWord(part):
			known = true
		case strings.ContainsAny(part, "0123456789") && !digits(part):
			return false
		}
	}
	return known || pattern("numbered").MatchString(l)
}

// technicalWord reports whether a word in small letters names a format, a unit or a version.
func technicalWord(w string) bool {
	unit := strings.TrimLeft(w, "0123456789")
	return is("technical", w) || unit != w && is("units", unit) || pattern("version").MatchString(w)
}

// versioned reports whether a value is a word that a number follows, and the number.
func versioned(v string) bool {
	return is("versioned", strings.ToLower(strings.TrimRight(v, "0123456789!?*#$.")))
}

// phrase reports whether a value is a pass phrase: three words and more, each with one blank
// after it, none of which belongs to a sentence.
func phrase(v string) bool {
	return pattern("words").MatchString(v) && !slices.ContainsFunc(strings.Fields(v), func(w string) bool { return is("sentence", w) })
}

// state reports whether a word says how a password is: "falsch", "obligatoire".
func state(v string) bool { return says()["state"][strings.ToLower(v)] }

// aboutSecret reports whether a value is a word that is only about a secret, and a number.
func aboutSecret(v string) bool {
	stem := strings.ToLower(strings.TrimRight(v, "0123456789"))
	return is("about", stem) || is("harmless", stem)
}

// declines reports whether a word of an answer gives no value.
func declines(v string) bool {
	l := strings.ToLower(v)
	return says()["none"][l] || says()["turn"][l] || is("prose", l) || is("sentence", l) || novalue(l)
}
