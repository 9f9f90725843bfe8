package redact

import (
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

// linked matches what stands between the name of a password and the password, in the
// languages of spoken.tsv.
var linked = lazy.Value(func() *regexp.Regexp {
	any := func(role string) string {
		words := slices.Clone(wordLists()["spoken-"+role].all)
		slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
		for i, w := range words {
			words[i] = regexp.QuoteMeta(w)
		}
		return "(?:" + strings.Join(words, "|") + ")"
	}
	return regexp.MustCompile(strings.NewReplacer(
		"_", `[ \t\x{3000}]`, "OF", any("of"), "IS", any("is"), "SIGN", any("sign"), "NOW", any("now"),
	).Replace(pattern("linked").String()))
})

// foreignName looks at words for a password in other languages.
func (x *search) foreignName(at int, w *watch) {
	to := at + len(w.word)
	if !apart(x.s, at, to) || x.foreignLinked(to) || x.saidFrom(to, true) || x.beside(at, to, true) {
		return
	}
	x.typedBeside(at, to)
}

// proseToken looks at words for a token that only prose uses, such as "PAT".
func (x *search) proseToken(at int, w *watch) {
	if to := at + len(w.word); apart(x.s, at, to) && !x.saidFrom(to, false) {
		x.beside(at, to, false)
	}
}

// apart reports whether what stands from one place to another is no part of a longer name.
func apart(s string, from, to int) bool {
	before, behind := s[max(0, from-1):from], s[to:min(len(s), to+1)]
	return !strings.ContainsAny(before, nameBytes) && !strings.ContainsAny(behind, wordLetters)
}

// foreignLinked takes the word behind the words of a language that link it to a password for one.
// A plain word is one only in quotes: it rather says how the password is.
func (x *search) foreignLinked(to int) bool {
	link := linked().FindString(x.s[to:min(len(x.s), to+windowSaid)])
	from := to + len(link)
	m := pattern("foreign-value").FindStringSubmatchIndex(x.s[from:min(len(x.s), from+windowWord)])
	if link == "" || m == nil {
		return false
	}
	shape, marks := "said-quoted", ".,;:)]}*"
	if m[3] == m[2] { // no quote
		shape, marks = "said-foreign", "!?.,;:)]}*"
	}
	v := strings.TrimRight(x.s[from+m[4]:from+m[5]], marks)
	return x.take("secret", shape, from+m[4], from+m[4]+len(v))
}

// typedBeside takes the word right behind the name of a password for one where an account
// is spoken of before: "Benutzer admin, Passwort X".
func (x *search) typedBeside(at, to int) {
	if !strings.HasPrefix(x.s[to:], " ") {
		return
	}
	v := strings.Trim(upTo(x.s[to+1:min(len(x.s), to+100)], " \t\r\n"), ".,;:()[]\"'`*")
	before := strings.TrimRight(x.s[lineFrom(x.s, at):at], " \t")
	if typed(v) && (strings.HasSuffix(before, ",") || login(x.s, at)) {
		x.stated(to+1, true)
	}
}
