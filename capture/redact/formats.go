package redact

import (
	"crypto/sha256"
	_ "embed" // for formats.txt and samples.txt
	"encoding/hex"
	"regexp"
	"strings"
	"sync"
)

//go:embed formats.txt
var formatTable string

// format is one known shape of a secret. Its expression is compiled on first
// use, and only tried where one of its keywords stands.
type format struct {
	kind   string
	words  []string // in small letters
	start  bool     // the secret begins with a keyword
	window int      // how many bytes it sees from there, blanks included; 0 is up to the next blank
	check  func(string) bool
	expr   string
	once   sync.Once
	re     *regexp.Regexp // of expr, once it was needed
}

func (f *format) regexp() *regexp.Regexp {
	f.once.Do(func() { f.re = regexp.MustCompile(f.expr) })
	return f.re
}

//go:embed samples.txt
var sampleTable string

// samples are the digests of keys that were published as samples, by kind.
var samples = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(sampleTable) {
		if cells := strings.Fields(line); len(cells) == 2 && cells[0] != "#" {
			out[cells[0]+" "+cells[1]] = true
		}
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

// formats is the table of formats.txt.
var formats = sync.OnceValue(func() []format {
	out := make([]format, 0, 256)
	for line := range strings.Lines(formatTable) {
		cells := strings.Fields(line)
		if len(cells) != 3 || cells[0] == "#" {
			continue
		}
		out = append(out, format{kind: cells[0], words: strings.Split(cells[1], ","), check: genuine})
		f := &out[len(out)-1]
		f.expr = f.marks(cells[2])
		if f.start {
			f.expr = "^(?:" + f.expr + ")"
		}
	}
	return out
})

// marks takes the marks of formats.txt from before an expression, and returns the rest.
func (f *format) marks(expr string) string {
	for ; ; expr = expr[1:] {
		switch expr[0] {
		case '^':
			f.start = true
		case '~':
			if f.start, f.window = true, 400; f.kind == "private-key" {
				f.window = 64 << 10
			}
		case '!':
			f.check = func(string) bool { return true }
		case '+':
			f.check = func(v string) bool { return random(v) && !strings.Contains(strings.ToLower(v), "xxx") }
		case '%':
			f.check = func(v string) bool { return genuine(v) && jumbled(v) && !identifier(v) }
		default:
			return expr
		}
	}
}

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
	} else if to-at < shortestFormat {
		return
	}
	x.match(f, at, f.regexp().FindStringSubmatchIndex(x.s[at:to]))
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
	for _, m := range f.regexp().FindAllStringSubmatchIndex(x.s[from:to], -1) {
		x.match(f, from, m)
	}
}

// match adds what a format matched in a part of the text that begins at a place: its first group,
// or all of it where there is none.
func (x *search) match(f *format, at int, m []int) {
	if m == nil {
		return
	}
	if len(m) >= 4 && m[2] >= 0 {
		m = m[2:]
	}
	if f.check(x.s[at+m[0] : at+m[1]]) {
		x.add(f.kind, at+m[0], at+m[1])
	}
}

// begins reports whether a token may begin at a place: no letter or digit is
// before it, but for that of an escape such as "\n", and no dot of a file name.
func begins(s string, at int) bool {
	if at == 0 || s[at-1] == ' ' {
		return true
	}
	return pattern("token-before").MatchString(s[max(0, at-2):at])
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
