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

// nameAround returns the bounds of the name in which a word stands. It begins at a place or behind it.
func nameAround(s string, least, at int, word string) (from, to int) {
	return back(s, at, at-least, nameBytes), span(s, at+len(word), nameBytes)
}

// name looks at the name in which a word such as "token" stands: whether it is
// given a value, and whether that is a secret.
func (x *search) name(at int, w *watch) {
	if at < x.named {
		return
	}
	from, to := nameAround(x.s, x.named, at, w.word)
	x.named = to
	if to-from > longestName {
		return
	}
	to = from + len(strings.TrimRight(x.s[from:to], ".")) // the end of a sentence
	if v, ok := given(x.s, to); ok {
		x.assigned(from, to, v)
	} else {
		x.unassigned(from, to)
	}
}

// assigned looks at a name that is given a value.
func (x *search) assigned(from, to int, v value) {
	if parameterName(x.s, from) {
		v.to = reach(x.s, v.from, v.to, "&#")
	}
	password, secret := spokenName(x.s, from, to)
	a := assigned{value: v, x: x, at: from, name: x.s[from:to], password: password}
	a.last, a.text = lastWord(a.name), x.s[v.from:min(v.to, v.from+windowJudged)]
	switch {
	case !secret:
		a.ownKey()
	case a.unvalued():
	case a.secret():
		x.add("secret", v.from, v.to)
	case !a.prose():
	case ambiguous(a.name):
		x.pass(from, to)
	default:
		x.stated(v.from, true)
	}
}

// prose reports whether the value may be prose: what follows "password: ".
func (a *assigned) prose() bool { return a.password && a.mark == ':' && a.quote == 0 }

// parameterName reports whether a name is that of a parameter of an address.
func parameterName(s string, from int) bool {
	return from > 0 && strings.IndexByte("?&", s[from-1]) >= 0
}

// scoped reports whether the name that a place is in has a scope before it, as "AWS::IAM::AccessKey".
func scoped(s string, at int) bool {
	return strings.HasSuffix(s[:back(s, at, longestName, nameBytes)], "::")
}

// unassigned looks at a name that is given no value: an option, a cell of a table, a
// folder, or a word of prose.
func (x *search) unassigned(from, to int) {
	name := x.s[from:to]
	switch {
	case name[0] == '-':
		x.option(name, to)
	case x.folder(name, to):
	case ownKey(x.s, from, name):
		x.keySaid(to)
	default:
		x.inFileName(from, to)
		x.cell(from, to)
		x.said(from, to)
	}
}

// folder takes what lies in a folder that is called by a secret.
func (x *search) folder(name string, to int) bool {
	m := pattern("folder").FindStringIndex(x.s[to:min(len(x.s), to+200)])
	if m == nil || !pattern("folder-name").MatchString(name) {
		return false
	}
	_, secret := secretName(strings.TrimSuffix(name, "s"))
	return secret && x.take("secret", "opaque", to+1, to+m[1])
}

// ownKey reports whether a name is a lone "key", of somebody or in an address.
func ownKey(s string, from int, name string) bool {
	return strings.EqualFold(name, "key") && (parameterName(s, from) || is("owners", wordBefore(s, from)))
}

// keySaid looks at what follows a lone "key" in prose.
func (x *search) keySaid(to int) {
	link := linkFrom(x.s, to)
	word := upTo(x.s[to+link:], " \t\r\n,;")
	if link > 0 && keylike(strings.Trim(word, "\"'`*().")) {
		x.stated(to+link, false)
	}
}

// given finds the value that is given to a name that ends at a place, by any of
// the signs that languages and formats have for it.
func given(s string, to int) (v value, ok bool) {
	end := min(len(s), to+windowSign)
	if m := pattern("apart").FindStringIndex(s[to:end]); m != nil {
		return readValue(s, to+m[1], ':', false)
	}
	account := max(0, to-len("UserPassword"))
	if m := pattern("account-call").FindStringIndex(s[account:end]); m != nil {
		return readValue(s, account+m[1], '(', false)
	}
	m := pattern("given").FindStringSubmatchIndex(s[to:end])
	if m == nil {
		return v, false
	}
	group := slices.IndexFunc(m[2:], func(place int) bool { return place >= 0 })
	sign, at := s[to+m[2+group]:to+m[3+group]], m[1]
	if sign == "(" { // the quote that must follow belongs to the value
		at--
	}
	return readValue(s, to+at, sign[0], at == len(sign))
}

// readValue reads the value at a place, in quotes or bare.
func readValue(s string, at int, mark byte, tight bool) (value, bool) {
	v := value{from: at, mark: mark, tight: tight}
	if m := pattern("quote").FindStringSubmatch(s[at:min(len(s), at+5)]); m != nil {
		v.from, v.quote = at+len(m[0]), m[2][0]
		if v.to = closing(s, v.from, v.quote, m[1] != ""); v.to >= 0 {
			text, _, _ := strings.Cut(s[v.from:v.to], `\n`)
			v.to = v.from + len(text)
			return v, v.to > v.from
		}
	}
	v.quote = 0
	v.to = reach(s, v.from, v.from+windowValue, " \t\r\n\"'`,;<>()\\")
	v.to = v.from + len(withoutEnd(s[v.from:v.to]))
	return v, v.to > v.from
}

