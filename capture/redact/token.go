package redact

import (
	"slices"
	"strings"
)

// run looks at a run of letters and digits that may be a token of one of Discord's bots, three
// runs with dots between them, or one of a service nobody told us of: a prefix of words, and a long
// jumble after it.
func (x *search) run(from, to int) {
	if m := pattern("discord").FindStringIndex(x.s[from:min(len(x.s), to+50)]); m != nil {
		x.add("discord", from, from+m[1])
	}
	if announced(x.s[from:to]) && !within(x.s, from, to) && !formatted(x.s, from) {
		x.add("token", from, to)
	}
}

// within reports whether a run is part of a path, or of base64.
func within(s string, from, to int) bool {
	return strings.ContainsAny(s[max(0, from-1):from]+s[to:min(len(s), to+1)], `/\+`)
}

// formatted reports whether a format is known of the tokens that begin so: then
// it alone says what is one.
func formatted(s string, at int) bool {
	t := watches()
	return slices.ContainsFunc(t.group(s[at], s[at+1]), func(w watch) bool {
		return w.f != nil && w.f.start && len(w.word) > 2 && t.here(s[at:], w.word)
	})
}

// announced reports whether a run is a prefix of small words, each with a mark
// after it, and a jumble long enough to be a key: a shorter one where the prefix says so.
func announced(s string) bool {
	prefix := pattern("token-prefix").FindString(s)
	words := append(strings.FieldsFunc(prefix, tokenMark), "")
	shape := "long-key"
	switch {
	case is("ids", words[0]):
		return false
	case slices.ContainsFunc(words, func(w string) bool { return is("announcers", w) }):
		shape = "announced-key"
	case len(words[0]) <= 2, slices.Contains(digestLengths(), len(s)):
		return false
	}
	return fits(shape, s[len(prefix):])
}

func tokenMark(r rune) bool { return strings.ContainsRune("_-", r) }

// digestLengths are how long SHA-256 and SHA-512 are in base64. One in some hundred has a mark in it
// that makes a prefix of what is before.
func digestLengths() []int { return []int{43, 86} }

// unnamed reports whether a part of a jumble is long, and no name as programs have them.
func unnamed(v string) bool {
	parts := strings.FieldsFunc(v, tokenMark)
	return slices.ContainsFunc(parts, func(part string) bool { return len(part) >= 14 && !wordsOf(part, 3) })
}
