package redact

import (
	"net/url"
	"strings"
)

// code looks at what is said to be a PIN, a backup code or the seed of such codes.
func (x *search) code(at int, w *watch) {
	to := at + len(w.word)
	switch {
	case partOfName(x.s, at, to), x.codeList(to, w.word):
	case strings.HasPrefix(w.word, "pin"):
		if !is("electric", wordBefore(x.s, at)) {
			x.codeBehind(to, "numbers", w.word)
		}
	default:
		x.codeBehind(to, "codes", w.word)
	}
}

// partOfName reports whether what stands from one place to another is part of another name, or of a call.
func partOfName(s string, from, to int) bool {
	before, behind := s[max(0, from-1):from], s[to:min(len(s), to+1)]
	return pattern("code-before").MatchString(before) || pattern("code-behind").MatchString(behind)
}

// codeBehind looks at the code behind its name, and at the one that it was changed to.
func (x *search) codeBehind(to int, shape, word string) {
	link := linkFrom(x.s, to)
	next := max(to+link, blanks(x.s, to))
	if next == to {
		return
	}
	rest := x.s[next:min(len(x.s), next+windowSaid)]
	part := link == 0 && wired(rest)
	if !part && !article(upTo(rest, " \t\r\n"), word) {
		x.codeAt(next, shape, "code-value")
	}
	if m := pattern("further").FindStringIndex(rest); m != nil {
		x.codeAt(next+m[1], shape, "code-value")
	}
}

// wired reports whether a text begins with the number of a pin of a connector.
func wired(s string) bool {
	m := pattern("wired").FindStringSubmatch(s)
	return m != nil && is("wired", strings.ToLower(m[1]))
}

// article reports whether a value is a name as articles, tickets and answers have them, letters and a
// number: "SKU-1001", "HTTP-403". Beside the key of a product or a licence, which is longer, four
// letters and four digits at most are such a name; elsewhere they may be a code, so there only
// what is known to be numbered counts.
func article(v, word string) bool {
	m := pattern("article").FindStringSubmatch(strings.Trim(v, "\"'`*(),.;:!?"))
	if m == nil {
		return false
	}
	short := m[2] != ""
	return is("numbered", strings.ToLower(upTo(m[1], "-"))) || short && is("sold", strings.TrimSuffix(word, " key"))
}

// maxCodes bounds how many codes of a list are looked at.
const maxCodes = 24

// codeList takes the codes for secrets that stand in a list behind a name of several, and
// reports whether there was one.
func (x *search) codeList(to int, name string) bool {
	if !strings.HasSuffix(name, "codes") {
		return false
	}
	first := to
	for range maxCodes {
		gap := len(pattern("listed").FindString(x.s[to:min(len(x.s), to+80)]))
		end := x.codeAt(to+gap, "codes", "code-listed")
		if end == 0 {
			break
		}
		to = end
	}
	return to > first
}

// codeAt takes what stands at a place for a code, if an expression finds one and it has a shape, and
// returns its end, 0 where there is none.
func (x *search) codeAt(at int, expr, shape string) int {
	m := pattern(expr).FindStringSubmatchIndex(x.s[at:min(len(x.s), at+100)])
	if m == nil || !x.take("code", shape, at+m[2], at+m[3]) {
		return 0
	}
	return at + m[3]
}

// parameter looks at a parameter of an address that opens what the address names,
// as the signature of an address that was shared does.
func (x *search) parameter(at int, w *watch) {
	to := at + len(w.word)
	if !pattern("parameter-before").MatchString(x.s[max(0, at-6):at]) || !strings.HasPrefix(x.s[to:], "=") {
		return
	}
	end := reach(x.s, to+1, to+1025, "&#<>()\\\"'` \t\r\n")
	if v, err := url.PathUnescape(x.s[to+1 : end]); err == nil && fits("signature", v) {
		x.add("url-signature", to+1, end)
	}
}

// longestKey bounds how much of a private key is looked at, in bytes.
const longestKey = 64 << 10

// keyEnd looks at the end of a private key of which the beginning was cut off, and
// takes the lines of base64 before it.
func (x *search) keyEnd(at int, _ *watch) {
	if !pattern("key-end").MatchString(x.s[at:min(len(x.s), at+60)]) {
		return
	}
	near := max(0, at-longestKey)
	if m := pattern("key-lines").FindStringIndex(x.s[near:at]); m != nil && m[1]-m[0] >= 40 {
		x.add("private-key", near+m[0], at)
	}
}
