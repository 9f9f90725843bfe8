package redact

import (
	"slices"
	"strings"
	"unicode"
)

// Asked says what kind of secret a question asks for; the zero value is none.
type Asked int

// The kinds of secrets that a question may ask for.
const (
	AsksNothing  Asked = iota
	AsksPassword       // any word may be the answer
	AsksToken          // a jumble of letters and digits
	AsksCode           // digits, or groups of letters and digits
)

// Bounds of how much of a message is looked at, in bytes: a question stands at its end, an
// answer at its beginning.
const (
	windowAsked  = 600
	windowAnswer = 2 << 10
)

// Asks says which secret a message asks for in its last sentences: "Which database password?",
// "Please paste the API key:".
func Asks(message string) Asked {
	message = strings.TrimSpace(message[max(0, len(message)-windowAsked):])
	ends := func(r rune) bool { return strings.ContainsRune(".?!？。！\n", r) }
	for n := 0; n < 3 && message != ""; n++ {
		from := strings.LastIndexFunc(strings.TrimRightFunc(message, func(r rune) bool { return ends(r) || r == ' ' }), ends) + 1
		sentence := strings.TrimSpace(strings.TrimLeft(message[from:], "？。！"))
		if a := asksIn(sentence); a != AsksNothing {
			return a
		}
		message = strings.TrimSpace(message[:from])
	}
	return AsksNothing
}

// asksIn says which secret one sentence asks for. A sentence that is no question asks in its
// first three words.
func asksIn(sentence string) Asked {
	lower := strings.ToLower(sentence)
	list := strings.FieldsFunc(lower, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-'", r)
	})
	if len(list) == 0 || says()["lead"][list[0]] || speaks("other", lower, list) {
		return AsksNothing
	}
	asking, short := list, len(list) <= 5 // "The database password?"
	if !pattern("question").MatchString(sentence) {
		asking, short = list[:min(3, len(list))], false
	}
	if !short && !speaks("asks", lower, asking) {
		return AsksNothing
	}
	return namedIn(lower, list)
}

// speaks reports whether words of a text, or a phrase in it, have a role of spoken.tsv. Scripts
// without blanks have phrases alone.
func speaks(role, lower string, list []string) bool {
	if slices.ContainsFunc(list, func(w string) bool { return says()[role][w] }) {
		return true
	}
	return slices.ContainsFunc(spoken()[role], func(w string) bool { return unpartedText(w) && strings.Contains(lower, w) })
}

// unpartedText reports whether words are of a script without blanks, or several.
func unpartedText(w string) bool {
	return strings.Contains(w, " ") || len(w) > 2 && strings.IndexFunc(w, unparted) >= 0
}

// namedIn says what kind of secret the words of a question name.
func namedIn(lower string, list []string) Asked {
	out := AsksNothing
	for i, w := range list {
		if i+1 < len(list) && says()["about"][list[i+1]] {
			continue
		}
		switch kind := namedBy(list[max(0, i-1)], w); kind {
		case AsksPassword, AsksCode:
			return kind
		case AsksToken:
			out = kind
		}
	}
	if speaks("name", lower, nil) {
		return AsksPassword
	}
	return out
}

// namedBy says what kind of secret a word names behind another one.
func namedBy(before, w string) Asked {
	password, secret := secretName(w)
	if w == "key" {
		password, secret = secretName(before + "_" + w)
	}
	switch {
	case is("askedpasswords", w), says()["name"][w], password && !ambiguous(w):
		return AsksPassword
	case is("askedcodes", w), strings.HasPrefix(w, "code") && is("codes", before+"_code"):
		return AsksCode
	case secret && !ambiguous(w), w == "key" && is("owners", before):
		return AsksToken
	}
	return AsksNothing
}

// answerWord is one word of an answer, without the marks around it.
type answerWord struct {
	from, to      int
	lower         string
	quoted, ended bool
}

// Answer takes the secret that a question asked for out of the answer, and returns it beside
// what is left. An answer that was one of the offered ones holds no plain word that is secret.
func (a Asked) Answer(s string, offered bool) (kept string, secrets []string) {
	if a == AsksNothing || strings.TrimSpace(s) == "" {
		return s, nil
	}
	list := answerWords(s)
	var found []Secret
	for _, w := range list {
		from := w.from + len(pattern("answer-account").FindString(s[w.from:w.to]))
		if a.tells(s[from:w.to], w.quoted) {
			found = append(found, Secret{"secret", from, w.to})
		}
	}
	if a == AsksPassword && !offered {
		found = append(found, plainAnswer(s, list)...)
	}
	found = ordered(s, found)
	for _, x := range found {
		secrets = append(secrets, s[x.Start:x.End])
	}
	return replace(s, found), secrets
}

// tells reports whether a word of an answer can hardly be anything but what was asked for.
func (a Asked) tells(v string, quoted bool) bool {
	switch a {
	case AsksPassword:
		return fits("answer-password", v) || quoted && fits("answer-quoted", v)
	case AsksToken:
		return fits("answer-token", v)
	}
	m := pattern("codes").FindStringSubmatch(v)
	return m != nil && m[1] == v && fits("answer-code", v)
}

// answerWords are the words of the beginning of an answer.
func answerWords(s string) []answerWord {
	s = s[:min(len(s), windowAnswer)]
	var out []answerWord
	for _, m := range pattern("answer-word").FindAllStringSubmatchIndex(s, -1) {
		from, to, behind := m[2], m[3], s[m[4]:m[5]]
		w := answerWord{
			from: from, to: to, lower: strings.ToLower(s[from:to]), quoted: from > m[0] && behind != "",
			ended: pattern("answer-end").MatchString(behind) || strings.HasPrefix(s[m[1]:], "\n"),
		}
		if strings.HasPrefix(behind, "!") && strings.ContainsAny(w.lower, "0123456789") { // it may belong to a password
			w.to++
		}
		out = append(out, w)
	}
	if n := len(out); n > 0 {
		out[n-1].ended = true
	}
	return out
}

// plainAnswer finds the word, or the pass phrase, that an answer gives for a password: what
// stands behind words such as "use" and "it is", to the end of the clause. Behind the name of
// an account it is the next word.
func plainAnswer(s string, list []answerWord) []Secret {
	given := func(w answerWord) bool { return !says()["fill"][w.lower] }
	i := slices.IndexFunc(list, given)
	if i < 0 || i > 1 && list[i-1].ended && i+1 == len(list) {
		return nil
	}
	rest := list[i:]
	if is("users", rest[0].lower) && len(rest) > 1 {
		rest = rest[1:]
		behind := func(w answerWord) bool { return given(w) && !says()["turn"][w.lower] && w.lower != "/" }
		rest = rest[max(0, slices.IndexFunc(rest, behind)):]
	}
	n := slices.IndexFunc(rest, func(w answerWord) bool { return w.ended }) + 1
	if clause := s[rest[0].from:rest[n-1].to]; n >= 4 && passPhrase(clause) {
		return []Secret{{"secret", rest[0].from, rest[n-1].to}}
	}
	if n > 1 && !says()["turn"][rest[1].lower] || !fits("answer-word", s[rest[0].from:rest[0].to]) {
		return nil
	}
	return []Secret{{"secret", rest[0].from, rest[0].to}}
}

// passPhrase reports whether a clause is a pass phrase, and no sentence.
func passPhrase(clause string) bool {
	words := strings.Fields(strings.ToLower(clause))
	return phrase(strings.Join(words, " ")) && !slices.ContainsFunc(words, func(w string) bool { return is("prose", w) })
}
