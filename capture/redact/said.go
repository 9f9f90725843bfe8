package redact

import (
	"strings"
)

// windowSaid is how much of a text after a name is looked at, in bytes.
const windowSaid = 240

// said looks for a secret in the words after a name, or before it.
func (x *search) said(from, to int) {
	password, secret := x.spokenName(from, to)
	if !secret {
		return
	}
	if ambiguous(x.s[from:to]) {
		x.pass(from, to)
		return
	}
	if last := strings.ToLower(x.s[from:to]); last == "passphrase" || last == "mnemonic" {
		x.phrase(to)
	}
	if !x.saidFrom(to, password) && !x.beside(from, to, password) && !x.newValue(to, password) {
		x.before(from, password)
		if password {
			typedBeside(x, from, to)
		}
	}
}

// spokenName says whether a name in prose is that of a password, or of another
// secret: the words before it belong to it, as in "API key".
func (x *search) spokenName(from, to int) (password, secret bool) {
	name := x.s[from:to]
	if password, secret = secretName(name); secret || from < 2 || x.s[from-1] != ' ' {
		return password, secret
	}
	i := from - 1
	for i > 0 && tokenByte(x.s[i-1]) {
		i--
	}
	if i == from-1 {
		return false, false
	}
	return secretName(x.s[i:from-1] + "_" + name)
}

// saidFrom reads on from the end of a name: words that link it to a value, and
// the value.
func (x *search) saidFrom(to int, password bool) bool {
	rest := x.s[to:min(len(x.s), to+windowSaid)]
	m := pattern("between").FindStringIndex(rest)
	if m == nil || m[1] == len(rest) || strings.Count(rest[:m[1]], "\n") > 2 {
		return false
	}
	return x.stated(to+m[1], password, strings.Contains(rest[:m[1]], "\n"))
}

// newValue reads on from the end of a name to the value that it is changed to. A
// password may be changed to many a thing, so only a strong one is taken for it.
func (x *search) newValue(to int, password bool) bool {
	rest := x.s[to:min(len(x.s), to+windowSaid)]
	if !strings.Contains(rest, " to ") && !strings.Contains(rest, " from ") {
		return false
	}
	at := pattern("changed").FindStringIndex(rest)
	if at == nil {
		return false
	}
	word, _, _ := strings.Cut(rest[at[1]:], " ")
	word = strings.Trim(word, "\"'`*(),.;:\r\n")
	return (!password || strong(word) || seasoned(word)) && x.stated(to+at[1], password, false)
}

// stated takes the word at a place for the secret, if it can be one. On a line
// of its own it stands alone.
func (x *search) stated(at int, password, own bool) bool {
	s := x.s
	open := at
	for open < len(s) && open < at+3 && strings.IndexByte("\"'`*(", s[open]) >= 0 {
		open++
	}
	quoted := open > at && s[open-1] != '('
	to := open
	for to < min(len(s), open+windowWord) && strings.IndexByte(" \t\r\n", s[to]) < 0 && !(quoted && s[to] == s[open-1]) {
		to++
	}
	if quoted && to < len(s) && s[to] == s[open-1] { // a word in quotes, not a part of one
		if to+1 < len(s) && (letter(s[to+1]) || s[to+1] == '-') {
			return false
		}
	} else {
		quoted = false
	}
	end := to
	for !quoted && end > open && strings.IndexByte(".,;:)]}\"'`*", s[end-1]) >= 0 {
		end--
	}
	v := s[open:end]
	rest := s[to:x.lineTo(min(to, len(s)))]
	alone := strings.Trim(rest, " \t\r.,;:)]}\"'`*") == "" || end < to && strings.IndexByte(".,;)", s[end]) >= 0
	if own && (strings.TrimSpace(rest) != "" || !strong(v) && password) || !x.believable(v, password, quoted, alone) {
		return false
	}
	x.add("secret", open, end)
	return true
}

// believable says whether a word that prose calls a secret is one.
func (x *search) believable(v string, password, quoted, alone bool) bool {
	if !genuine(v) || elsewhere(v) || novalue(v) || expression(v) || says()["state"][strings.ToLower(v)] {
		return false
	}
	lower, upper, digit, _ := classes(v)
	if !password {
		return len(v) >= 12 && random(v) && digit > 0 && !technical(v) && !worded(v) && !strings.ContainsAny(v, "()/<>[]{}\\|") && !dated(v)
	}
	if quoted && phrase(strings.ReplaceAll(v, "-", " ")) {
		return true
	}
	if chosen(v, quoted) {
		return len(v) >= 6 && (digit == 0 || quoted || !wordlike(v) || lower+upper >= 4)
	}
	return alone && !quoted && lower+upper == len(v) && lower >= len(v)-1 && len(v) >= 6 && distinct(v) >= 5 && !described(v) && !is("sentence", strings.ToLower(v)) && !technical(v)
}

// beside takes the word right after a name for the secret, as in "user admin,
// password X", if it can hardly be anything else.
func (x *search) beside(from, to int, password bool) bool {
	if to >= len(x.s) || x.s[to] != ' ' {
		return false
	}
	at := to + 1
	end := at
	for end < len(x.s) && strings.IndexByte(" \t\r\n", x.s[end]) < 0 {
		end++
	}
	v := strings.Trim(x.s[at:end], ".,;:()[]\"'`*")
	if !password && hexadecimal(v) && len(v) >= 32 && strings.IndexByte("\"'`", x.s[at]) >= 0 && is("refused", wordBefore(x.s, from)) {
		x.add("secret", at+1, at+1+len(v))
		return true
	}
	if password && !strong(v) && !seasoned(v) || !password && (len(v) < 20 || !jumbled(v) || !random(v) || hexadecimal(v) || identifier(v) || strings.ContainsAny(v, "/*&")) {
		return false
	}
	return x.stated(at, password, false)
}

// before looks for "X is the password", and "use X as the password".
func (x *search) before(from int, password bool) {
	start := max(0, from-100)
	back := x.s[start:from]
	if !strings.Contains(back, " is ") && !strings.Contains(back, " as ") && !strings.Contains(back, " was ") {
		return
	}
	m := pattern("assertion").FindStringSubmatchIndex(back)
	if m == nil {
		return
	}
	at, end := start+m[2], start+m[3]
	v := strings.Trim(x.s[at:end], "\"'`*(),.;:")
	at += strings.Index(x.s[at:end], v)
	quoted := at > start+m[2] && strings.IndexByte("\"'`", x.s[at-1]) >= 0
	if password && (strong(v) || seasoned(v) || quoted && chosen(v, true)) || !password && len(v) >= 20 && jumbled(v) && random(v) && genuine(v) && !hexadecimal(v) && !identifier(v) && !strings.ContainsAny(v, "/.()") {
		x.add("secret", at, at+len(v))
	}
}