// withoutEnd is a bare value without the marks behind it that belong to the text around it.
func withoutEnd(v string) string {
	if strings.HasSuffix(v, "...") {
		return v
	}
	marks := ".:)]}"
	if strings.ContainsAny(v, "{[") {
		marks = ".:)"
	}
	return strings.TrimRight(v, marks)
}

// closing is where a quote is closed on its line, -1 where it is not. One that is itself
// escaped is closed by an escaped one.
func closing(s string, at int, quote byte, escaped bool) int {
	line := upTo(s[at:min(len(s), at+windowValue)], "\n")
	for i := 0; i < len(line); i++ {
		if line[i] == quote {
			return at + len(strings.TrimSuffix(line[:i], `\`))
		}
		if line[i] == '\\' && !escaped {
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

// ownKey takes what is given to a lone "key" for a secret, if it looks like one.
func (a *assigned) ownKey() {
	if ownKey(a.x.s, a.at, a.name) {
		a.x.take("secret", "own-key", a.from, a.to)
	}
}

// secret says whether the value is a secret.
func (a *assigned) secret() bool {
	if a.element() || a.program() || a.otherName() {
		return false
	}
	sort := "given-" + a.sort()
	return fitsAny(a.text, sort, sort+"-"+a.form())
}

// sort says what a name stands for in values.tsv.
func (a *assigned) sort() string {
	switch {
	case is("stored", strings.ToLower(a.name)):
		return "stored"
	case a.last == "salt":
		return "salt"
	case a.password:
		return a.passwordSort()
	case fits("key-name", a.name):
		return "key"
	}
	return "token"
}

// passwordSort tells passwords from what has to be random to be one: what follows a comma, or an
// ambiguous name.
func (a *assigned) passwordSort() string {
	vague := ambiguous(a.name) && !(a.joined() && login(a.x.s, a.at))
	if vague || a.mark == ',' {
		return "pass"
	}
	return "password"
}

// form says how the value is written: in quotes, as the text of an element, as a setting where it stands
// for itself, or bare.
func (a *assigned) form() string {
	switch {
	case a.quote != 0:
		return "quoted"
	case a.mark == '>':
		return "element"
	case a.plain():
		return "plain"
	}
	return "bare"
}

// unvalued reports whether what a name is given is no value of its own: the name again, part of
// another name, or no token of the service that the name speaks of.
func (a *assigned) unvalued() bool {
	foreign := !a.password && !shaped(a.name, a.x.s[a.from:a.to])
	return foreign || a.again() || a.part()
}

// again reports whether the value is the name again, or the end of it.
func (a *assigned) again() bool {
	return !a.joined() && strings.HasSuffix(strings.ToLower(a.name), strings.ToLower(a.text))
}

// part reports whether the name is part of that of a type or of a resource.
func (a *assigned) part() bool {
	if a.mark == ':' && scoped(a.x.s, a.at) {
		return true
	}
	return pattern("unvalued").MatchString(a.x.s[max(0, a.at-longestName):a.at])
}

// element reports whether a value is a number, a pattern or a date, or, behind a comma, only
// the next element of a list.
func (a *assigned) element() bool {
	if a.mark == ',' {
		return !strings.HasSuffix(a.x.s[:max(0, a.at-1)], "(")
	}
	return a.mark == '(' && digits(a.text) || fitsAny(a.text, "expression", "dated")
}

// joined reports whether the value follows "name=" without a blank.
func (a *assigned) joined() bool { return a.tight && a.mark == '=' }

// plain reports whether a bare value stands for itself: in a shell, in a file of settings, or
// in an address.
func (a *assigned) plain() bool {
	switch {
	case a.quote != 0, !a.joined():
		return false
	case a.name[0] == '-', a.name == strings.ToUpper(a.name):
		return true
	}
	return a.entry() || parameterName(a.x.s, a.at)
}

// program reports whether a bare value is an expression of a program.
func (a *assigned) program() bool {
	switch {
	case a.quote != 0, a.mark == '>':
		return false
	case strings.ContainsAny(a.x.s[a.to:min(len(a.x.s), a.to+1)], "(["), fits("operators", a.text):
		return true
	}
	return !a.plain() && fits("program", a.text)
}

// otherName reports whether the value is the name of a secret as well, or stands in a call
// of what may only look for one.
func (a *assigned) otherName() bool {
	if a.mark == '(' {
		return !passwordWord("", a.last) && !is("secretwords", a.last)
	}
	_, secret := secretName(a.text)
	return secret && !a.password && identifier(a.text)
}

// entry reports whether nothing stands on the line but "name=value".
func (a *assigned) entry() bool {
	line := strings.TrimSpace(a.x.s[lineFrom(a.x.s, a.from):lineTo(a.x.s, a.to)])
	return pattern("entry").MatchString(line) && strings.HasSuffix(line, a.x.s[a.from:a.to])
}

// service looks at the name in which a service's name stands. Its value is only
// taken for a secret if it could not be much else.
func (x *search) service(at int, w *watch) {
	if at < x.named {
		return
	}
	from, to := nameAround(x.s, x.named, at, w.word)
	name := x.s[from:to]
	words := nameWords(name)
	innocent := func(w string) bool { return isAny(w, "about", "harmless", "revisions") }
	if !slices.Contains(words, w.word) || slices.ContainsFunc(words, innocent) {
		return
	}
	shape := "keylike"
	if words[len(words)-1] == "key" {
		shape = "service-key"
	}
	if v, ok := given(x.s, to); ok && shaped(name, x.s[v.from:v.to]) {
		x.take("secret", shape, v.from, v.to)
	}
}
