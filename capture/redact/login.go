package redact

import (
	"slices"
	"strings"
)

// login reports whether the words before a place, on its line or the one before,
// speak of an account.
func login(s string, at int) bool {
	from := lineFrom(s, at)
	if from > 0 {
		from = lineFrom(s, from-1)
	}
	words := strings.FieldsFunc(strings.ToLower(s[max(from, at-160):at]), func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.ContainsFunc(words, func(w string) bool { return is("company", w) })
}

// pass reads on from "pass", which has other meanings, to a password: where an
// account is spoken of any, elsewhere one that can hardly be anything else.
func (x *search) pass(from, to int) {
	name := x.s[from:to]
	if name == "PASS" || name == "PWD" || name == "OLDPWD" {
		return
	}
	rest := x.s[to:min(len(x.s), to+windowSaid)]
	m, beside := pattern("between").FindStringIndex(rest), false
	if m == nil && blanks(rest, 0) > 0 && x.s[from] != '-' { // "user admin, pass X"
		m, beside = []int{0, blanks(rest, 0)}, true
	}
	if m == nil || m[1] == len(rest) {
		return
	}
	v := strings.Trim(upTo(rest[m[1]:], " \t\r\n"), "\"'`*(),.;:")
	before := strings.TrimRight(x.s[x.lineFrom(from):from], " \t\"'*->+")
	apart := before == "" || strings.IndexByte(",;/|:", before[len(before)-1]) >= 0 || is("articles", strings.ToLower(before[strings.LastIndexByte(before, ' ')+1:]))
	told := strings.ContainsAny(v, "0123456789!@#$%^&*?~+") && !strings.HasPrefix(v, "Test") // no state of a test
	account := login(x.s, from)
	if !beside && (marked(v) || seasoned(v)) || (apart || account) && told && (marked(v) || seasoned(v) || typed(v)) || apart && told && account {
		x.stated(to+m[1], true, false)
	}
}

// entrance looks at what follows "credentials", "log in" and the like.
func (x *search) entrance(at int, w *watch) {
	from := at + len(w.word)
	if at > 0 && letter(x.s[at-1]) && w.word != "basicauth(" {
		return
	}
	if strings.HasSuffix(w.word, "(") {
		from--
	}
	if from < len(x.s) && x.s[from] == 's' {
		from++
	}
	if from < len(x.s) && tokenByte(x.s[from]) {
		return
	}
	rest := x.s[from:min(x.lineTo(from), from+windowSaid)]
	m := pattern("entering").FindStringSubmatchIndex(rest)
	if m == nil {
		return
	}
	user := strings.ToLower(rest[m[2]:m[3]])
	v := strings.TrimRight(rest[m[4]:m[5]], ".,;:)]}*")
	stem := strings.ToLower(strings.TrimRight(v, "0123456789"))
	known := is("users", user) || strings.Contains(user, "@")
	told := typed(v) && strings.HasPrefix(w.word, "cred") && strings.ContainsAny(rest[m[3]:m[4]], "/:")
	if seasoned(v) || marked(v) || told || known && (strong(v) || chosen(v, false) && strings.ContainsAny(v, "0123456789") && !is("users", stem) && !strings.Contains(v, "@")) {
		x.add("secret", from+m[4], from+m[4]+len(v))
	}
}

// phrase takes four words and more that follow "passphrase is" for one, if they are
// no sentence about it.
func (x *search) phrase(to int) {
	rest := x.s[to:min(x.lineTo(to), to+windowSaid)]
	m := pattern("between").FindStringIndex(rest)
	if m == nil {
		return
	}
	open := m[1] + len(rest[m[1]:]) - len(strings.TrimLeft(rest[m[1]:], "\"'`*"))
	v := strings.TrimRight(upTo(rest[open:], ".,;:()\"'`*"), " \t\r")
	words := strings.Split(v, " ")
	if len(words) >= 4 && phrase(v) && !slices.ContainsFunc(words, func(w string) bool { return described(w) || is("prose", w) }) {
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
	from := at
	for from > 0 && from > at-60 && strings.IndexByte(" \t\r\n\"'`(*", x.s[from-1]) < 0 {
		from--
	}
	line := strings.ToLower(x.s[x.lineFrom(at):at])
	user := strings.ToLower(x.s[from:at])
	known := is("users", user) || strings.Contains(user, "@") || strings.Contains(line, "login") || strings.Contains(line, "credential") ||
		strings.Contains(line, "log in") || strings.Contains(line, "sign in") || strings.Contains(line, "creds")
	if known || strings.Contains(line, "user") {
		v := upTo(x.s[at+3:min(len(x.s), at+3+windowWord)], " \t\r\n,;:")
		x.paired(at+3, known && !is("planned", strings.ToLower(strings.TrimRight(v, "0123456789"))))
	}
}

// account looks at "admin:X" and "admin/X".
func (x *search) account(at int, w *watch) {
	if begins(x.s, at) && (at == 0 || strings.IndexByte("/.-_", x.s[at-1]) < 0) {
		x.paired(at+len(w.word), strings.HasSuffix(w.word, ":"))
	}
}

// paired takes the word at a place for a password, if it is a strong one, or if a
// weak one may stand there.
func (x *search) paired(at int, weak bool) {
	at = blanks(x.s, at)
	for at < len(x.s) && strings.IndexByte("\"'`*", x.s[at]) >= 0 {
		at++
	}
	end := at
	for end < len(x.s) && strings.IndexByte(" \t\r\n\"'`*", x.s[end]) < 0 {
		end++
	}
	for end > at && strings.IndexByte(".,;:)]", x.s[end-1]) >= 0 {
		end--
	}
	if v := x.s[at:end]; strong(v) || weak && seasoned(v) {
		x.add("secret", at, end)
	}
}

// identified looks at "IDENTIFIED BY 'X'" of SQL.
func (x *search) identified(at int, w *watch) {
	if v, ok := x.value(at+len(w.word), '=', false); ok && (v.quote == '\'' || v.quote == '"') &&
		literal(x.s[v.from:v.to]) && (x.s[at] == 'I' || strings.ContainsAny(x.s[v.from:v.to], "0123456789")) {
		x.add("secret", v.from, v.to)
	}
}
