package console

// This file lays text out in columns. On a terminal, no line is wider than the
// terminal; elsewhere nothing is cut, because what reads it wants all of it.

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/git-cortex/cortex/memory"
)

// Cut is [Cut] on a terminal, else s on one line.
func (p *Printer) Cut(s string, n int) string {
	if p.Whole {
		return memory.OneLine(memory.Clean(s))
	}
	return Cut(s, n)
}

// Path shortens a path to n columns on a terminal, in the middle: where it
// begins and the name of the file say most.
func (p *Printer) Path(s string, n int) string {
	s = memory.OneLine(memory.Clean(s))
	if p.Whole || Columns(s) <= n {
		return s
	}
	tail := s[strings.LastIndexByte(s, '/')+1:]
	if Columns(tail) > n-4 {
		runes := []rune(tail)
		for Columns(string(runes)) > n*2/3 {
			runes = runes[1:]
		}
		tail = string(runes)
	} else if tail != s {
		tail = "/" + tail
	}
	return Cut(s, n-Columns(tail)) + tail
}

// Wrap is [Wrap] to the width of the output; on a terminal it breaks words that
// are longer than a line too.
func (p *Printer) Wrap(words, prefix string) string {
	return p.WrapText(Plain(words), Plain(prefix)).String()
}

// WrapText is [Printer.Wrap] of words with styles.
func (p *Printer) WrapText(t, prefix Text) Text {
	t = t.cleaned()
	if !p.Whole {
		t = t.broken(p.Width - prefix.Columns())
	}
	return t.Wrap(p.Width, prefix)
}

// List joins facts with dots between them, each whole, on as many lines as they
// take behind margin.
func (p *Printer) List(parts []string, margin string) Text {
	var b strings.Builder
	line := ""
	for _, part := range parts {
		part = memory.OneLine(memory.Clean(part))
		switch joined := line + " · " + part; {
		case line == "":
			line = part
		case Columns(joined) <= p.Width-Columns(margin):
			line = joined
		default:
			b.WriteString(margin + p.Cut(line, p.Width-Columns(margin)) + "\n")
			line = part
		}
	}
	return Dim(b.String() + margin + p.Cut(line, p.Width-Columns(margin)) + "\n")
}

// Row is a name and its value, which goes on below itself.
func (p *Printer) Row(name, value string) {
	if value == "" {
		return
	}
	if !p.Whole {
		value = memory.OneLine(memory.Clean(value))
	}
	p.Hang(Join(Dim(Pad(name, 10)), Plain(" ")), Plain(value))
}

// Hang puts a value beside its label; what does not fit there goes on below the
// value.
func (p *Printer) Hang(label, value Text) {
	if p.Whole {
		p.Printf("%s%s\n", label, value)
		return
	}
	value = value.cleaned()
	indent := label.Columns()
	room := p.Width - indent
	for _, line := range value.broken(room).Wrap(room, nil).lines() {
		p.Printf("%s%s\n", label, line)
		label = Plain(strings.Repeat(" ", indent))
	}
}

// Columns is how many columns of a terminal s takes.
func Columns(s string) int {
	n := 0
	var before rune
	for _, r := range s {
		n += runeColumns(r, before)
		before = r
	}
	return n
}

// runeColumns is 2 for East Asian wide characters and emoji, 0 for what combines
// with the character before and what joins, else 1. The sign that makes an emoji
// of a narrow character adds the second column.
func runeColumns(r, before rune) int {
	const emojiSign = 0xfe0f
	switch {
	case isPlain(r):
		return 1
	case r == emojiSign && before > 0x7f:
		return 2 - runeColumns(before, 0)
	case isHangulPart(r), unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// isPlain reports whether a character is one of ASCII that is shown.
func isPlain(r rune) bool { return r >= 0x20 && r < 0x7f }

// isHangulPart reports whether a character is the middle or the end of a Hangul syllable.
func isHangulPart(r rune) bool { return r >= 0x1160 && r <= 0x11ff }
