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
	f := w.f
	if !f.start {
		x.line(at, f)
		return
	}
	if !begins(x.s, at) || len(w.word) <= 4 && letter(w.word[len(w.word)-1]) && encoded(x.s, at) {
		return
	}
	to := tokenEnd(x.s, at)
	if f.window > 0 {
		to = min(len(x.s), at+f.window)
	} else if to-at < shortestFormat {
		return
	}
	m := f.regexp().FindStringSubmatchIndex(x.s[at:to])
	if m == nil {
		return
	}
	from, end := m[0], m[1]
	if len(m) >= 4 && m[2] >= 0 {
		from, end = m[2], m[3]
	}
	if token := x.s[at+from : at+end]; f.check(token) && !published(f.kind, token) {
		x.add(f.kind, at+from, at+end)
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
	for _, m := range f.regexp().FindAllStringSubmatchIndex(x.s[from:to], -1) {
		start, end := m[0], m[1]
		if len(m) >= 4 && m[2] >= 0 {
			start, end = m[2], m[3]
		}
		if f.check(x.s[from+start : from+end]) {
			x.add(f.kind, from+start, from+end)
		}
	}
}

// begins reports whether a token may begin at a place: no letter or digit is
// before it, but for that of an escape such as "\n".
func begins(s string, at int) bool {
	if at == 0 {
		return true
	}
	c := s[at-1]
	if c == '.' { // of a file name
		return at == 1 || s[at-2] == ' '
	}
	if !letter(c) && (c < '0' || c > '9') {
		return true
	}
	return at > 1 && s[at-2] == '\\' && (c == 'n' || c == 'r' || c == 't')
}

// encoded reports whether a place is inside of base64, where any four letters
// stand sooner or later.
func encoded(s string, at int) bool {
	n := 0
	for n < at && n < 24 && (tokenByte(s[at-1-n]) || s[at-1-n] == '/' || s[at-1-n] == '+') {
		n++
	}
	return n == 24
}

// tokenEnd is the end of the run of bytes that may belong to a token.
func tokenEnd(s string, at int) int {
	end := min(len(s), at+(16<<10))
	for i := at; i < end; i++ {
		switch c := s[i]; c {
		case ' ', '\t', '\n', '\r', '"', '\'', '`', '<', '>':
			return i
		case '\\':
			if i+1 < end && strings.IndexByte("nrt\"'", s[i+1]) >= 0 {
				return i
			}
		}
	}
	return end
}

// shortestToken is the length of the shortest run of letters and digits that is
// looked at without a keyword.
const shortestToken = 23

// tokenByte marks what such a run is made of.
func tokenByte(c byte) bool {
	return letter(c) || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// run looks at a run of letters and digits that may be a token of a service
// nobody told us of: a prefix of words, and a long jumble after it. It knows the
// tokens of Discord's bots too, three runs with dots between them.
func (x *search) run(from, to int) {
	s := x.s[from:to]
	if len(s) <= 28 && strings.IndexByte("MNO", s[0]) >= 0 && to < len(x.s) && x.s[to] == '.' {
		rest := x.s[to+1:]
		n := tokenLength(rest)
		if n == 6 && n < len(rest) && rest[n] == '.' && jumbled(s) {
			if last := tokenLength(rest[n+1:]); last >= 27 && last <= 40 {
				x.add("discord", from, to+2+n+last)
			}
		}
		return
	}
	if to-from > 400 || from > 0 && strings.IndexByte("/\\+", x.s[from-1]) >= 0 || to < len(x.s) && strings.IndexByte("/+", x.s[to]) >= 0 {
		return // of a path, or of base64
	}
	if !x.formatted(from) && announced(s) {
		x.add("token", from, to)
	}
}

// formatted reports whether a format is known of the tokens that begin so: then
// it alone says what is one.
func (x *search) formatted(at int) bool {
	t := watches()
	group := t.group(x.s[at], x.s[at+1])
	for i := range group {
		w := &group[i]
		if w.f != nil && w.f.start && len(w.word) > 2 && t.here(x.s[at:], w.word) {
			return true
		}
	}
	return false
}

func tokenLength(s string) int {
	n := 0
	for n < len(s) && tokenByte(s[n]) {
		n++
	}
	return n
}

// announced reports whether a run is a prefix of small words, each with a mark
// after it, and a jumble long enough to be a key.
func announced(s string) bool {
	at, hint := 0, false
	for at < len(s) {
		i := strings.IndexAny(s[at:], "_-")
		if i < 1 || i > 12 || !subcommand(s[at:at+i]) {
			break
		}
		if word := s[at : at+i]; at == 0 && (is("ids", word) || len(word) < 2) {
			return false
		} else if is("announcers", word) {
			hint = true
		}
		at += i + 1
	}
	body := s[at:]
	if at == 0 || strings.Contains(s, "--") || strings.Contains(s, "__") {
		return false
	}
	least := 36
	if hint {
		least = 20
	}
	lower, upper, digit, _ := classes(body)
	switch {
	case len(body) < least || !genuine(body) || distinct(body) < 10:
		return false
	case digit < 2 || changes(strings.Map(unmarked, body))*3 < len(body) || !pattern("long-part").MatchString(body):
		return false
	case hexadecimal(strings.Map(unmarked, body)):
		return hint && len(body) >= 32 && !uuid(body)
	case upper == 0 || lower == 0:
		return digit >= 4 && !strings.ContainsAny(body, "_-")
	}
	return lower >= 4 && upper >= 4
}

// unmarked drops what stands between the parts of a token.
func unmarked(r rune) rune {
	if r == '-' || r == '_' {
		return -1
	}
	return r
}
