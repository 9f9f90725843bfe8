package redact

import (
	"slices"
	"strings"
)

// login reports whether the words before a place, on its line or the one before,
// speak of an account.
func login(s string, at int) bool {
	from := lineFrom(s, max(0, lineFrom(s, at)-1))
	words := pattern("small-words").FindAllString(strings.ToLower(s[max(from, at-160):at]), -1)
	return slices.ContainsFunc(words, func(w string) bool { return is("company", w) })
}

// pass reads on from "pass", which has other meanings, to a password: where an
// account is spoken of any, elsewhere one that can hardly be anything else.
func (x *search) pass(from, to int) {
	name := x.s[from:to]
	link := linkFrom(x.s, to)
	shapes := passShapes(link > 0, clauseStarts(x.s, from), login(x.s, from))
	if name[0] != '-' { // "user admin, pass X"
		link = max(link, blanks(x.s, to)-to)
	}
	v := strings.Trim(upTo(x.s[to+link:min(len(x.s), to+windowSaid)], " \t\r\n"), "\"'`*(),.;:")
	if link > 0 && name != strings.ToUpper(name) && fitsAny(v, shapes...) {
		x.linked(to, link, true)
	}
}

// clauseStarts reports whether what is before a place begins a clause there, or says whose the word is.
func clauseStarts(s string, at int) bool {
	before := strings.TrimRight(s[lineFrom(s, at):at], " \t\"'*->+")
	return pattern("clause-start").MatchString(before) || is("articles", wordBefore(before, len(before)))
}

// passShapes names the shapes that a word behind "pass" may have to be a password: by whether words link
// it, whether "pass" stands apart from the text before it, and whether an account is spoken of.
func passShapes(linked, apart, account bool) []string {
	var out []string
	if linked {
		out = append(out, "pass-linked")
	}
	switch {
	case apart && account:
		return append(out, "pass-account")
	case apart, account:
		return append(out, "pass-apart")
	}
	return out
}

// entrance looks at what follows "credentials", "log in" and the like.
func (x *search) entrance(at int, w *watch) {
	last := at + len(w.word) - 1
	if at > 0 && letter(x.s[at-1]) {
		return
	}
	m := pattern("entering").FindStringSubmatchIndex(x.s[last:min(lineTo(x.s, last), last+windowSaid)])
	if m == nil {
		return
	}
	shape := "entrance"
	if knownUser(strings.ToLower(x.s[last+m[2] : last+m[3]])) {
		shape = "entrance-known"
	} else if strings.HasPrefix(w.word, "cred") {
		shape = "entrance-typed"
	}
	from := last + m[4]
	x.take("secret", shape, from, from+len(strings.TrimRight(x.s[from:last+m[5]], ".,;:)]}*")))
}

// knownUser reports whether a word in small letters is the name of an account, or a mail address.
func knownUser(w string) bool { return is("users", w) || strings.Contains(w, "@") }

// phrase takes four words and more that follow "passphrase is" for one, if they are
// no sentence about it.
func (x *search) phrase(to int) {
	link := linkFrom(x.s, to)
	from := span(x.s, to+link, "\"'`*")
	v := strings.TrimRight(upTo(x.s[from:min(lineTo(x.s, from), to+windowSaid)], ".,;:()\"'`*"), " \t\r")
	if link > 0 {
		x.take("secret", "said-phrase", from, from+len(v))
	}
}

// wordBefore is the word before a place, in small letters.
func wordBefore(s string, at int) string {
	before := strings.TrimRight(s[max(0, at-40):at], " \t\"'`*(:")
	return strings.ToLower(before[strings.LastIndexAny(before, " \t\r\n\"'`*(:=")+1:])
}

// pair looks at "admin / X": an account and its password.
func (x *search) pair(at int, _ *watch) {
	line := strings.ToLower(x.s[lineFrom(x.s, at):at])
	user := line[strings.LastIndexAny(line, " \t\"'`(*")+1:]
	switch {
	case knownUser(user), holdsAny(line, "logins"):
		x.paired(at+3, "paired-known")
	case strings.Contains(line, "user"):
		x.paired(at+3, "strong")
	}
}

// account looks at "admin:X" and "admin/X".
func (x *search) account(at int, w *watch) {
	shape := "strong"
	if strings.HasSuffix(w.word, ":") {
		shape = "sure"
	}
	if begins(x.s, at) && !strings.ContainsAny(x.s[max(0, at-1):at], "/.-_") {
		x.paired(at+len(w.word), shape)
	}
}

// paired takes the word at a place for a password, if it looks like one.
func (x *search) paired(at int, shape string) {
	if w, ok := wordAt(x.s, blanks(x.s, at)); ok {
		x.take("secret", shape, w.from, w.to)
	}
}

// identified looks at "IDENTIFIED BY 'X'" of SQL, and at the same in small letters, which prose
// has too.
func (x *search) identified(at int, w *watch) {
	v, ok := readValue(x.s, at+len(w.word), '=', false)
	shape := "identified"
	if x.s[at] == 'I' {
		shape = "literal"
	}
	if ok && v.quote != 0 {
		x.take("secret", shape, v.from, v.to)
	}
}
