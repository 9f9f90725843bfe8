package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// printer is the one writer of what people read. Every argument passes through
// [memory.Clean], so that no memory, file name or branch name can reach the
// terminal with control characters in it. The style of a [text] is added after
// that, if there is colour.
type printer struct {
	w     io.Writer
	color bool
	whole bool // not on a terminal: nothing is cut
	width int
}

// printf writes args by a format, whose own words are ours. A [text] goes with
// %s.
func (p *printer) printf(format string, args ...any) {
	for i, arg := range args {
		if t, ok := arg.(text); ok {
			args[i] = painted{t, p.color}
		} else {
			args[i] = clean{arg}
		}
	}
	_, _ = fmt.Fprintf(p.w, format, args...)
}

// cut shortens s to at most n columns with an ellipsis, on one line.
func cut(s string, n int) string { return shorten(memory.OneLine(memory.Clean(s)), n) }

// shorten is cut of a line whose spaces stay as they are.
func shorten(line string, n int) string {
	if columns(line) <= n {
		return line
	}
	used := 0
	var before rune
	for i, r := range line {
		w := runeColumns(r, before)
		if used+w > n-1 {
			return strings.TrimRight(line[:i], " ") + "…"
		}
		used, before = used+w, r
	}
	return line
}

// pad fills s with spaces to n columns.
func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-columns(s)))
}

// wrap is [text.wrap] of words without a style.
func wrap(words string, n int, prefix string) string {
	return unstyled(words).wrap(n, unstyled(prefix)).String()
}

// plural words a count: "1 memory", "2 memories".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// raw writes our own control sequences; nothing of a user's may go through it.
func (p *printer) raw(s string) { _, _ = io.WriteString(p.w, s) }
