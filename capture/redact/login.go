package redact

import (
	"slices"
	"strings"
)

// login reports whether the words before a place, on its line or the one before,
// speak of an account.
func login(s string, at int) bool {
	from := lineFrom(s, max(0, lineFrom(s, at)-1))
	before := strings.ToLower(s[max(from, at-160):at])
	words := strings.FieldsFunc(before, func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.ContainsFunc(words, func(w string) bool { return is("company", w) })
}

// pass reads on from "pass", which has other meanings, to a password: where an
// account is spoken of any, elsewhere one that can hardly be anything else.
func (x *search) pass(from, to int) {
	name := x.s[from:to]
	if name == strings.ToUpper(name) {
		return
	}
	rest := x.s[to:min(len(x.s), to+windowSaid)]
	link := len(pattern("between").FindString(rest))
	linked := link > 0
	if !linked && name[0] != '-' { // "user admin, pass X"
		link = blanks(rest, 0)
	}
	if link == 0 || link == len(rest) {
		return
	}
	v := strings.Trim(upTo(rest[link:], " \t\r\n"), "\"'`*(),.;:")
	before := strings.TrimRight(x.s[x.lineFrom(from):from], " \t\"'*->+")
	apart := pattern("clause-start").MatchString(before) || is("articles", wordBefore(before, len(before)))
	if passes(v, linked, apart, login(x.s, from)) {
		x.stated(to+link, true, strings.Contains(rest[:link], "\n"))
	}
}

// passes reports whether a word behind "pass" is a password: by itself, or because it is linked
// with it, stands apart from what is before, or because an account is spoken of.
func passes(v string, linked, apart, account bool) bool {
	sure := fitsAny(v, "marked", "seasoned")
	switch {
	case sure && linked:
		return true
	case apart && account:
		return fits("told", v)
	case apart || account:
		return sure || typed(v)
	}
	return false
}

// entrance looks at what follows "credentials", "log in" and the like.
func (x *search) entrance(at int, w *watch) {
	last := at + len(w.word) - 1
	if at > 0 && letter(x.s[at-1]) && w.word != "basicauth(" {
		return
	}
	rest := x.s[last:min(x.lineTo(last), last+windowSaid)]
	m := pattern("entering").FindStringSubmatchIndex(rest)
	if m == nil {
		return
	}
	user := strings.ToLower(rest[m[2]:m[3]])
	v := strings.TrimRight(rest[m[4]:m[5]], ".,;:)]}*")
	known := is("users", user) || strings.Contains(user, "@")
	switch {
	case fitsAny(v, "seasoned", "marked"),
		known && fits("entry", v) && !is("users", strings.ToLower(strings.TrimRight(v, "0123456789"))),
		strings.HasPrefix(w.word, "cred") && typed(v):
		x.add("secret", last+m[4], last+m[4]+len(v))
	}
}

// phrase takes four words and more that follow "passphrase is" for one, if they are
// no sentence about it.
func (x *search) phrase(to int) {
	rest := x.s[to:min(x.lineTo(to), to+windowSaid)]
	link := pattern("between").FindString(rest)
	open := span(rest, len(link), "\"'`*")
	v := strings.TrimRight(upTo(rest[open:], ".,;:()\"'`*"), " \t\r")
	words := strings.Split(v, " ")
	about := func(w string) bool { return described(w) || is("prose", w) }
	if link != "" && len(words) >= 4 && phrase(v) && !slices.ContainsFunc(words, about) {
		x.add("secret", to+open, to+open+len(v))
	}
}

// wordBefore is the word before a place, in small letters.
func wordBefore(s string, at int) string {
	before := strings.TrimRight(s[max(0, at-40):at], " \t\"'`*(:")
	return strings.ToLower(before[strings.LastIndexAny(before, " \t\r\n\"'`*(:=")+1:])
}

// pair looks at "admin / X": an account and its password.
func (x *search) pair(at int, _ *watch) {
	line := strings.ToLower(x.s[x.lineFrom(at):at])
	user := line[strings.LastIndexAny(line, " \t\"'`(*")+1:]
	known := is("users", user) || strings.Contains(user, "@") || holdsAny(line, "logins")
	if known || strings.Contains(line, "user") {
		v := upTo(x.s[at+3:min(len(x.s), at+3+windowWord)], " \t\r\n,;:")
		x.paired(at+3, known && !is("planned", strings.ToLower(strings.TrimRight(v, "0123456789"))))
	}
}

// account looks at "admin:X" and "admin/X".
func (x *search) account(at int, w *watch) {
	if begins(x.s, at) && !strings.ContainsAny(x.s[max(0, at-1):at], "/.-_") {
		x.paired(at+len(w.word), strings.HasSuffix(w.word, ":"))
	}
}

// paired takes the word at a place for a password, if it is a strong one, or if a
// weak one may stand there.
func (x *search) paired(at int, weak bool) {
	w, ok := x.wordAt(blanks(x.s, at))
	if !ok {
		return
	}
	if v := x.s[w.from:w.to]; strong(v) || weak && seasoned(v) {
		x.add("secret", w.from, w.to)
	}
}

// identified looks at "IDENTIFIED BY 'X'" of SQL.
func (x *search) identified(at int, w *watch) {
	v, ok := x.value(at+len(w.word), '=', false)
	if !ok || v.quote == 0 || v.quote == '`' {
		return
	}
	text := x.s[v.from:v.to]
	if literal(text) && (x.s[at] == 'I' || strings.ContainsAny(text, "0123456789")) {
		x.add("secret", v.from, v.to)
	}
}
