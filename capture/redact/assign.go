package redact

import (
	"slices"
	"strings"
)

// value is the place in a text of the value that a name is given.
type value struct {
	from, to int
	quote    byte // 0 where there is none
	tight    bool // "name=value" without a blank, as in a shell
	mark     byte // the first byte of the sign between them
}

// nameBytes are the bytes of the name of a variable, a field or an option.
const nameBytes = wordLetters + "."

// longestName bounds the names that are looked at, in bytes: what is longer is
// no name.
const longestName = 100

// windowSign is how far behind a name its value may begin, in bytes.
const windowSign = 300

// nameAround is where the name begins and ends in which a word stands.
func (x *search) nameAround(at int, w *watch) (from, to int) {
	from = back(x.s, at, at-x.named, nameBytes)
	return from, span(x.s, at+len(w.word), nameBytes)
}

// name looks at the name in which a word such as "token" stands: whether it is
// given a value, and whether that is a secret.
func (x *search) name(at int, w *watch) {
	if at < x.named {
		return
	}
	from, to := x.nameAround(at, w)
	x.named = to
	if to-from > longestName {
		return
	}
	to = from + len(strings.TrimRight(x.s[from:to], ".")) // the end of a sentence
	if v, ok := x.given(to); ok {
		x.assigned(from, to, v)
	} else {
		x.unassigned(from, to)
	}
}

// assigned looks at a name that is given a value.
func (x *search) assigned(from, to int, v value) {
	name := x.s[from:to]
	if parameterName(x.s, from) {
		v.to = reach(x.s, v.from, v.to, "&#")
	}
	password, secret := x.spokenName(from, to)
	text := x.s[v.from:v.to]
	switch {
	case !secret:
		if x.ownKey(from, name) && fitsAny(text, "keylike", "strong") {
			x.add("secret", v.from, v.to)
		}
	case !password && !shaped(name, text), x.unvalued(from, name, v):
	case x.judge(from, name, v, password):
		x.add("secret", v.from, v.to)
	case password && v.mark == ':' && v.quote == 0:
		x.described(from, to, v)
	}
}

// unvalued reports whether what a name is given is no value of its own: the name again, the verdict
// of a test, or part of another name.
func (x *search) unvalued(from int, name string, v value) bool {
	text := x.s[v.from:v.to]
	switch {
	case v.mark == ':' && scoped(x.s, from), ambiguous(name) && fits("tests", text):
		return true
	case pattern("unvalued").MatchString(x.s[max(0, from-longestName):from]):
		return true
	}
	joined := v.tight && v.mark == '='
	return !joined && strings.HasSuffix(strings.ToLower(name), strings.ToLower(text))
}

// scoped reports whether the name that a place is in has a scope before it, as "AWS::IAM::AccessKey".
func scoped(s string, at int) bool {
	return strings.HasSuffix(s[:back(s, at, longestName, nameBytes)], "::")
}

// described looks at what follows "password: " for a secret in prose.
func (x *search) described(from, to int, v value) {
	if ambiguous(x.s[from:to]) {
		x.pass(from, to)
	} else {
		x.stated(v.from, true, false)
	}
}

// parameterName reports whether the name at a place is that of a parameter of an address.
func parameterName(s string, from int) bool {
	return from > 0 && strings.IndexByte("?&", s[from-1]) >= 0
}

// unassigned looks at a name that is given no value: an option, a cell of a table, a
// folder, or a word of prose.
func (x *search) unassigned(from, to int) {
	name := x.s[from:to]
	if name[0] == '-' {
		x.option(name, to)
		return
	}
	if part := pattern("folder").FindString(x.s[to:min(len(x.s), to+200)]); part != "" && fits("opaque", part[1:]) {
		if _, secret := secretName(strings.TrimSuffix(name, "s")); secret && pattern("folder-name").MatchString(name) {
			x.add("secret", to+1, to+len(part))
			return
		}
	}
	if at, end, ok := inFileName(x.s, from, to); ok {
		x.add("secret", at, end)
	}
	x.cell(from, to)
	if !x.ownKey(from, name) {
		x.said(from, to)
		return
	}
	rest := x.s[to:min(len(x.s), to+windowSaid)]
	if m := pattern("between").FindStringIndex(rest); m != nil && keylike(strings.Trim(upTo(rest[m[1]:], " \t\r\n,;"), "\"'`*().")) {
		x.stated(to+m[1], false, false)
	}
}

