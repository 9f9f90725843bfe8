package redact

import "strings"

// Bounds of what is taken for a token of several lines.
const (
	wrapLeast  = 16      // bytes of the longer of two pieces
	wrapMost   = 8 << 10 // bytes of a token
	wrapAround = 160     // bytes before a token, and after it, that say what it is
)

// piece is the part of a token that stands on one line.
type piece struct{ from, to int }

// wrapBytes are the bytes of a token that may be wrapped.
const wrapBytes = wordLetters + ".+/%~"

// wrapped looks, at the end of a line, for a token that goes on in the next ones, as a
// terminal, Markdown or an editor break it. What is found in the pieces put together, and
// goes over the end of a line, is a secret from its first line to its last.
func wrapped(x *search, at int) {
	if at < x.unwrapped || x.part {
		return
	}
	pieces := wrappedPieces(x, at)
	if len(pieces) < 2 {
		return
	}
	x.unwrapped = pieces[len(pieces)-1].from
	first, last := pieces[0], pieces[len(pieces)-1]
	before := max(lineFrom(x.s, first.from), first.from-wrapAround)
	var b strings.Builder
	b.WriteString(x.s[before:first.from])
	starts := make([]int, 0, len(pieces)) // of the pieces, in the text put together
	for _, p := range pieces {
		starts = append(starts, b.Len())
		b.WriteString(x.s[p.from:p.to])
	}
	if whole := b.String()[starts[0]:]; !jumbled(whole) && !hexadecimal(whole) {
		return
	}
	after := min(lineTo(x.s, last.to), last.to+wrapAround)
	b.WriteString(x.s[last.to:after])
	y := &search{s: b.String(), part: true}
	y.scan(watches())
	for _, f := range y.found {
		from, line := placed(f.Start, pieces, starts, before)
		to, end := placed(f.End-1, pieces, starts, before)
		if line < end {
			x.found = append(x.found, Secret{f.Kind, from, to + 1})
		}
	}
}

// placed maps a place of the text put together to one of the text, and says in which of
// the pieces it is.
func placed(at int, pieces []piece, starts []int, before int) (place, in int) {
	if at < starts[0] {
		return before + at, 0
	}
	in = len(pieces) - 1
	for starts[in] > at {
		in--
	}
	return pieces[in].from + at - starts[in], in
}

// wrappedPieces are the parts of the token that goes over the line break at a place.
func wrappedPieces(x *search, at int) []piece {
	to := wrapEnd(x.s, at)
	out := []piece{{back(x.s, to, wrapMost, wrapBytes), to}}
	if v := x.s[out[0].from:to]; plainWord(v) || expression(v) {
		return nil
	}
	for whole := true; whole && at < len(x.s); at = reach(x.s, at+1, len(x.s), "\n") {
		last := out[len(out)-1]
		next, all := nextPiece(x, at)
		if whole = all; !goesOn(x.s, last, next, whole) {
			break
		}
		out = append(out, next)
	}
	return out
}

// goesOn reports whether the next piece is the rest of a token, or the part of it that stands on the
// whole of a line.
func goesOn(s string, last, next piece, whole bool) bool {
	v := s[next.from:next.to]
	if plainWord(v) || next.to > last.to+wrapMost || max(len(v), last.to-last.from) < wrapLeast {
		return false
	}
	return whole || fits("rest", v)
}

// nextPiece is the first word of the line after a line break, and whether it is all of it.
func nextPiece(x *search, at int) (p piece, whole bool) {
	line := x.s[at+1 : lineTo(x.s, at+1)]
	m := pattern("next-piece").FindStringSubmatchIndex(line)
	if m == nil || m[6] >= 0 { // a name with its value
		return piece{at + 1, at + 1}, false
	}
	p = piece{at + 1 + max(m[2], m[4]), at + 1 + max(m[3], m[5])}
	end := at + 1 + len(line)
	return p, p.to == wrapEnd(x.s, end) || strings.Trim(x.s[p.to:end], " \t\r\"'`.,;)|*") == ""
}

// wrapEnd is the end of the text on a line before its break: blanks, the bar of a table
// and the signs that join strings are no part of it.
func wrapEnd(s string, at int) int {
	near := max(0, at-40)
	text := strings.TrimRight(s[near:at], " \t\r|\\")
	text = strings.TrimRight(strings.TrimSuffix(text, "│"), " ")
	open := strings.TrimRight(strings.TrimSuffix(text, "+"), " ")
	if strings.HasSuffix(open, `"`) || strings.HasSuffix(open, "'") || strings.HasSuffix(open, "`") {
		return near + len(open) - 1
	}
	return near + len(text)
}

// plainWord reports whether a word is more likely the first of a line than the rest of a token. No word
// is one as well.
func plainWord(v string) bool {
	return fits("plainword", strings.TrimRight(v, "."))
}
