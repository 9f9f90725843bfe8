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
	ends     bool // nothing but marks follows on the line
}

// nameByte reports whether a byte may stand in the name of a variable, a field
// or an option.
func nameByte(c byte) bool { return tokenByte(c) || c == '.' }

// longestName bounds the names that are looked at, in bytes: what is longer is
// no name.
const longestName = 100

// nameAround is where the name begins and ends in which a word stands.
func (x *search) nameAround(at int, w *watch) (from, to int) {
	from, to = at, at+len(w.word)
	for from > x.named && nameByte(x.s[from-1]) {
		from--
	}
	for to < len(x.s) && nameByte(x.s[to]) {
		to++
	}
	return from, to
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
	for to > from && x.s[to-1] == '.' { // the end of a sentence
		to--
	}
	name := x.s[from:to]
	v, ok := x.given(to)
	if !ok {
		x.unassigned(from, to)
		return
	}
	password, secret := x.spokenName(from, to)
	address := from > 0 && strings.IndexByte("?&", x.s[from-1]) >= 0
	if !secret && !(address && name == "key") {
		if x.ownKey(from, name) && keylike(x.s[v.from:v.to]) {
			x.add("secret", v.from, v.to)
		}
		return
	}
	if address {
		if i := strings.IndexAny(x.s[v.from:v.to], "&#"); i >= 0 {
			v.to = v.from + i
		}
	}
	if text := x.s[v.from:v.to]; !secret {
		if strong(text) || keylike(text) {
			x.add("secret", v.from, v.to)
		}
		return
	}
	if !password && !shaped(name, x.s[v.from:v.to]) {
		return
	}
	if x.judge(from, name, v, password) {
		x.add("secret", v.from, v.to)
	} else if password && v.mark == ':' && v.quote == 0 {
		if ambiguous(name) {
			x.pass(from, to)
		} else {
			x.stated(v.from, true, false)
		}
	}
}

// unassigned looks at a name that is given no value: an option, a cell of a table, a
// folder, or a word of prose.
func (x *search) unassigned(from, to int) {
	name := x.s[from:to]
	if name[0] == '-' {
		x.option(name, to)
		return
	}
	if to < len(x.s) && x.s[to] == '/' {
		part := upTo(x.s[to+1:min(len(x.s), to+200)], "/.?&#:,;<>()[]{}\"'` \t\r\n")
		if _, secret := secretName(strings.TrimSuffix(name, "s")); secret && wordlike(name) && len(part) >= 24 && keylike(part) && jumbled(part) && !hexadecimal(part) {
			x.add("secret", to+1, to+1+len(part))
			return
		}
	}
	if at, end, ok := inFileName(x.s, from, to); ok {
		x.add("secret", at, end)
	}
	x.cell(from, to)
	if x.ownKey(from, name) {
		rest := x.s[to:min(len(x.s), to+windowSaid)]
		if m := pattern("between").FindStringIndex(rest); m != nil && keylike(strings.Trim(upTo(rest[m[1]:], " \t\r\n,;"), "\"'`*().")) {
			x.stated(to+m[1], false, false)
		}
		return
	}
	x.said(from, to)
}

// ownKey reports whether a name is a lone "key", of somebody or of a service.
func (x *search) ownKey(from int, name string) bool {
	if !strings.EqualFold(name, "key") {
		return false
	}
	w := wordBefore(x.s, from)
	return is("owners", w) || is("services", w)
}

