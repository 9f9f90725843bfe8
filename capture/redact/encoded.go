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

// encodesText reports whether the beginning of a run may be text in base64: the first of
// four letters holds six bits of a letter, which has a zero before them.
func encodesText(s string) bool {
	for i := 0; i < 12; i += 4 {
		if c := s[i]; c < 'I' || c > 'f' || c > 'Z' && c < 'a' {
			return false
		}
	}
	return true
}

// encoded64 looks into a run of letters and digits that may be text in base64: an account
// with its password, or anything that holds a secret.
func encoded64(x *search, from, to int) {
	s := x.s
	if x.part || from < x.encoded || from > 0 && (s[from-1] == '+' || s[from-1] == '/' && (from < 2 || s[from-2] != '/')) {
		return
	}
	to = encodedEnd(s, to)
	x.encoded = to
	text, ok := decoded(s[from:to])
	if !ok {
		return
	}
	if user, password, ok := strings.Cut(text, ":"); ok && entry64(user, password) {
		x.add("secret", from, to)
		return
	}
	y := &search{s: text, part: true}
	y.scan(watches())
	if len(ordered(text, y.found)) > 0 {
		x.add("secret", from, to)
	}
}

// encodedEnd is the end of the base64 that goes on at a place.
func encodedEnd(s string, at int) int {
	end := at
	for end < len(s) && end-at < longestEncoded && (tokenByte(s[end]) || s[end] == '+' || s[end] == '/') {
		end++
	}
	for i := 0; i < 2 && end < len(s) && s[end] == '='; i++ {
		end++
	}
	return end
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

// entry64 holds for an account and a password that base64 held.
func entry64(user, password string) bool {
	password = strings.TrimRight(password, "\r\n")
	if user == "" || len(user) > 64 || strings.Trim(user, wordLetters+".@+|") != "" || digits(user) {
		return false
	}
	return len(password) >= 4 && len(password) <= 128 && !strings.ContainsAny(password, " \t\r\n") && !strings.HasPrefix(password, "/") &&
		!is("samplepasswords", strings.ToLower(password)) && genuine(password) && !novalue(password)
}

// basic looks at "Basic X" wherever it stands: X holds an account and its password.
func basic(x *search, at int, w *watch) {
	from := at + len(w.word)
	to := encodedEnd(x.s, from)
	if to-from < 8 || !begins(x.s, at) || x.part {
		return
	}
	text, ok := decoded(x.s[from:to])
	user, password, pair := strings.Cut(text, ":")
	if ok && pair && user != "" && len(password) >= 3 && !is("samplepasswords", strings.ToLower(password)) && genuine(text) {
		x.add("auth-header", from, to)
	}
}

// encodedElement looks at an element of XML that says that its text is base64.
func encodedElement(x *search, at int, w *watch) {
	s := x.s
	open := strings.LastIndexByte(s[max(0, at-80):at], '<')
	if open < 0 {
		return
	}
	name := upTo(s[max(0, at-80)+open+1:at], " \t\r\n")
	from := at + len(w.word)
	to := encodedEnd(s, from)
	if _, secret := secretName(name); secret && to-from >= 4 && to < len(s) && s[to] == '<' {
		x.add("secret", from, to)
	}
}
