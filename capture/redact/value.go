package redact

import (
	_ "embed" // for values.tsv
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
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

// valueTables are the questions of values.tsv that an expression or a function answers, and the shapes.
type valueTables struct {
	asks   map[string]func(v string) bool
	shapes map[string][]shape
}

// values reads values.tsv at the first use. None of the functions asks [fits].
var values = lazy.Value(func() valueTables {
	out := valueTables{
		map[string]func(v string) bool{
			"placeholder": placeholder, "periodic": periodic, "worded": worded, "identifier": identifier,
			"wordlike": wordlike, "technical": technical, "unnamed": unnamed,
		},
		map[string][]shape{},
	}
	for row := range words.Rows(valueTable, 11) {
		if row[2] == "" {
			expr := lazily(row[1])
			out.asks[row[0]] = func(v string) bool { return expr().MatchString(v) }
		} else {
			out.shapes[row[0]] = append(out.shapes[row[0]], newShape(row[1:]))
		}
	}
	return out
})

// newShape reads the cells of a shape.
func newShape(cells []string) shape {
	out := shape{is: namesIn(cells[8]), not: namesIn(cells[9])}
	for _, cell := range cells[:8] {
		least, most, _ := strings.Cut(cell, "-")
		b := bound{0, math.MaxInt}
		b.least, _ = strconv.Atoi(least)
		if n, err := strconv.Atoi(most); err == nil {
			b.most = n
		}
		out.bounds = append(out.bounds, b)
	}
	return out
}

// namesIn are the names in a cell, none where it is "-".
func namesIn(cell string) []string {
	if cell == "-" {
		return nil
	}
	return strings.Split(cell, ",")
}

// fits reports whether a value has the shape, or the property, of a name of values.tsv.
func fits(name, v string) bool {
	if ask := values().asks[name]; ask != nil {
		return ask(v)
	}
	if how, list, ok := strings.Cut(name, ":"); ok {
		return listed(how, list, v)
	}
	counts := measured(v)
	return slices.ContainsFunc(values().shapes[name], func(x shape) bool { return x.has(v, counts) })
}

// fitsAny reports whether a value has one of some properties.
func fitsAny(v string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return fits(name, v) })
}

// listed reports whether a list of words holds a value without the marks around it, one of its words,
// or what stands before its number.
func listed(how, list, v string) bool {
	w := strings.ToLower(strings.Trim(v, ".,;:!?\"'`()*"))
	switch how {
	case "any":
		words := strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune(" -", r) })
		return slices.ContainsFunc(words, func(w string) bool { return is(list, w) })
	case "stem":
		w = strings.TrimRight(w, "0123456789!?*#$.")
	}
	return is(list, w)
}

// has reports whether a value has the shape.
func (x *shape) has(v string, counts []int) bool {
	within := func(n int, b bound) bool { return b.least <= n && n <= b.most }
	lacks := func(name string) bool { return !fits(name, v) }
	return slices.EqualFunc(counts, x.bounds, within) && !slices.ContainsFunc(x.is, lacks) && !fitsAny(v, x.not...)
}

// measured counts what the columns of values.tsv ask for.
func measured(v string) []int {
	var of [otherByte + 1]int
	changes, last := 0, otherByte+1
	for i := range len(v) {
		k := kind(v[i])
		of[k]++
		if k != last {
			changes, last = changes+1, k
		}
	}
	letters := of[smallByte] + of[capitalByte]
	return []int{
		len(v), of[smallByte], of[capitalByte], letters, of[digitByte], of[otherByte],
		distinct(v), 100 * changes / max(1, len(v)),
	}
}

// The kinds of bytes that values are made of.
const (
	smallByte = iota
	capitalByte
	digitByte
	otherByte
)

func kind(c byte) int {
	switch {
	case c-'a' < 26:
		return smallByte
	case c-'A' < 26:
		return capitalByte
	case c-'0' < 10:
		return digitByte
	}
	return otherByte
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
func jumbled(v string) bool     { return fits("jumbled", v) }
func keylike(v string) bool     { return fits("keylike", v) }
func typed(v string) bool       { return fits("typed", v) }
func expression(v string) bool  { return fits("expression", v) }
func hexadecimal(v string) bool { return fits("hexadecimal", v) }

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
	most := 0
	for p := 2; p <= 4; p++ {
		most = max(most, repeating(v, p))
	}
	return len(v) >= 16 && most*5 >= len(v)*3
}

// repeating counts the bytes of a value that stand some places before as well.
func repeating(v string, places int) int {
	n := 0
	for i := places; i < len(v); i++ {
		if v[i] == v[i-places] {
			n++
		}
	}
	return n
}

// worded reports whether a value is made of words: at least three of four letters and
// more, written together or apart, and next to nothing else.
func worded(v string) bool {
	unspoken := func(w string) bool { return !strings.ContainsAny(w, "aeiouyAEIOUY") }
	found := lists.Without(pattern("long-words").FindAllString(v, -1), unspoken)
	letters := len(strings.Join(found, ""))
	return len(found) >= 3 && 5*letters >= 4*len(v) || len(found) >= 4 && 4*letters >= 3*len(v)
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

// technical reports whether a value is the name of a format, a unit or a version, which have
// digits too: "sha256", "base64-encoded", "12px", "v2". Nothing else in it has a digit.
func technical(v string) bool {
	l := strings.ToLower(strings.Trim(v, ".,;:!?\"'`()*"))
	parts := strings.FieldsFunc(l, func(r rune) bool { return strings.ContainsRune("-_/.", r) })
	if slices.ContainsFunc(parts, mixedWord) {
		return false
	}
	return slices.ContainsFunc(parts, technicalWord) || pattern("numbered").MatchString(l)
}

// mixedWord reports whether a word in small letters has a digit, and names nothing technical.
func mixedWord(w string) bool { return pattern("digit-in-word").MatchString(w) && !technicalWord(w) }

// technicalWord reports whether a word in small letters names a format, a unit or a version.
func technicalWord(w string) bool {
	unit := strings.TrimLeft(w, "0123456789")
	return is("technical", w) || unit != w && is("units", unit) || pattern("version").MatchString(w)
}
