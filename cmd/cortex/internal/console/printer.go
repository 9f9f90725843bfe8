// Package console prints for people: it lays text out in the columns of a
// terminal and styles it. Make a [Printer] for an output and print with
// [Printer.Printf]; [Bold], [Dim] and the like return a [Text], which carries its
// styles beside its words.
//
// It promises that nothing printed can act on the terminal: every argument is
// cleaned, and only the styles of a Text become control sequences.
package console

import (
	"fmt"
	"io"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// Printer is the one writer of what people read. Every argument passes through
// [memory.Clean], so that no memory, file name or branch name can reach the
// terminal with control characters in it. The style of a [Text] is added after
// that, if there is colour.
type Printer struct {
	Out   io.Writer
	Color bool // styles become control sequences
	Whole bool // not on a terminal: nothing is cut
	Width int  // columns; must be positive
}

// Printf writes args by a format, whose own words are ours. A [Text] goes with
// %s.
func (p *Printer) Printf(format string, args ...any) {
	for i, arg := range args {
		if t, ok := arg.(Text); ok {
			args[i] = painted{t, p.Color}
		} else {
			args[i] = clean{arg}
		}
	}
	_, _ = fmt.Fprintf(p.Out, format, args...)
}

// Cut shortens s to at most n columns with an ellipsis, on one line.
func Cut(s string, n int) string { return Shorten(memory.OneLine(memory.Clean(s)), n) }

// Shorten is cut of a line whose spaces stay as they are.
func Shorten(line string, n int) string {
	if Columns(line) <= n {
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

// Pad fills s with spaces to n columns.
func Pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-Columns(s)))
}

// Wrap is [Text.Wrap] of words without a style.
func Wrap(words string, n int, prefix string) string {
	return Plain(words).Wrap(n, Plain(prefix)).String()
}

// Plural words a count: "1 memory", "2 memories".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Raw writes our own control sequences; nothing of a user's may go through it.
func (p *Printer) Raw(s string) { _, _ = io.WriteString(p.Out, s) }
