package redact

import (
	"crypto/sha256"
	_ "embed" // for formats.tsv and samples.tsv
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
)

//go:embed formats.tsv
var formatTable string

// format is one known shape of a secret. Its expression is compiled on first
// use, and only tried where one of its keywords stands.
type format struct {
	kind   string
	words  []string // in small letters
	start  bool     // the secret begins with a keyword
	window int      // how many bytes it sees from there, blanks included; 0 is up to the next blank
	shape  string   // of values.tsv
	expr   func() *regexp.Regexp
}

//go:embed samples.tsv
var sampleTable string

// samples are the digests of keys that were published as samples, by kind.
var samples = lazy.Value(func() map[string]bool {
	out := map[string]bool{}
	for row := range words.Rows(sampleTable, 2) {
		out[row[0]+" "+row[1]] = true
	}
	return out
})

// published reports whether a token is one that was published as a sample.
func published(kind, token string) bool {
	sum := sha256.Sum256([]byte(token))
	return samples()[kind+" "+hex.EncodeToString(sum[:8])]
}

// shortestFormat is the length of the shortest run of bytes that a format which
// begins with its keyword may match.
const shortestFormat = 12

// formats is the table of formats.tsv.
var formats = lazy.Value(func() []format {
	windows := map[string]int{"text": 400, "key": 64 << 10}
	out := make([]format, 0, 256)
	for row := range words.Rows(formatTable, 5) {
		f := format{kind: row[0], words: strings.Split(row[1], ","), shape: row[3]}
		f.start, f.window = row[2] != "line", windows[row[2]]
		expr := row[4]
		if f.start {
			expr = "^(?:" + expr + ")"
		}
		f.expr = lazily(expr)
		out = append(out, f)
	}
	return out
})

// format tries a format where one of its keywords stands.
func (x *search) format(at int, w *watch) {
	switch {
	case !w.f.start:
		x.line(at, w.f)
	case begins(x.s, at) && !(w.short() && encoded(x.s, at)):
		x.token(at, w.f)
	}
}

// short reports whether a keyword is so short that any base64 holds it sooner or later.
func (w *watch) short() bool { return len(w.word) <= 4 && letter(w.word[len(w.word)-1]) }

// token tries a format on the token that begins at a place.
func (x *search) token(at int, f *format) {
	to := tokenEnd(x.s, at)
	if f.window > 0 {
		to = min(len(x.s), at+f.window)
	}
	if to-at >= shortestFormat {
		x.match(f, at, f.expr().FindStringSubmatchIndex(x.s[at:to]))
	}
}

// line tries a format on a whole line, once.
func (x *search) line(at int, f *format) {
	if at < x.lines[f] {
		return
	}
	if x.lines == nil {
		x.lines = map[*format]int{}
	}
	from := strings.LastIndexByte(x.s[:at], '\n') + 1
	to := at + len(upTo(x.s[at:], "\n"))
	x.lines[f] = to
	for _, m := range f.expr().FindAllStringSubmatchIndex(x.s[from:to], -1) {
		x.match(f, from, m)
	}
}

// match adds what a format matched in a part of the text that begins at a place: its first group,
// or all of it where there is none.
func (x *search) match(f *format, at int, m []int) {
	m = firstGroup(m)
	if m != nil && (f.shape == "-" || fits(f.shape, x.s[at+m[0]:at+m[1]])) {
		x.add(f.kind, at+m[0], at+m[1])
	}
}

// firstGroup returns the place of the first group of a match, that of all of it where the group is
// missing or empty.
func firstGroup(m []int) []int {
	if len(m) < 4 || m[2] < 0 {
		return m
	}
	return m[2:]
}

// begins reports whether a token may begin at a place: no letter or digit is
// before it, but for that of an escape such as "\n", and no dot of a file name.
func begins(s string, at int) bool {
	if at == 0 || !strings.Contains(lettersAndDigits+".", s[at-1:at]) {
		return true
	}
	return slices.Contains([]string{`\n`, `\r`, `\t`, " .", "."}, s[max(0, at-2):at])
}

// encoded reports whether a place is inside of base64, where any four letters
// stand sooner or later.
func encoded(s string, at int) bool { return at-back(s, at, 24, wordLetters+"/+") == 24 }

// tokenEnd is the end of the run of bytes that may belong to a token.
func tokenEnd(s string, at int) int {
	end := min(len(s), at+(16<<10))
	for i := at; i < end; i++ {
		i = reach(s, i, end, " \t\n\r\"'`<>\\")
		if i == end || s[i] != '\\' || pattern("escaped").MatchString(s[i:min(end, i+2)]) {
			return i
		}
	}
	return end
}

// tokenByte marks what a run is made of that may be a token.
func tokenByte(c byte) bool { return strings.IndexByte(wordLetters, c) >= 0 }
