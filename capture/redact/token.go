package redact

import (
	"slices"
	"strings"
)

// shortestToken is the length of the shortest run of letters and digits that is
// looked at without a keyword, and longestToken that of the longest.
const (
	shortestToken = 23
	longestToken  = 400
)

// run looks at a run of letters and digits that may be a token of a service
// nobody told us of: a prefix of words, and a long jumble after it. It knows the
// tokens of Discord's bots too, three runs with dots between them.
func (x *search) run(from, to int) {
	if strings.HasPrefix(x.s[to:], ".") {
		if m := pattern("discord").FindString(x.s[from:min(len(x.s), to+50)]); m != "" && jumbled(x.s[from:to]) {
			x.add("discord", from, from+len(m))
		}
	}
	around := x.s[max(0, from-1):from] + x.s[to:min(len(x.s), to+1)]
	if to-from > longestToken || strings.ContainsAny(around, `/\+`) { // of a path, or of base64
		return
	}
	if announced(x.s[from:to]) && !x.formatted(from) {
		x.add("token", from, to)
	}
}

// formatted reports whether a format is known of the tokens that begin so: then
// it alone says what is one.
func (x *search) formatted(at int) bool {
	t := watches()
	for _, w := range t.group(x.s[at], x.s[at+1]) {
		if w.f != nil && w.f.start && len(w.word) > 2 && t.here(x.s[at:], w.word) {
			return true
		}
	}
	return false
}

// announced reports whether a run is a prefix of small words, each with a mark
// after it, and a jumble long enough to be a key: a shorter one where the prefix says so.
func announced(s string) bool {
	if !strings.ContainsAny(s, "_-") {
		return false
	}
	prefix := pattern("token-prefix").FindString(s)
	words := strings.FieldsFunc(prefix, func(r rune) bool { return r == '_' || r == '-' })
	if len(words) == 0 || is("ids", words[0]) || strings.Contains(s, "--") || strings.Contains(s, "__") {
		return false
	}
	for _, w := range words {
		if is("announcers", w) && fits("announced-key", s[len(prefix):]) {
			return true
		}
	}
	return len(words[0]) > 2 && !slices.Contains(digestLengths(), len(s)) && fits("long-key", s[len(prefix):])
}

// digestLengths are how long SHA-256 and SHA-512 are in base64. One in some hundred has a mark in it
// that makes a prefix of what is before.
func digestLengths() []int { return []int{43, 86} }

// unnamed reports whether a part of a jumble is long, and no name as programs have them.
func unnamed(v string) bool {
	parts := strings.FieldsFunc(v, func(r rune) bool { return r == '_' || r == '-' })
	return slices.ContainsFunc(parts, func(part string) bool { return len(part) >= 14 && !wordsOf(part, 3) })
}
