package redact

import (
	_ "embed" // for spoken.tsv
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
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
	s, to := x.s, at+len(w.word)
	if at > 0 && (tokenByte(s[at-1]) || s[at-1] == '.') || to < len(s) && tokenByte(s[to]) {
		return
	}
	password := w.word != "pat"
	if password {
		if m := linked().FindStringIndex(s[to:min(len(s), to+windowSaid)]); m != nil && foreignValue(x, to+m[1]) {
			return
		}
	}
	if !x.saidFrom(to, password) && !x.beside(at, to, password) && password {
		typedBeside(x, at, to)
	}
}

// foreignValue takes the word at a place for a password, up to a blank, a quote that ends
// it or a sign of a script that writes without blanks. A plain word is one only in quotes:
// it rather says how the password is.
func foreignValue(x *search, at int) bool {
	s := x.s
	from := at
	for from < len(s) && from < at+6 {
		r, size := utf8.DecodeRuneInString(s[from:])
		if !strings.ContainsRune("\"'`*(「『“„«‚‘", r) {
			break
		}
		from += size
	}
	quoted := from > at && s[from-1] != '('
	to := from
	for to < len(s) && to < from+windowWord {
		r, size := utf8.DecodeRuneInString(s[to:])
		if strings.ContainsRune(" \t\r\n\"'`”“»’\u3000", r) || r >= 0x2e80 {
			break
		}
		to += size
	}
	for to > from && strings.IndexByte(".,;:)]}*!?", s[to-1]) >= 0 && (s[to-1] != '!' && s[to-1] != '?' || quoted) {
		to--
	}
	v := s[from:to]
	plain := strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && !quoted
	if plain || !believable(v, true, quoted, true) {
		return false
	}
	x.add("secret", from, to)
	return true
}

// typedBeside takes the word right behind the name of a password for one where an account
// is spoken of before: "Benutzer admin, Passwort X".
func typedBeside(x *search, at, to int) {
	if to >= len(x.s) || x.s[to] != ' ' {
		return
	}
	v := upTo(x.s[to+1:min(len(x.s), to+100)], " \t\r\n")
	if v = strings.Trim(v, ".,;:()[]\"'`*"); !typed(v) {
		return
	}
	before := strings.TrimRight(x.s[x.lineFrom(at):at], " \t")
	if before != "" && (login(x.s, at) || strings.HasSuffix(before, ",")) {
		x.stated(to+1, true, false)
	}
}
