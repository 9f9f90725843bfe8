package redact

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is looked at as base64.
const (
	shortestEncoded = 12
	longestEncoded  = 64 << 10
)

// encodedStarts are the letters of base64 that stand for the six bits at the beginning of a
// letter, which has a zero before them.
const encodedStarts = "IJKLMNOPQRSTUVWXYZabcdef"

// encodesText reports whether the beginning of a run may be text in base64.
func encodesText(s string) bool {
	for _, i := range []int{0, 4, 8} {
		if strings.IndexByte(encodedStarts, s[i]) < 0 {
			return false
		}
	}
	return true
}

// encoded64 looks into a run of letters and digits that may be text in base64: an account
// with its password, or anything that holds a secret.
func encoded64(x *search, from, to int) {
	if x.part || from < x.encoded || pattern("within-encoded").MatchString(x.s[max(0, from-2):from]) {
		return
	}
	to = encodedEnd(x.s, to)
	x.encoded = to
	text, ok := decoded(x.s[from:to])
	if !ok {
		return
	}
	y := &search{s: text, part: true}
	y.scan(watches())
	if entry64(text) || len(ordered(text, y.found)) > 0 {
		x.add("secret", from, to)
	}
}

// encodedEnd is the end of the base64 that goes on at a place.
func encodedEnd(s string, at int) int {
	end := min(span(s, at, wordLetters+"+/"), at+longestEncoded)
	return min(span(s, end, "="), end+2)
}

// decoded returns the text that base64 holds; false where it is none, or no text.
func decoded(s string) (string, bool) {
	s = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	data, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil || !utf8.Valid(data) {
		return "", false
	}
	text := string(data)
	bad := func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' && r != '\r' && r != '\t' }
	return text, strings.IndexFunc(strings.TrimRight(text, "\x00"), bad) < 0
}

// entry64 reports whether a text that base64 held is an account and its password.
func entry64(text string) bool {
	m := pattern("account-entry").FindStringSubmatch(text)
	return m != nil && !digits(m[1]) && fits("entry-value", m[2])
}

// basic looks at "Basic X" wherever it stands: X holds an account and its password.
func basic(x *search, at int, w *watch) {
	from := at + len(w.word)
	to := encodedEnd(x.s, from)
	if to-from < 8 || x.part || !begins(x.s, at) {
		return
	}
	text, ok := decoded(x.s[from:to])
	if ok && genuine(text) && pattern("basic-entry").MatchString(text) && !samplePassword(text[strings.IndexByte(text, ':')+1:]) {
		x.add("auth-header", from, to)
	}
}

// samplePassword reports whether a word stands for a password in every manual.
func samplePassword(v string) bool { return is("samplepasswords", strings.ToLower(v)) }

// encodedElement looks at an element of XML that says that its text is base64.
func encodedElement(x *search, at int, w *watch) {
	m := pattern("element-name").FindStringSubmatch(x.s[max(0, at-80):at])
	from := at + len(w.word)
	to := encodedEnd(x.s, from)
	if m == nil || to-from < 4 || !strings.HasPrefix(x.s[to:], "<") {
		return
	}
	if _, secret := secretName(m[1]); secret {
		x.add("secret", from, to)
	}
}
