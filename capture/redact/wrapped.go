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
	after := min(x.lineTo(last.to), last.to+wrapAround)
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
	from := back(x.s, to, wrapMost, wrapBytes)
	if v := x.s[from:to]; v == "" || plainWord(v) || expression(v) {
		return nil
	}
	out, size := []piece{{from, to}}, to-from
	for size < wrapMost {
		next, whole := nextPiece(x, at)
		v := x.s[next.from:next.to]
		last := out[len(out)-1]
		if v == "" || max(len(v), last.to-last.from) < wrapLeast || plainWord(v) || !whole && !fits("rest", v) {
			break
		}
		out, size = append(out, next), size+len(v)
		at = reach(x.s, next.to, len(x.s), "\n")
		if !whole || at == len(x.s) {
			break
		}
	}
	return out
}

// nextPiece is the first word of the line after a line break, and whether it is all of it.
func nextPiece(x *search, at int) (p piece, whole bool) {
	line := x.s[at+1 : x.lineTo(at+1)]
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

// plainWord reports whether a word is more likely the first of a line than the rest of a token.
func plainWord(v string) bool {
	return fits("plainword", strings.TrimRight(v, "."))
}