// given finds the value that is given to a name that ends at a place, by any of
// the signs that languages and formats have for it.
func (x *search) given(to int) (v value, ok bool) {
	s, i := x.s, to
	if i < len(s) && s[i] == '\\' {
		i++
	}
	closed := i
	for i < len(s) && i < closed+2 && strings.IndexByte("\"'`]", s[i]) >= 0 {
		i++
	}
	quoted := i > closed && s[i-1] != ']'
	if v, ok := x.field(to); ok {
		return v, true
	}
	if strings.HasPrefix(s[i:], " value=") {
		return x.value(i+7, '=', true)
	}
	j := blanks(s, i)
	if !quoted && j > i && (strings.HasPrefix(s[j:], "string") || strings.HasPrefix(s[j:], "String")) {
		j = blanks(s, j+6)
	}
	if j >= len(s) {
		return v, false
	}
	if !quoted && s[j] == '[' { // the size of an array
		if k := strings.IndexByte(s[j:], ']'); k > 0 && digits(s[j+1:j+k]) {
			j = blanks(s, j+k+1)
		}
	}
	n := sign(s[j:])
	switch {
	case n > 0:
	case quoted && s[j] == ',' && j == i && s[i-1] != '`':
		n = 1
	case s[j] == '(' && j == i && i == to:
		if k := blanks(s, j+1); k >= len(s) || strings.IndexByte("\"'`", s[k]) < 0 {
			return v, false
		}
		n = 1
	case s[j] == '>' && j == i: // of an element: its text may be on the next line
		k := j + 1
		for k < len(s) && strings.IndexByte(" \t\r\n", s[k]) >= 0 {
			k++
		}
		return x.value(k, '>', true)
	default:
		return v, false
	}
	k := blanks(s, j+n)
	if strings.HasPrefix(s[k:], "** ") { // of "**Password:** X"
		k = blanks(s, k+2)
	}
	if s[j] == ':' && n == 1 && !quoted { // the type may come first
		if m := typeName(s[k:]); m > 0 {
			k = blanks(s, k+m+1)
		}
	}
	return x.value(k, s[j], k == to+n)
}

// sign is the length of a sign of assignment or comparison.
func sign(s string) int {
	n := 0
	for n < len(s) && n < 4 && strings.IndexByte("?.|+!", s[n]) >= 0 {
		n++
	}
	if n > 0 {
		if n > 2 || n >= len(s) || s[n] != '=' {
			return 0
		}
	}
	for n < len(s) && n < 3 && s[n] == ':' {
		n++
	}
	equals := 0
	for n < len(s) && equals < 3 && s[n] == '=' {
		n++
		equals++
	}
	if equals == 1 && n < len(s) && s[n] == '>' {
		n++
	}
	if equals == 0 && n > 1 {
		return 0
	}
	return n
}

// typeName is the length of a type before "=": the "string " of "token: string =".
func typeName(s string) int {
	n := 0
	for n < len(s) && n < 20 && (letter(s[n]) || strings.IndexByte("&<>[]", s[n]) >= 0) {
		n++
	}
	i := blanks(s, n)
	if n > 0 && i < len(s)-1 && s[i] == '=' && s[i+1] != '=' {
		return i
	}
	return 0
}

func blanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

// value reads the value at a place, in quotes or bare.
func (x *search) value(at int, mark byte, tight bool) (v value, ok bool) {
	s := x.s
	if at+1 < len(s) && strings.IndexByte("@bBrRuUfFL$", s[at]) >= 0 && strings.IndexByte("\"'", s[at+1]) >= 0 {
		at++ // the kind of a string
	}
	escaped := strings.HasPrefix(s[at:], `\"`) || strings.HasPrefix(s[at:], `\'`)
	if escaped {
		at++
	}
	if at >= len(s) {
		return v, false
	}
	v = value{from: at, mark: mark, tight: tight}
	if q := s[at]; q == '"' || q == '\'' || q == '`' {
		if strings.HasPrefix(s[at:], strings.Repeat(string(q), 3)) {
			at += 2
		}
		v.from, v.quote = at+1, q
		for i := v.from; i < min(len(s), v.from+windowValue) && s[i] != '\n'; i++ {
			if s[i] == q {
				v.to = i
				if escaped && s[i-1] == '\\' {
					v.to--
				}
				break
			}
			if s[i] == '\\' && !escaped {
				i++
			}
		}
		if v.to > 0 {
			return x.trim(v), v.to > v.from
		}
	}
	v.to = v.from
	for v.to < min(len(s), v.from+windowValue) && strings.IndexByte(" \t\r\n\"'`,;<>()\\", s[v.to]) < 0 {
		v.to++
	}
	v.quote = 0
	return x.trim(v), v.to > v.from
}

