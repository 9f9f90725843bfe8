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

// asksIn says which secret one sentence asks for.
func asksIn(sentence string) Asked {
	lower := strings.ToLower(sentence)
	list := strings.FieldsFunc(lower, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '\''
	})
	if len(list) == 0 || says()["lead"][list[0]] {
		return AsksNothing
	}
	end := strings.TrimRight(sentence, " \t\r\n\"'`*)")
	question := strings.HasSuffix(end, ":") || strings.HasSuffix(end, "：") || strings.ContainsAny(sentence, "?？")
	asks := false
	for i, w := range list {
		if says()["other"][w] {
			return AsksNothing
		}
		asks = asks || says()["asks"][w] && (question || i < 3)
	}
	if len(list) <= 5 && question {
		asks = true // "The database password?"
	}
	for _, role := range []string{"asks", "other"} { // phrases, and scripts without blanks
		for _, w := range spoken()[role] {
			if (w[0] >= 0x80 || strings.Contains(w, " ")) && len(w) > 2 && unpartedText(w) && strings.Contains(lower, w) {
				if role == "other" {
					return AsksNothing
				}
				asks = true
			}
		}
	}
	if !asks {
		return AsksNothing
	}
	return namedIn(lower, list)
}

// unpartedText holds for words of a script without blanks, or of several words.
func unpartedText(w string) bool {
	return strings.Contains(w, " ") || strings.IndexFunc(w, unparted) >= 0
}

// namedIn says what kind of secret the words of a question name.
func namedIn(lower string, list []string) Asked {
	out := AsksNothing
	for i, w := range list {
		about := i+1 < len(list) && says()["about"][list[i+1]]
		password, secret := secretName(w)
		if w == "key" && i > 0 {
			password, secret = secretName(list[i-1] + "_" + w)
		}
		switch {
		case about, ambiguous(w) && w != "pwd":
		case password || w == "credentials" || w == "creds" || w == "pw" || w == "logins" || says()["name"][w]:
			return AsksPassword
		case secret && w != "auth", w == "key" && i > 0 && is("owners", list[i-1]):
			out = AsksToken
		case w == "pin" || w == "otp" || w == "passcode" || w == "puk", (w == "code" || w == "codes") && i > 0 && is("codes", list[i-1]+"_code"):
			return AsksCode
		}
	}
	for _, name := range spoken()["name"] {
		if unpartedText(name) && strings.Contains(lower, name) {
			return AsksPassword
		}
	}
	return out
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
		v := s[w.from:w.to]
		if i := strings.IndexByte(v, ':'); i > 0 && i < len(v)-4 && strings.Trim(v[:i], wordLetters+".@+") == "" {
			w.from, v = w.from+i+1, v[i+1:]
		}
		if a.tells(v, w.quoted) {
			found = append(found, Secret{"secret", w.from, w.to})
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
	if variable(v) || !genuine(v) || elsewhere(v) {
		return false
	}
	switch a {
	case AsksPassword:
		return strong(v) || seasoned(v) || typed(v) || quoted && chosen(v, true) || keylike(v)
	case AsksToken:
		return keylike(v) || len(v) >= 10 && random(v) && strings.ContainsAny(v, "0123456789") && !identifier(v) &&
			!technical(v) && !dated(v) && !strings.ContainsAny(v, "/()[]{}<>")
	}
	m := pattern("codes").FindStringSubmatch(v)
	return m != nil && m[1] == v && distinct(v) > 1 && strings.ContainsAny(v, "0123456789")
}

// answerWords are the words of the beginning of an answer.
func answerWords(s string) []answerWord {
	const around = "\"'`“”„«»‘’*(),.;:!?。，、「」"
	var out []answerWord
	s = s[:min(len(s), windowAnswer)]
	for at := 0; at < len(s); {
		from := at + len(s[at:]) - len(strings.TrimLeft(s[at:], " \t\r\n"))
		to := from + len(upTo(s[from:], " \t\r\n"))
		word := s[from:to]
		v := strings.TrimLeft(word, around)
		start := to - len(v)
		v = strings.TrimRight(v, around)
		end := start + len(v)
		if v != "" {
			if end < to && s[end] == '!' && tailMark(v) { // it may belong to a password
				end++
			}
			out = append(out, answerWord{
				from: start, to: end, lower: strings.ToLower(v), quoted: start > from && end < to,
				ended: end < to && strings.ContainsAny(s[end:to], ".,;!?。，、") || to < len(s) && s[to] == '\n',
			})
		}
		at = to + 1
	}
	if n := len(out); n > 0 {
		out[n-1].ended = true
	}
	return out
}

// tailMark holds for a word with a digit in it, which may be a password that ends in a mark.
func tailMark(v string) bool { return strings.ContainsAny(v, "0123456789") }

// plainAnswer finds the word, or the pass phrase, that an answer gives for a password: what
// stands behind words such as "use" and "it is", to the end of the clause. Behind the name of
// an account it is the next word.
func plainAnswer(s string, list []answerWord) []Secret {
	i := 0
	for i < len(list) && says()["fill"][list[i].lower] {
		if list[i].ended && i > 0 && i+1 == len(list) {
			return nil
		}
		i++
	}
	rest := list[min(i, len(list)):]
	if len(rest) == 0 {
		return nil
	}
	if is("users", rest[0].lower) && len(rest) > 1 {
		rest = rest[1:]
		for len(rest) > 1 && (says()["fill"][rest[0].lower] || says()["turn"][rest[0].lower] || rest[0].lower == "/") {
			rest = rest[1:]
		}
	}
	n := slices.IndexFunc(rest, func(w answerWord) bool { return w.ended }) + 1
	clause := s[rest[0].from:rest[n-1].to]
	v := s[rest[0].from:rest[0].to]
	switch {
	case n >= 4 && phrase(strings.ToLower(clause)) && !slices.ContainsFunc(rest[:n], func(w answerWord) bool { return is("prose", w.lower) }):
		return []Secret{{"secret", rest[0].from, rest[n-1].to}}
	case n > 1 && !says()["turn"][rest[1].lower], len(v) < 4, declines(rest[0]), variable(v), elsewhere(v), placeholder(v), technical(v):
		return nil
	}
	return []Secret{{"secret", rest[0].from, rest[0].to}}
}

// declines holds for a word of an answer that gives no value.
func declines(w answerWord) bool {
	return says()["none"][w.lower] || says()["turn"][w.lower] || is("prose", w.lower) || is("sentence", w.lower) || novalue(w.lower)
}
