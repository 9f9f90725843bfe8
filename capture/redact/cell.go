package redact

import (
	"strings"
)

// cell looks at the table of Markdown that a name stands in: what is beside it in its
// row, or below it where it heads a column.
func (x *search) cell(from, to int) {
	s := x.s
	start, end := x.lineFrom(from), x.lineTo(to)
	if !strings.Contains(s[start:from], "|") || !strings.HasPrefix(strings.TrimLeft(s[to:end], " \t`*\""), "|") {
		return
	}
	if !pattern("row").MatchString(s[start:end]) {
		return
	}
	password, secret := x.spokenName(from, to)
	if !secret {
		return
	}
	next := end + 1
	if next < len(s) && ruled(s[next:x.lineTo(next)]) {
		column := strings.Count(s[start:from], "|")
		for at := x.lineTo(next) + 1; at < min(len(s), next+windowTable); at = x.lineTo(at) + 1 {
			if row := s[at:x.lineTo(at)]; !strings.HasPrefix(strings.TrimLeft(row, " \t>"), "|") {
				break
			}
			x.cellValue(at, column, password)
		}
		return
	}
	x.cellValue(to, 1, password)
}

// ruled holds for the line below the head of a table.
func ruled(line string) bool {
	return strings.Contains(line, "--") && strings.Trim(line, "|:- \t\r>") == ""
}

// cellValue takes what stands after the n-th bar of a line for a secret, if it can
// hardly be anything else.
func (x *search) cellValue(at, n int, password bool) {
	end := x.lineTo(at)
	for ; n > 0; n-- {
		i := strings.IndexByte(x.s[at:end], '|')
		if i < 0 {
			return
		}
		at += i + 1
	}
	cell := upTo(x.s[at:end], "|")
	v := strings.Trim(cell, " \t\r`*\"'")
	if password && (strong(v) || seasoned(v)) || keylike(v) {
		at += strings.Index(cell, v)
		x.add("secret", at, at+len(v))
	}
}
