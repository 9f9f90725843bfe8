package redact

import (
	"net/url"
	"regexp"
	"strings"
)

// code looks at what is said to be a PIN, a backup code or the seed of such codes.
func (x *search) code(at int, w *watch) {
	to := at + len(w.word)
	pin := strings.HasPrefix(w.word, "pin")
	if !codeName(x.s, at, to) || pin && is("electric", wordBefore(x.s, at)) || codeList(x, to, w) {
		return
	}
	shape := pattern("codes")
	if pin {
		shape = pattern("numbers")
	}
	rest := x.s[to:min(len(x.s), to+windowSaid)]
	link := pattern("between").FindString(rest)
	next := len(link)
	if link == "" || strings.Contains(link, "\n") {
		link, next = "", blanks(rest, 0)
	}
	if next == 0 {
		return
	}
	m := pattern("wired").FindStringSubmatch(rest[next:])
	part := w.word == "pin" && link == "" && m != nil && is("wired", strings.ToLower(m[1]))
	if !part && !article(upTo(rest[next:], " \t\r\n"), w.word) {
		x.codeAt(to+next, shape, false)
	}
	if m := pattern("further").FindStringIndex(rest[next:]); m != nil {
		x.codeAt(to+next+m[1], shape, false)
	}
}

// codeName reports whether the name of a code stands alone from one place to another.
func codeName(s string, from, to int) bool {
	return !pattern("code-before").MatchString(s[max(0, from-1):from]) && !pattern("code-behind").MatchString(s[to:min(len(s), to+1)])
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
func codeList(x *search, to int, w *watch) bool {
	if !strings.HasSuffix(w.word, "codes") {
		return false
	}
	found := false
	for range maxCodes {
		gap := pattern("listed").FindString(x.s[to:min(len(x.s), to+80)])
		end := x.codeAt(to+len(gap), pattern("codes"), true)
		if gap == "" || end == 0 {
			break
		}
		to, found = end, true
	}
	return found
}

// codeAt takes what stands at a place for a code, if it has the shape of one, and returns
// its end, 0 where there is none. Of a list, it may have the shape of a measure too.
func (x *search) codeAt(at int, shape *regexp.Regexp, list bool) int {
	m := shape.FindStringSubmatchIndex(x.s[at:min(len(x.s), at+100)])
	if m == nil {
		return 0
	}
	from, to := at+m[2], at+m[3]
	if v := x.s[from:to]; !fits("code-value", v) && !(list && fits("code-listed", v)) {
		return 0
	}
	x.add("code", from, to)
	return to
}

// parameter looks at a parameter of an address that opens what the address names,
// as the signature of an address that was shared does.
func (x *search) parameter(at int, w *watch) {
	to := at + len(w.word)
	if !pattern("parameter-before").MatchString(x.s[max(0, at-6):at]) || !strings.HasPrefix(x.s[to:], "=") {
		return
	}
	from := to + 1
	to = reach(x.s, from, from+1024, "&#<>()\\\"'` \t\r\n")
	v, err := url.PathUnescape(x.s[from:to])
	if err != nil {
		v = x.s[from:to]
	}
	if fits("signature", v) {
		x.add("url-signature", from, to)
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