// ownKey reports whether a name is a lone "key", of somebody, of a service, or in an address.
func (x *search) ownKey(from int, name string) bool {
	w := wordBefore(x.s, from)
	return strings.EqualFold(name, "key") && (parameterName(x.s, from) || is("owners", w) || is("services", w))
}

// given finds the value that is given to a name that ends at a place, by any of
// the signs that languages and formats have for it.
func (x *search) given(to int) (v value, ok bool) {
	rest := x.s[to:min(len(x.s), to+windowSign)]
	if m := pattern("apart").FindStringIndex(rest); m != nil && holdsAny(rest, "valuewords") {
		return x.value(to+m[1], ':', false)
	}
	m := pattern("given").FindStringSubmatchIndex(rest)
	if m == nil {
		return v, false
	}
	group := slices.IndexFunc(m[2:], func(place int) bool { return place >= 0 })
	from, end, at := m[2+group], m[3+group], m[1]
	sign := rest[from:end]
	switch {
	case sign == ":" && strings.HasPrefix(rest[end:], ":"):
		return v, false
	case sign == "(": // the quote that must follow belongs to the value
		at--
		if account := max(0, to-len("UserPassword")); strings.EqualFold(x.s[account:to], "UserPassword") {
			at += len(pattern("argument").FindString(rest[at:]))
		}
	}
	return x.value(to+at, sign[0], at == len(sign))
}

// value reads the value at a place, in quotes or bare.
func (x *search) value(at int, mark byte, tight bool) (value, bool) {
	v := value{from: at, mark: mark, tight: tight}
	if m := pattern("quote").FindStringSubmatch(x.s[at:min(len(x.s), at+5)]); m != nil {
		v.from, v.quote = at+len(m[0]), m[2][0]
		if v.to = closing(x.s, v.from, v.quote, m[1] != ""); v.to >= 0 {
			text, _, _ := strings.Cut(x.s[v.from:v.to], `\n`)
			v.to = v.from + len(text)
			return v, v.to > v.from
		}
	}
	v.quote = 0
	v.to = reach(x.s, v.from, v.from+windowValue, " \t\r\n\"'`,;<>()\\")
	text := x.s[v.from:v.to]
	if marks := ".:)"; !strings.HasSuffix(text, "...") {
		if !strings.ContainsAny(text, "{[") {
			marks += "]}"
		}
		v.to = v.from + len(strings.TrimRight(text, marks))
	}
	return v, v.to > v.from
}