// trim leaves out what stands at the end of a value without belonging to it.
func (x *search) trim(v value) value {
	if i := strings.Index(x.s[v.from:v.to], `\n`); i >= 0 {
		v.to = v.from + i
	}
	if v.quote == 0 && !strings.HasSuffix(x.s[v.from:v.to], "...") {
		for v.to > v.from && strings.IndexByte(".:)]}", x.s[v.to-1]) >= 0 {
			if c := x.s[v.to-1]; (c == '}' || c == ']') && strings.ContainsAny(x.s[v.from:v.to], "{[") {
				break
			}
			v.to--
		}
	}
	rest := x.s[v.to:x.lineTo(v.to)]
	v.ends = strings.Trim(rest, " \t\r.,;:)]}\"'`*") == ""
	return v
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
	case a.element():
		return false
	case storedValue(x, name, v, text):
		return literal(text)
	case a.program(), a.otherName(), a.shortSalt(), a.vague():
		return false
	case a.strong():
		return true
	case placeholder(text), len(text) < 4:
		return false
	}
	return a.weak()
}

// element reports whether a value is a number, a pattern or a date, or, behind a comma, only
// the next element of a list.
func (a *assigned) element() bool {
	if expression(a.text) || dated(a.text) {
		return true
	}
	opened := a.at >= 2 && a.x.s[a.at-2] == '('
	return a.mark == ',' && !opened && !keylike(a.text)
}

// joined reports whether the value follows "name=" without a blank.
func (a *assigned) joined() bool { return a.tight && a.mark == '=' }

// shell reports whether the name is a variable of a shell.
func (a *assigned) shell() bool {
	return a.quote == 0 && a.joined() && a.name == strings.ToUpper(a.name)
}

// plain reports whether a bare value stands for itself: in a shell, in a file of settings,
// in an address, or as a password that people make of one word.
func (a *assigned) plain() bool {
	if a.shell() || a.joined() && a.x.entry(a.value) {
		return true
	}
	if a.joined() && a.at > 0 && strings.IndexByte("?&", a.x.s[a.at-1]) >= 0 {
		return true
	}
	return seasoned(a.text) && a.x.meant(a.at, a.value)
}

// program reports whether a bare value is an expression of a program.
func (a *assigned) program() bool {
	if a.quote != 0 {
		return false
	}
	if a.to < len(a.x.s) && strings.IndexByte("([", a.x.s[a.to]) >= 0 {
		return true
	}
	if strings.Contains(a.text, "::") || strings.ContainsAny(a.text, "|[]") {
		return true
	}
	return !a.plain() && (strings.ContainsAny(a.text, "{}") || identifier(a.text))
}

// otherName reports whether the value is the name of something as well, or stands in a call
// of what may only look for a secret.
func (a *assigned) otherName() bool {
	if strings.EqualFold(a.text, a.name) {
		return true
	}
	if a.mark == '(' && !passwordWord(a.last) && !is("secretwords", a.last) {
		return true
	}
	_, secret := secretName(a.text)
	return secret && !a.password && identifier(a.text)
}

// shortSalt reports whether a salt is too short, or too regular, to be a secret one.
func (a *assigned) shortSalt() bool {
	if a.last != "salt" || phrase(a.text) {
		return false
	}
	return len(a.text) < 16 || changes(a.text)*3 < len(a.text)
}

// vague reports whether a name that says little has a value that is a path, or has no digit.
func (a *assigned) vague() bool {
	if !ambiguous(a.name) {
		return false
	}
	return strings.ContainsAny(a.text, `/\\:`) || !strings.ContainsAny(a.text, "0123456789")
}

// strong reports whether the value is random enough to be a secret by itself.
func (a *assigned) strong() bool {
	quoted := a.quote != 0
	if len(a.text) < 6 || !plausible(a.text, a.password, quoted) {
		return false
	}
	return a.password && quoted || !worded(a.text) && shaped(a.name, a.text)
}

// numbered reports whether the value has a digit in it, and is not the name of a format.
func (a *assigned) numbered() bool {
	return len(a.text) >= 8 && strings.ContainsAny(a.text, "0123456789") && !technical(a.text)
}

// salted reports whether the name is one whose secret is a jumble of marks or a pass phrase.
func (a *assigned) salted() bool {
	if a.last == "salt" || a.last == "mnemonic" {
		return true
	}
	return strings.HasSuffix(strings.ToLower(a.name), "_key") && a.name == strings.ToUpper(a.name)
}

