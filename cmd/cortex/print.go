package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// printer is the one writer of what people read. Everything passes through
// [memory.Clean], so that no memory, file name or branch name can reach the
// terminal with control characters in it; colour is added after that.
type printer struct {
	w     io.Writer
	color bool
	width int
}

// Styles are private-use characters until the text is written.
const (
	styleEnd   = "\ue000"
	styleBold  = "\ue001"
	styleDim   = "\ue002"
	styleGood  = "\ue003"
	styleWarn  = "\ue004"
	styleBad   = "\ue005"
	styleMatch = "\ue006"
)

func bold(s string) string  { return styleBold + s + styleEnd }
func dim(s string) string   { return styleDim + s + styleEnd }
func good(s string) string  { return styleGood + s + styleEnd }
func warn(s string) string  { return styleWarn + s + styleEnd }
func bad(s string) string   { return styleBad + s + styleEnd }
func match(s string) string { return styleMatch + s + styleEnd }

func (p *printer) printf(format string, args ...any) {
	text := memory.Clean(fmt.Sprintf(format, args...))
	codes := []string{"", "", "", "", "", "", ""}
	if p.color {
		codes = []string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[33m", "\x1b[31m", "\x1b[1;33m"}
	}
	pairs := make([]string, 0, 2*len(codes))
	for i, c := range codes {
		pairs = append(pairs, string(rune(0xe000+i)), c)
	}
	_, _ = io.WriteString(p.w, strings.NewReplacer(pairs...).Replace(text))
}

// writeJSON prints one object on one line, with nothing escaped that JSON
// does not ask for. Characters that act on a terminal are always escaped.
func writeJSON(w io.Writer, v any) error {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encoding the answer: %w", err)
	}
	_, err := io.WriteString(w, escapeC1(b.String()))
	return err
}

// escapeC1 writes the C1 controls, which JSON allows raw, as escapes.
func escapeC1(s string) string {
	if !strings.ContainsAny(s, "\u007f\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e\u009f") {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if r >= 0x7f && r < 0xa0 {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// cut shortens s to at most n columns with an ellipsis, on one line.
func cut(s string, n int) string {
	s = memory.OneLine(memory.Clean(s))
	if columns(s) <= n {
		return s
	}
	used := 0
	for i, r := range s {
		if used+runeColumns(r) > n-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		used += runeColumns(r)
	}
	return s
}

// pad fills s with spaces to n columns.
func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-columns(s)))
}

func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// runeColumns is 2 for East Asian wide characters and emoji, 0 for joiners and
// our own style marks, else 1.
func runeColumns(r rune) int {
	switch {
	case r >= 0xe000 && r <= 0xe006, r == 0x200d, r == 0xfe0f, r >= 0x300 && r < 0x370:
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// wrap breaks text at spaces into lines of at most n columns, keeping its own
// line breaks, and puts prefix before each.
func wrap(text string, n int, prefix string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		used := 0
		b.WriteString(prefix)
		for word := range strings.FieldsSeq(line) {
			w := columns(word)
			switch {
			case used == 0:
				b.WriteString(indent + word)
				used = len(indent) + w
			case used+1+w > n-columns(prefix):
				b.WriteString("\n" + prefix + indent + word)
				used = len(indent) + w
			default:
				b.WriteString(" " + word)
				used += 1 + w
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
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
