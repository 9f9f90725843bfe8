package redact

import (
	"net/url"
	"regexp"
	"strings"
)

// code looks at what is said to be a PIN, a backup code or the seed of such codes.
func (x *search) code(at int, w *watch) {
	to := at + len(w.word)
	if at > 0 && (letter(x.s[at-1]) || x.s[at-1] == '.') || to < len(x.s) && (tokenByte(x.s[to]) || x.s[to] == '(') || strings.HasPrefix(w.word, "pin") && is("electric", wordBefore(x.s, at)) {
		return
	}
	shape := pattern("codes")
	if strings.HasPrefix(w.word, "pin") {
		shape = pattern("numbers")
	}
	rest := x.s[to:min(len(x.s), to+windowSaid)]
	if codeList(x, to, w) {
		return
	}
	next, said := 0, false
	if m := pattern("between").FindStringIndex(rest); m != nil && !strings.Contains(rest[:m[1]], "\n") {
		next, said = m[1], true
	} else if next = blanks(rest, 0); next == 0 {
		return
	}
	m := pattern("wired").FindStringSubmatch(rest[next:])
	part := w.word == "pin" && !said && m != nil && is("wired", strings.ToLower(m[1]))
	if !part && !article(upTo(rest[next:], " \t\r\n"), w.word) {
		x.codeAt(to+next, shape, false)
	}
	if m := pattern("further").FindStringIndex(rest[next:]); m != nil {
		x.codeAt(to+next+m[1], shape, false)
	}
}

// article holds for names as articles, tickets and answers have them, letters and a number:
// "SKU-1001", "HTTP-403". Beside the key of a product or a licence, which is longer, four
// letters and four digits at most are such a name; elsewhere they may be a code, so there only
// what is known to be numbered counts.
func article(v, word string) bool {
	head, number, _ := strings.Cut(strings.Trim(v, "\"'`*(),.;:!?"), "-")
	if head == "" || !digits(number) || len(number) > 6 {
		return false
	}
	short := len(head) <= 4 && len(number) <= 4 && strings.Trim(head, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	return is("numbered", strings.ToLower(head)) || short && is("sold", strings.TrimSuffix(word, " key"))
}

// maxCodes bounds how many codes of a list are looked at.
const maxCodes = 24

// codeList takes the codes for secrets that stand in a list behind a name of several, and
// reports whether there was one.
func codeList(x *search, to int, w *watch) bool {
	if !strings.HasSuffix(w.word, "codes") {
		return false
	}
	first := true
	for range maxCodes {
		gap := len(pattern("listed").FindString(x.s[to:min(len(x.s), to+80)]))
		end := 0
		if gap > 0 {
			end = x.codeAt(to+gap, pattern("codes"), true)
		}
		if end == 0 {
			break
		}
		to, first = end, false
	}
	return !first
}

// codeAt takes what stands at a place for a code, if it has the shape of one, and returns
// its end, 0 where there is none. Of a list, it may have the shape of a measure too.
func (x *search) codeAt(at int, shape *regexp.Regexp, list bool) int {
	m := shape.FindStringSubmatchIndex(x.s[at:min(len(x.s), at+100)])
	if m == nil {
		return 0
	}
	v := x.s[at+m[2] : at+m[3]]
	if strings.ContainsAny(v, "0123456789") && distinct(v) > 1 && !strings.HasPrefix("1234567890", v) && !dated(v) && !uuid(v) && (strings.Trim(v, "0123456789 -") == "" || strings.Count(v, "-") > 1 || list && strings.Contains(v, "-") || !technical(v)) {
		if lower, _, digit, _ := classes(v); lower+digit == len(v) && !digits(v) && (digit < 2 || changes(v) < 4) && !hexadecimal(v) {
			return 0 // of a plain word with a number
		}
		x.add("code", at+m[2], at+m[3])
		return at + m[3]
	}
	return 0
}

// parameter looks at a parameter of an address that opens what the address names,
// as the signature of an address that was shared does.
func (x *search) parameter(at int, w *watch) {
	to := at + len(w.word)
	if to >= len(x.s) || x.s[to] != '=' || at == 0 || strings.IndexByte("?&", x.s[at-1]) < 0 &&
		!strings.HasSuffix(x.s[:at], "&amp;") && !strings.HasSuffix(x.s[:at], `\u0026`) {
		return
	}
	to++
	end := to + len(upTo(x.s[to:min(len(x.s), to+1024)], "&#<>()\\\"'` \t\r\n"))
	v, err := url.PathUnescape(x.s[to:end])
	if err != nil {
		v = x.s[to:end]
	}
	lower, upper, _, _ := classes(v)
	if name := (lower == 0 || upper == 0) && strings.ContainsAny(v, "_-"); name && !hexadecimal(strings.Map(unmarked, v)) {
		return // of an error, or of a state
	}
	if len(v) < 16 || uuid(v) || !genuine(v) || !random(v) || changes(v)*4 < len(v) && !(hexadecimal(v) && len(v) >= 32) {
		return
	}
	x.add("url-signature", to, end)
}

// keyEnd looks at the end of a private key of which the beginning was cut off, and
// takes the lines of base64 before it.
func (x *search) keyEnd(at int, _ *watch) {
	s := x.s
	if !strings.Contains(upTo(s[at+len("-----END"):min(len(s), at+60)], "-"), "PRIVATE KEY") {
		return
	}
	first, least := at, 4 // the last line may be a short one
	for from := at; from > 0 && at-from < 64<<10; from, least = first, 16 {
		to := from
		for to > 0 && (strings.IndexByte(" \t\r\n>|", s[to-1]) >= 0 || to > 1 && s[to-2:to] == `\n`) {
			if to--; s[to] == 'n' {
				to--
			}
		}
		i := to
		for i > 0 && (letter(s[i-1]) || strings.IndexByte("0123456789+/=", s[i-1]) >= 0) {
			i--
		}
		if i > 0 && s[i-1] == '\\' { // of an escaped line break
			i++
		}
		if to-i < least {
			break
		}
		first = i
	}
	if at-first >= 40 {
		x.add("private-key", first, at)
	}
}
