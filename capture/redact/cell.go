package redact

import "strings"

// cell looks at the table of Markdown that a name stands in: what is beside it in its
// row, or below it where it heads a column.
func (x *search) cell(from, to int) {
	start, end := lineFrom(x.s, from), lineTo(x.s, to)
	column := strings.Count(x.s[start:from], "|")
	beside := strings.TrimLeft(x.s[to:end], " \t`*\"")
	if column == 0 || !strings.HasPrefix(beside, "|") || !tableRow(x.s[start:end]) {
		return
	}
	password, secret := spokenName(x.s, from, to)
	if !secret {
		return
	}
	shape := "keylike"
	if password {
		shape = "cell-password"
	}
	if next := min(len(x.s), end+1); ruled(x.s[next:lineTo(x.s, next)]) {
		x.column(lineTo(x.s, next)+1, column, shape)
	} else {
		x.cellValue(to, x.s[to:end], 1, shape)
	}
}

// tableRow reports whether a line with bars is a row of a table, and no expression of a program.
func tableRow(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t>*-"), "|") || strings.Contains(line, " | ")
}

// ruled reports whether a line is the one below the head of a table.
func ruled(line string) bool {
	return strings.Contains(line, "--") && strings.Trim(line, "|:- \t\r\n>") == ""
}

// column looks at a column of the rows from a place on.
func (x *search) column(at, column int, shape string) {
	at = min(len(x.s), at)
	for row := range strings.Lines(x.s[at:min(len(x.s), at+windowTable)]) {
		if !strings.HasPrefix(strings.TrimLeft(row, " \t>"), "|") || ruled(row) {
			break
		}
		x.cellValue(at, row, column, shape)
		at += len(row)
	}
}

// cellValue takes what stands after the n-th bar of a row for a secret, if it can
// hardly be anything else.
func (x *search) cellValue(at int, row string, n int, shape string) {
	cells := strings.Split(row, "|")
	if n >= len(cells) {
		return
	}
	v := strings.Trim(cells[n], " \t\r\n`*\"'")
	from := at + len(strings.Join(cells[:n], "|")) + 1 + strings.Index(cells[n], v)
	x.take("secret", shape, from, from+len(v))
}