// closing is where a quote is closed on its line, -1 where it is not. One that is itself
// escaped is closed by an escaped one.
func closing(s string, at int, quote byte, escaped bool) int {
	for i := at; i < min(len(s), at+windowValue) && s[i] != '\n'; i++ {
		switch {
		case s[i] == quote:
			return at + len(strings.TrimSuffix(s[at:i], `\`))
		case s[i] == '\\' && !escaped:
			i++
		}
	}
	return -1
}

// assigned is a name that speaks of a secret, with the value that it is given.
type assigned struct {
	value
	x        *search
	at       int // where the name begins
	name     string
	last     string // the last word of the name
	text     string // of the value, as far as it is looked at
	password bool
}

// judge says whether a value given to a name that speaks of a secret, and stands
// at a place, is one.
func (x *search) judge(at int, name string, v value, password bool) bool {
	text := x.s[v.from:min(v.to, v.from+windowWord)]
	a := assigned{value: v, x: x, at: at, name: name, last: lastWord(name), text: text, password: password}
	switch {
	case a.mark != ',' && a.stored():
		return literal(text)
	case a.element(), a.program(), a.otherName():
		return false
	case a.strong():
		return true
	}
	return len(text) >= 4 && !placeholder(text) && a.weak()
}

// element reports whether a value is a number, a pattern or a date, or, behind a comma, only
// the next element of a list.
func (a *assigned) element() bool {
	opened := a.at >= 2 && a.x.s[a.at-2] == '('
	number := a.mark == '(' && !a.password && digits(a.text)
	return a.mark == ',' && !opened || number || fitsAny(a.text, "expression", "dated")
}

// joined reports whether the value follows "name=" without a blank.
func (a *assigned) joined() bool { return a.tight && a.mark == '=' }

// shell reports whether the name is a variable of a shell.
func (a *assigned) shell() bool {
	return a.quote == 0 && a.joined() && a.name == strings.ToUpper(a.name)
}

// plain reports whether a bare value stands for itself: in a shell, in a file of settings, or
// in an address.
func (a *assigned) plain() bool {
	return a.joined() && (a.shell() || a.entry() || parameterName(a.x.s, a.at))
}

// program reports whether a bare value is an expression of a program.
func (a *assigned) program() bool {
	if a.quote != 0 {
		return false
	}
	called := strings.HasPrefix(a.x.s[a.to:], "(") || strings.HasPrefix(a.x.s[a.to:], "[")
	if called || fits("operators", a.text) {
		return true
	}
	return fitsAny(a.text, "identifier", "braces") && !a.plain() && !seasoned(a.text)
}

// otherName reports whether the value is the name of a secret as well, or stands in a call
// of what may only look for one.
func (a *assigned) otherName() bool {
	if a.mark == '(' {
		return !passwordWord(a.last) && !is("secretwords", a.last)
	}
	_, secret := secretName(a.text)
	return secret && !a.password && identifier(a.text)
}

// strong reports whether the value is random enough to be a secret by itself.
func (a *assigned) strong() bool {
	switch {
	case a.last == "salt":
		return fits("random-salt", a.text) && (a.quote == 0 || !hexadecimal(a.text))
	case a.password && a.quote != 0:
		return fitsAny(a.text, "random-password", "mixed")
	case a.password:
		return fits("random-password", a.text) && !worded(a.text)
	}
	return fits("random-token", a.text) && shaped(a.name, a.text)
}

// weak reports whether a value that is not random is a secret by the place where it stands.
func (a *assigned) weak() bool {
	quoted := a.quote != 0
	switch {
	case a.mark == ',':
		return false
	case fits("key-name", a.name):
		return quoted && fitsAny(a.text, "salt", "phrase")
	case a.password && !ambiguous(a.name), a.password && a.joined() && login(a.x.s, a.at):
		return a.plain() && literal(a.text) || quoted && phrase(a.text) || chosen(a.text, quoted || a.mark == '>')
	case a.name[0] == '-' || a.shell() && is("secretwords", a.last):
		return fits("numbered", a.text)
	}
	return false
}

// stored reports whether the value is the password in the settings of a program that stores one:
// of Robomongo and its like, and of FileZilla.
func (a *assigned) stored() bool {
	if a.mark == '>' {
		return a.name == "Pass" && strings.ContainsAny(a.text, "0123456789")
	}
	return is("stored", strings.ToLower(a.name))
}

// ambiguous reports whether a name in itself says too little: tests pass, and a
// shell knows its working directory as PWD.
func ambiguous(name string) bool {
	words := nameWords(name)
	return is("ambiguous", lastWord(name)) && (len(words) == 1 || strings.Contains(name, "-"))
}

// entry reports whether nothing stands on the line but "name=value".
func (a *assigned) entry() bool {
	line := strings.TrimSpace(a.x.s[a.x.lineFrom(a.from):a.x.lineTo(a.to)])
	return a.quote == 0 && pattern("entry").MatchString(line) && strings.HasSuffix(line, a.x.s[a.from:a.to])
}

// lastWord is the last word of a name.
func lastWord(name string) string {
	words := nameWords(name)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// service looks at the name in which a service's name stands. Its value is only
// taken for a secret if it could not be much else.
func (x *search) service(at int, w *watch) {
	if at < x.named {
		return
	}
	from, to := x.nameAround(at, w)
	name := x.s[from:to]
	v, ok := x.given(to)
	if !ok || len(name) > longestName || v.mark == '(' || v.mark == ',' && v.to-v.from < 40 {
		return
	}
	words := nameWords(name)
	if _, secret := secretName(name); secret || !slices.Contains(words, w.word) { // see name
		return
	}
	if slices.ContainsFunc(words, func(w string) bool { return is("about", w) || is("harmless", w) || is("revisions", w) }) {
		return
	}
	text := x.s[v.from:v.to]
	if uuid(text) && lastWord(name) == "key" || keylike(text) && shaped(name, text) {
		x.add("secret", v.from, v.to)
	}
}
