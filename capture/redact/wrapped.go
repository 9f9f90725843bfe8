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

// wrapByte marks what a token is made of that may be wrapped.
func wrapByte(c byte) bool { return tokenByte(c) || strings.IndexByte(".+/%~", c) >= 0 }

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
	s := x.s
	to := wrapEnd(s, at)
	from := to
	for from > 0 && to-from < wrapMost && wrapByte(s[from-1]) {
		from--
	}
	if v := s[from:to]; v == "" || plainWord(v) || expression(v) {
		return nil
	}
	out, size := []piece{{from, to}}, to-from
	for size < wrapMost {
		next, whole := nextPiece(x, at)
		n := len(out)
		if next.to == next.from || max(next.to-next.from, out[n-1].to-out[n-1].from) < wrapLeast {
			break
		}
		if !whole && !telltale(s[next.from:next.to]) || plainWord(s[next.from:next.to]) {
			break
		}
		out, size = append(out, next), size+next.to-next.from
		if at = next.to + strings.IndexByte(s[next.to:]+"\n", '\n'); !whole || at >= len(s) {
			break
		}
	}
	return out
}

// nextPiece is the first word of the line after a line break, and whether it is all of it.
func nextPiece(x *search, at int) (p piece, whole bool) {
	s := x.s
	i := at + 1
	for i < len(s) && i < at+80 && strings.IndexByte(" \t>|*\"'`", s[i]) >= 0 {
		i++
	}
	for _, sign := range []string{"│", "// ", "# "} {
		if strings.HasPrefix(s[i:], sign) {
			i = blanks(s, i+len(sign))
		}
	}
	to := i
	for to < len(s) && to-i < wrapMost && wrapByte(s[to]) {
		to++
	}
	end := to
	for end < len(s) && end < to+2 && s[end] == '=' {
		end++
	}
	if end > to && (end == len(s) || strings.IndexByte(" \t\r\n\"'`,;)|\\", s[end]) >= 0) { // of base64
		to = end
	} else if sign := blanks(s, to); sign < len(s) && strings.IndexByte("=:([{$@", s[sign]) >= 0 {
		return piece{i, i}, false
	}
	line := x.lineTo(to)
	return piece{i, to}, to == wrapEnd(s, line) || strings.Trim(s[to:line], " \t\r\"'`.,;)|*") == ""
}

// wrapEnd is the end of what stands on a line before its break: blanks, the bar of a table
// and the signs that join strings are no part of it.
func wrapEnd(s string, at int) int {
	end := len(strings.TrimRight(s[max(0, at-40):at], " \t\r|\\")) + max(0, at-40)
	end = len(strings.TrimSuffix(s[:end], "│"))
	for end > 0 && s[end-1] == ' ' && at-end < 40 {
		end--
	}
	open := end
	if open > 0 && s[open-1] == '+' {
		for open--; open > 0 && s[open-1] == ' ' && at-open < 40; {
			open--
		}
	}
	if open > 0 && strings.IndexByte("\"'`", s[open-1]) >= 0 {
		return open - 1
	}
	return end
}

// plainWord holds for what is more likely the first word of a line than the rest of a token.
func plainWord(v string) bool {
	v = strings.TrimRight(v, ".")
	if len(v) > 14 || technical(v) {
		return len(v) <= 14 && strings.Trim(v, "0123456789") != ""
	}
	lower, upper, digit, other := classes(v)
	return digit == 0 && other <= 1 && (upper == 0 || upper == 1 && v[0] < 'a' || lower == 0) && strings.ContainsAny(strings.ToLower(v), "aeiouy")
}

// telltale holds for the rest of a token before other words: letters among digits, or of
// both cases, and no name.
func telltale(v string) bool {
	lower, upper, digit, _ := classes(v)
	if lower == 0 && strings.Contains(v, "_") {
		return false
	}
	return len(v) >= 4 && !dated(v) && !technical(v) && !identifier(v) && !strings.Contains(v, "/") &&
		(digit > 0 && lower+upper > 0 || lower > 1 && upper > 1 && changes(v)*3 >= len(v))
}
