package redact

import (
	"net/url"
	"strings"
)

// code looks at what is said to be a PIN, a backup code or the seed of such codes.
func (x *search) code(at int, w *watch) {
	to := at + len(w.word)
	shape := "codes"
	if strings.HasPrefix(w.word, "pin") {
		shape = "numbers"
	}
	switch {
	case pattern("code-before").MatchString(x.s[max(0, at-1):at]), pattern("code-behind").MatchString(x.s[to:min(len(x.s), to+1)]):
	case shape == "numbers" && is("electric", wordBefore(x.s, at)):
	case strings.HasSuffix(w.word, "codes") && x.codeList(to):
	default:
		x.codeBehind(to, shape, w.word)
	}
}

// codeBehind looks at the code behind its name, and at the one that it was changed to.
func (x *search) codeBehind(to int, shape, word string) {
	link := linkFrom(x.s, to)
	next := max(to+link, blanks(x.s, to))
	if next == to {
		return
	}
	rest := x.s[next:min(len(x.s), next+windowSaid)]
	wired := pattern("wired").FindStringSubmatch(rest)
	part := link == 0 && wired != nil && is("wired", strings.ToLower(wired[1]))
	if !part && !article(upTo(rest, " \t\r\n"), word) {
		x.codeAt(next, shape, "code-value")
	}
	if m := pattern("further").FindStringIndex(rest); m != nil {
		x.codeAt(next+m[1], shape, "code-value")
	}
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
	return is("numbered", strings.ToLower(upTo(m[1], "-"))) || m[2] != "" && is("sold", strings.TrimSuffix(word, " key"))
}

// maxCodes bounds how many codes of a list are looked at.
const maxCodes = 24

// codeList takes the codes for secrets that stand in a list behind a name of several, and
// reports whether there was one.
func (x *search) codeList(to int) bool {
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
