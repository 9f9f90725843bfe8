package redact

import (
	_ "embed" // for spoken.tsv
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed spoken.tsv
var spokenTable string

// spoken are the words of spoken.tsv by what they do, in all languages.
var spoken = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(spokenTable) {
		cells := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(cells) == 3 && cells[0] != "#" {
			out[cells[1]] = append(out[cells[1]], strings.Split(cells[2], "|")...)
		}
	}
	return out
})

// says are the sets of the words of spoken.tsv.
var says = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for role, words := range spoken() {
		out[role] = map[string]bool{}
		for _, w := range words {
			out[role][w] = true
		}
	}
	return out
})

// linked matches what stands between the name of a password and the password, in the
// languages of spoken.tsv.
var linked = sync.OnceValue(func() *regexp.Regexp {
	any := func(role string) string {
		words := slices.Clone(spoken()[role])
		slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
		for i, w := range words {
			words[i] = regexp.QuoteMeta(w)
		}
		return "(?:" + strings.Join(words, "|") + ")"
	}
	const blanks = `[ \t\x{3000}]`
	return regexp.MustCompile(`(?i)^["'\x60)*」]{0,3}(?:` + blanks + `+` + any("of") + `(?:` + blanks + `+[\pL\w.@/'-]+){1,4}?)?` +
		`(?:` + blanks + `+` + any("is") + blanks + `*[:：]?` + blanks + `+|` + blanks + `*` + any("sign") + blanks + `*|` +
		any("is") + blanks + `+)(?:` + any("now") + blanks + `+)*(?:\r?\n[ \t]*)?`)
})

// foreignName looks at words for a password in other languages, and at words
// such as "PAT" that only prose uses.
func (x *search) foreignName(at int, w *watch) {
	to := at + len(w.word)
	before, behind := x.s[max(0, at-1):at], x.s[to:min(len(x.s), to+1)]
	if strings.ContainsAny(before, nameBytes) || strings.ContainsAny(behind, wordLetters) {
		return
	}
	password := w.word != "pat"
	if password && x.foreignLinked(to) || x.saidFrom(to, password) || x.beside(at, to, password) {
		return
	}
	if password {
		typedBeside(x, at, to)
	}
}

// foreignLinked takes the word behind the words of a language that link it to a password for one.
// A plain word is one only in quotes: it rather says how the password is.
func (x *search) foreignLinked(to int) bool {
	link := linked().FindString(x.s[to:min(len(x.s), to+windowSaid)])
	if link == "" {
		return false
	}
	from := to + len(link)
	m := pattern("foreign-value").FindStringSubmatchIndex(x.s[from:min(len(x.s), from+windowWord)])
	if m == nil {
		return false
	}
	v, quoted := x.s[from+m[4]:from+m[5]], m[3] > m[2]
	if !quoted {
		v = strings.TrimRight(v, "!?.,;:)]}*")
	}
	v = strings.TrimRight(v, ".,;:)]}*")
	if !quoted && fits("plain", v) || !believable(v, true, quoted, true) {
		return false
	}
	x.add("secret", from+m[4], from+m[4]+len(v))
	return true
}

// typedBeside takes the word right behind the name of a password for one where an account
// is spoken of before: "Benutzer admin, Passwort X".
func typedBeside(x *search, at, to int) {
	if !strings.HasPrefix(x.s[to:], " ") {
		return
	}
	v := strings.Trim(upTo(x.s[to+1:min(len(x.s), to+100)], " \t\r\n"), ".,;:()[]\"'`*")
	before := strings.TrimRight(x.s[x.lineFrom(at):at], " \t")
	if typed(v) && (strings.HasSuffix(before, ",") || before != "" && login(x.s, at)) {
		x.stated(to+1, true, false)
	}
}
