package redact

import "strings"

// windowSaid is how much of a text after a name is looked at, in bytes.
const windowSaid = 240

// said looks for a secret in the words after a name, or before it.
func (x *search) said(from, to int) {
	password, secret := spokenName(x.s, from, to)
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
		x.typedBeside(from, to)
	}
}

// spokenName says whether a name in prose is that of a password, or of another
// secret: the words before it belong to it, as in "API key".
func spokenName(s string, from, to int) (password, secret bool) {
	name := s[from:to]
	if password, secret = secretName(name); secret || from < 2 || s[from-1] != ' ' {
		return password, secret
	}
	i := back(s, from-1, longestName, wordLetters)
	return secretName(s[i:from-1] + "_" + name)
}

// linkFrom is the length of the words behind a place that link a name to its value.
func linkFrom(s string, to int) int {
	return len(pattern("between").FindString(s[to:min(len(s), to+windowSaid)]))
}

// saidFrom reads on from the end of a name: words that link it to a value, and
// the value.
func (x *search) saidFrom(to int, password bool) bool {
	link := linkFrom(x.s, to)
	return link > 0 && x.linked(to, link, password)
}

// linked takes the word behind a link of some bytes for the secret, if it can be one.
func (x *search) linked(to, link int, password bool) bool {
	if !strings.Contains(x.s[to:to+link], "\n") {
		return x.stated(to+link, password)
	}
	// On a line of its own a password has to be a strong one.
	w, ok := wordAt(x.s, to+link)
	shape := "said-token"
	if password {
		shape = "said-below"
	}
	return ok && w.last && x.take("secret", shape, w.from, w.to)
}

// newValue reads on from the end of a name to the value that it is changed to. A
// password may be changed to many a thing, so only a strong one is taken for it.
func (x *search) newValue(to int, password bool) bool {
	rest := x.s[to:min(len(x.s), to+windowSaid)]
	link := len(pattern("changed").FindString(rest))
	word := strings.Trim(upTo(rest[link:], " "), "\"'`*(),.;:\r\n")
	if link == 0 || password && !fits("sure", word) {
		return false
	}
	return x.stated(to+link, password)
}

// saidWord is a word of prose without the marks around it.
type saidWord struct {
	from, to int
	quoted   bool
	last     bool // the line ends behind it
	alone    bool // a clause or the line ends behind it
}

// closingMarks are the marks behind a word that are no part of it.
const closingMarks = ".,;:)]}\"'`*"

// wordAt reads the word of prose at a place. In quotes it is a whole one, not a part of one.
func wordAt(s string, at int) (w saidWord, ok bool) {
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
	w.last = strings.Trim(s[end:lineTo(s, end)], " \t\r"+closingMarks) == ""
	w.alone = w.last || pattern("clause-end").MatchString(s[w.to:end])
	return w, w.to > w.from
}

// shape names the shape that the word must have to be the secret that it is said to be.
func (w saidWord) shape(password bool) string {
	switch {
	case !password:
		return "said-token"
	case w.quoted:
		return "said-quoted"
	case w.alone:
		return "said-alone"
	}
	return "said-password"
}

// stated takes the word at a place for the secret, if it can be one.
func (x *search) stated(at int, password bool) bool {
	w, ok := wordAt(x.s, at)
	return ok && x.take("secret", w.shape(password), w.from, w.to)
}

// beside takes the word right after a name for the secret, as in "user admin,
// password X", if it can hardly be anything else.
func (x *search) beside(from, to int, password bool) bool {
	if !strings.HasPrefix(x.s[to:], " ") {
		return false
	}
	word := upTo(x.s[to+1:], " \t\r\n")
	v := strings.Trim(word, ".,;:()[]\"'`*")
	shape := "beside-token"
	if password {
		shape = "sure"
	}
	if fits(shape, v) {
		return x.stated(to+1, password)
	}
	at := to + 1 + strings.Index(word, v)
	return is("refused", wordBefore(x.s, from)) && x.take("secret", "hex-key", at, at+len(v))
}

// before looks for "X is the password", and "use X as the password".
func (x *search) before(from int, password bool) {
	start := max(0, from-100)
	m := pattern("assertion").FindStringSubmatchIndex(x.s[start:from])
	if m == nil {
		return
	}
	w, ok := wordAt(x.s, start+m[2])
	shape := "sure"
	switch {
	case !password:
		shape = "beside-token"
	case w.quoted:
		shape = "asserted-quoted"
	}
	if ok {
		x.take("secret", shape, w.from, w.to)
	}
}
