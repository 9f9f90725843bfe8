package redact

import (
	"slices"
	"strings"
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
	sentences := pattern("sentence").FindAllString(message[max(0, len(message)-windowAsked):], -1)
	for _, sentence := range slices.Backward(sentences[max(0, len(sentences)-3):]) {
		if a := asksIn(strings.TrimSpace(sentence)); a != AsksNothing {
			return a
		}
	}
	return AsksNothing
}

// asksIn says which secret one sentence asks for. A sentence that is no question asks in its
// first three words.
func asksIn(sentence string) Asked {
	lower := strings.ToLower(sentence)
	list := pattern("question-word").FindAllString(lower, -1)
	switch {
	case len(list) == 0, is("spoken-lead", list[0]), speaks("other", lower, list), !asking(sentence, list):
		return AsksNothing
	}
	return namedIn(lower, list)
}

// asking reports whether a sentence of some words in small letters asks for a value.
func asking(sentence string, list []string) bool {
	lower := strings.ToLower(sentence)
	if !pattern("question").MatchString(sentence) {
		return speaks("asks", lower, list[:min(3, len(list))])
	}
	return len(list) <= 5 || speaks("asks", lower, list) // "The database password?"
}

// speaks reports whether words of a text, or a phrase in it, have a role of spoken.tsv. Scripts
// without blanks have phrases alone.
func speaks(role, lower string, list []string) bool {
	role = "spoken-" + role
	if slices.ContainsFunc(list, func(w string) bool { return is(role, w) }) {
		return true
	}
	return slices.ContainsFunc(wordLists()[role].all, func(w string) bool {
		return strings.Contains(lower, w) && !pattern("one-word").MatchString(w)
	})
}

// namedIn says what kind of secret the words of a question name. What a word behind it is about, such
// as "password policy", is none.
func namedIn(lower string, list []string) Asked {
	out := AsksNothing
	around := slices.Concat([]string{""}, list, []string{""})
	for i, w := range list {
		before, behind := around[i], around[i+2]
		switch kind := namedBy(before, w); {
		case is("spoken-about", behind):
		case kind == AsksPassword, kind == AsksCode:
			return kind
		default:
			out = max(out, kind)
		}
	}
	if speaks("name", lower, nil) {
		return AsksPassword
	}
	return out
}

// namedBy says what kind of secret a word names behind another one.
func namedBy(before, w string) Asked {
	name := w
	if w == "key" {
		name = before + "_key"
	}
	password, secret := secretName(name)
	switch {
	case isAny(w, "askedpasswords", "spoken-name"):
		return AsksPassword
	case is("askedcodes", w), is("spoken-code", before+" "+w):
		return AsksCode
	case ambiguous(w):
		return AsksNothing
	case password:
		return AsksPassword
	case secret, w == "key" && is("owners", before):
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
	if a == AsksNothing {
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
	switch {
	case a == AsksCode:
		return allCode(v) && fits("answer-code", v)
	case a == AsksToken:
		return fits("answer-token", v)
	case quoted:
		return fitsAny(v, "answer-password", "answer-quoted")
	}
	return fits("answer-password", v)
}

// allCode reports whether a word is a code, and nothing else.
func allCode(v string) bool {
	m := pattern("codes").FindStringSubmatch(v)
	return m != nil && m[1] == v
}

// answerWords are the words of the beginning of an answer.
func answerWords(s string) []answerWord {
	s = s[:min(len(s), windowAnswer)]
	var out []answerWord
	for _, m := range pattern("answer-word").FindAllStringSubmatchIndex(s, -1) {
		from, to, behind := m[2], m[3], s[m[4]:m[5]]
		out = append(out, answerWord{
			from: from, to: to, lower: strings.ToLower(s[from:to]), quoted: from > m[0] && behind != "",
			ended: pattern("answer-end").MatchString(s[to:min(len(s), m[1]+1)]),
		})
	}
	return out
}

// plainAnswer finds the word, or the pass phrase, that an answer gives for a password: what
// stands behind words such as "use" and "it is", to the end of the clause. Behind the name of
// an account it is the next word.
func plainAnswer(s string, list []answerWord) []Secret {
	clause := clauseOf(withoutAccount(beyond(list, "spoken-fill")))
	if len(clause) == 0 {
		return nil
	}
	first, last := clause[0], clause[len(clause)-1]
	switch {
	case fits("answer-phrase", strings.ToLower(s[first.from:last.to])):
		return []Secret{{"secret", first.from, last.to}}
	case standsAlone(clause) && fits("answer-word", s[first.from:first.to]):
		return []Secret{{"secret", first.from, first.to}}
	}
	return nil
}

// withoutAccount passes over the name of an account before its password.
func withoutAccount(list []answerWord) []answerWord {
	if len(list) > 1 && is("users", list[0].lower) {
		return beyond(list[1:], "spoken-fill", "spoken-turn")
	}
	return list
}

// standsAlone reports whether the first word of a clause is all that it says, or what follows says what the
// word is for.
func standsAlone(clause []answerWord) bool {
	return len(clause) == 1 || is("spoken-turn", clause[1].lower)
}

// clauseOf returns the words up to the end of the first clause.
func clauseOf(list []answerWord) []answerWord {
	end := slices.IndexFunc(list, func(w answerWord) bool { return w.ended })
	if end < 0 {
		return list
	}
	return list[:end+1]
}

// beyond returns the words of an answer from the first one that is in none of some lists.
func beyond(list []answerWord, names ...string) []answerWord {
	i := slices.IndexFunc(list, func(w answerWord) bool { return !isAny(w.lower, names...) })
	if i < 0 {
		return nil
	}
	return list[i:]
}
