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

// encoded64 looks into a run of letters and digits that may be text in base64: an account
// with its password, or anything that holds a secret.
func encoded64(x *search, from, to int) {
	before := x.s[max(0, from-2):from]
	text := pattern("encoded-text").MatchString(x.s[from:to]) && !pattern("within-encoded").MatchString(before)
	if x.part || from < x.encoded || !text {
		return
	}
	x.decode(from)
}

// decode looks into the base64 that begins at a place.
func (x *search) decode(from int) {
	text, end := decodedAt(x.s, from)
	x.encoded = end
	if entry := pattern("account-entry").FindStringSubmatch(text); entry != nil && fits("entry-value", entry[1]) {
		x.add("secret", from, end)
		return
	}
	y := &search{s: text, part: true}
	y.scan(watches())
	if len(ordered(text, y.found)) > 0 {
		x.add("secret", from, end)
	}
}

// decodedAt returns the text that base64 holds which begins at a place, and where it ends.
func decodedAt(s string, at int) (text string, end int) {
	end = min(span(s, at, wordLetters+"+/"), at+longestEncoded)
	end = min(span(s, end, "="), end+2)
	return decoded(s[at:end]), end
}

// decoded returns the text that base64 holds, "" where it is none, or no text.
func decoded(s string) string {
	s = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	data, err := base64.RawStdEncoding.DecodeString(s)
	text := strings.TrimRight(string(data), "\x00")
	bad := func(r rune) bool { return !unicode.IsPrint(r) && !strings.ContainsRune("\n\r\t", r) }
	if err != nil || !utf8.ValidString(text) || strings.IndexFunc(text, bad) >= 0 {
		return ""
	}
	return text
}

// basic looks at "Basic X" wherever it stands: X holds an account and its password.
func basic(x *search, at int, w *watch) {
	from := at + len(w.word)
	text, end := decodedAt(x.s, from)
	if m := pattern("basic-entry").FindStringSubmatch(text); m != nil && begins(x.s, at) && fits("basic-value", m[1]) {
		x.add("auth-header", from, end)
	}
}

// encodedElement looks at an element of XML that says that its text is base64.
func encodedElement(x *search, at int, w *watch) {
	m := pattern("element-name").FindStringSubmatch(x.s[max(0, at-80):at])
	from := at + len(w.word)
	_, end := decodedAt(x.s, from)
	if m == nil || end == from {
		return
	}
	if _, secret := secretName(m[1]); secret {
		x.add("secret", from, end)
	}
}
