package redact

import "strings"

// windowSaid is how much of a text after a name is looked at, in bytes.
const windowSaid = 240

// said looks for a secret in the words after a name, or before it.
func (x *search) said(from, to int) {
	password, secret := x.spokenName(from, to)
	name := x.s[from:to]
	switch {
	case !secret:
		return
	case ambiguous(name):
		x.pass(from, to)
		return
	case is("phrased", strings.ToLower(name)):
		x.phrase(to)
	}
	if x.saidFrom(to, password) || x.beside(from, to, password) || x.newValue(to, password) {
		return
	}
	x.before(from, password)
	if password {
		typedBeside(x, from, to)
	}
}

// spokenName says whether a name in prose is that of a password, or of another
// secret: the words before it belong to it, as in "API key".
func (x *search) spokenName(from, to int) (password, secret bool) {
	name := x.s[from:to]
	if password, secret = secretName(name); secret || from < 2 || x.s[from-1] != ' ' {
		return password, secret
	}
	if i := back(x.s, from-1, longestName, wordLetters); i < from-1 {
		return secretName(x.s[i:from-1] + "_" + name)
	}
	return false, false
}

// saidFrom reads on from the end of a name: words that link it to a value, and
// the value.
func (x *search) saidFrom(to int, password bool) bool {
	rest := x.s[to:min(len(x.s), to+windowSaid)]
	link := pattern("between").FindString(rest)
	if link == "" || link == rest {
		return false
	}
	return x.stated(to+len(link), password, strings.Contains(link, "\n"))
}

// newValue reads on from the end of a name to the value that it is changed to. A
// password may be changed to many a thing, so only a strong one is taken for it.
func (x *search) newValue(to int, password bool) bool {
	rest := x.s[to:min(len(x.s), to+windowSaid)]
	if !strings.Contains(rest, " to ") && !strings.Contains(rest, " from ") {
		return false
	}
	link := pattern("changed").FindString(rest)
	word := strings.Trim(upTo(rest[len(link):], " "), "\"'`*(),.;:\r\n")
	if link == "" || password && !fitsAny(word, "strong", "seasoned") {
		return false
	}
	return x.stated(to+len(link), password, false)
}

// saidWord is a word of prose without the marks around it.
type saidWord struct {
	from, to int
	quoted   bool
	alone    bool // a clause or the line ends behind it
}

// closingMarks are the marks behind a word that are no part of it.
const closingMarks = ".,;:)]}\"'`*"

// wordAt reads the word of prose at a place. In quotes it is a whole one, not a part of one.
func (x *search) wordAt(at int) (w saidWord, ok bool) {
	s := x.s
	w.from = min(span(s, at, "\"'`*("), at+3)
	if w.from > at && s[w.from-1] != '(' {
		quote := s[w.from-1 : w.from]
		w.to = reach(s, w.from, w.from+windowWord, " \t\r\n"+quote)
		w.quoted = strings.HasPrefix(s[w.to:], quote)
		if w.quoted && pattern("joined").MatchString(s[w.to+1:min(len(s), w.to+2)]) {
			return w, false
		}
	}
	end := w.to
	if !w.quoted {
		end = reach(s, w.from, w.from+windowWord, " \t\r\n")
		w.to = w.from + len(strings.TrimRight(s[w.from:end], closingMarks))
	}
	rest := strings.Trim(s[end:x.lineTo(end)], " \t\r"+closingMarks)
	w.alone = rest == "" || pattern("clause-end").MatchString(s[w.to:end])
	return w, w.to > w.from
}

// stated takes the word at a place for the secret, if it can be one. On a line
// of its own it stands alone.
func (x *search) stated(at int, password, own bool) bool {
	w, ok := x.wordAt(at)
	if !ok {
		return false
	}
	v := x.s[w.from:w.to]
	if own && (strings.Trim(x.s[w.to:x.lineTo(w.to)], " \t\r"+closingMarks) != "" || password && !strong(v)) {
		return false
	}
	if !believable(v, password, w.quoted, w.alone) {
		return false
	}
	x.add("secret", w.from, w.to)
	return true
}

// believable says whether a word that prose calls a secret is one.
func believable(v string, password, quoted, alone bool) bool {
	switch {
	case !password:
		return fits("said-token", v)
	case quoted:
		return fits("said-quoted", v) || phrase(strings.ReplaceAll(v, "-", " "))
	case alone && fits("said-alone", v):
		return true
	}
	return fits("said-password", v)
}

// beside takes the word right after a name for the secret, as in "user admin,
// password X", if it can hardly be anything else.
func (x *search) beside(from, to int, password bool) bool {
	if !strings.HasPrefix(x.s[to:], " ") {
		return false
	}
	at := to + 1
	word := upTo(x.s[at:], " \t\r\n")
	v := strings.Trim(word, ".,;:()[]\"'`*")
	if !password && fits("hex-key", v) && strings.HasPrefix(word, word[:1]+v) && is("refused", wordBefore(x.s, from)) {
		x.add("secret", at+1, at+1+len(v))
		return true
	}
	if password && !fitsAny(v, "strong", "seasoned") || !password && !fits("beside-token", v) {
		return false
	}
	return x.stated(at, password, false)
}

// before looks for "X is the password", and "use X as the password".
func (x *search) before(from int, password bool) {
	start := max(0, from-100)
	back := x.s[start:from]
	if !holdsAny(back, "asserting") {
		return
	}
	m := pattern("assertion").FindStringSubmatchIndex(back)
	if m == nil {
		return
	}
	w, ok := x.wordAt(start + m[2])
	if !ok {
		return
	}
	v := x.s[w.from:w.to]
	if password && fitsAny(v, "strong", "seasoned") || password && w.quoted && chosen(v, true) || !password && fits("beside-token", v) {
		x.add("secret", w.from, w.to)
	}
}