// weak reports whether a value that is not random is a secret by the place where it stands.
func (a *assigned) weak() bool {
	switch {
	case a.name[0] == '-' && a.joined() && a.numbered(): // an option
		return literal(a.text)
	case a.salted():
		return a.quote != 0 && (len(a.text) >= 40 && mixedBag(a.text) || phrase(a.text))
	case !a.password:
		return a.shell() && a.numbered() && is("secretwords", a.last) && !is("technical", a.text) && literal(a.text)
	}
	return a.chosen()
}

// chosen reports whether the value is a password that a person chose.
func (a *assigned) chosen() bool {
	if a.mark == ',' || ambiguous(a.name) && !(a.joined() && login(a.x.s, a.at)) {
		return false
	}
	if a.shell() || a.joined() && a.x.entry(a.value) { // a variable of the shell, or of a file of settings
		return literal(a.text)
	}
	if a.quote != 0 && (a.last == "passphrase" || a.joined()) && phrase(a.text) {
		return true
	}
	return chosen(a.text, a.quote != 0 || a.mark == '>')
}

// storedValue holds for the field of a password in the settings of programs that store one:
// of Robomongo and its like, and of FileZilla.
func storedValue(x *search, name string, v value, text string) bool {
	if v.mark == '>' {
		return name == "Pass" && v.to < len(x.s) && x.s[v.to] == '<' && strings.ContainsAny(text, "0123456789")
	}
	return v.quote == '"' && v.mark == ':' && len(text) >= 6 && is("stored", strings.ToLower(name))
}

// ambiguous reports whether a name in itself says too little: tests pass, and a
// shell knows its working directory as PWD.
func ambiguous(name string) bool {
	words := nameWords(name)
	if len(words) == 0 {
		return true
	}
	switch words[len(words)-1] {
	case "pass", "pwd", "oldpwd", "auth", "salt":
		return len(words) == 1 || strings.Contains(name, "-") && !is("passowners", words[len(words)-2])
	}
	return false
}

// meant reports whether a bare value stands for itself, and for no variable of a
// program: in no call, and not at the beginning of an expression.
func (x *search) meant(at int, v value) bool {
	if v.mark == '>' {
		return v.to < len(x.s) && x.s[v.to] == '<'
	}
	return (v.tight && v.mark == '=' || v.mark == ':') && (v.to == len(x.s) || strings.IndexByte(")].", x.s[v.to]) < 0) &&
		strings.IndexByte(x.s[x.lineFrom(at):at], '(') < 0
}

// entry reports whether nothing stands on a line but "name=value".
func (x *search) entry(v value) bool {
	line := strings.TrimSpace(x.s[x.lineFrom(v.from):x.lineTo(v.to)])
	return v.quote == 0 && strings.Trim(line[:strings.IndexByte(line, '=')+1], wordLetters+".=") == "" && strings.HasSuffix(line, x.s[v.from:v.to])
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
	if to-from > longestName {
		return
	}
	name := x.s[from:to]
	v, ok := x.given(to)
	if !ok || v.mark == '(' || v.mark == ',' && v.to-v.from < 40 {
		return
	}
	words := nameWords(name)
	if _, secret := secretName(name); secret || !slices.Contains(words, w.word) { // see name
		return
	}
	for _, w := range words {
		if is("about", w) || is("harmless", w) || is("revisions", w) {
			return
		}
	}
	text := x.s[v.from:v.to]
	if uuid(text) && words[len(words)-1] == "key" || keylike(text) && shaped(name, text) {
		x.add("secret", v.from, v.to)
	}
}

// keylike reports whether a value given to a service's name can hardly be
// anything but a key.
func keylike(v string) bool {
	lower, upper, digit, other := classes(v)
	if len(v) < 20 || len(v) > 120 || digit < 3 || lower+upper < 3 || other > 3 || changes(v)*3 < len(v) || !genuine(v) || worded(v) || uuid(v) {
		return false
	}
	return !strings.ContainsAny(v, "/.:@ ") || len(v) >= 40 && lower >= 8 && upper >= 8 && !strings.ContainsAny(v, ".:@ ")
}

// uuid reports whether a value is a UUID, which names something more often than
// it opens something.
func uuid(v string) bool {
	return len(v) == 36 && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-' && strings.Trim(v, "0123456789abcdefABCDEF-") == ""
}
