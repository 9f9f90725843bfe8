package main

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/git-cortex/cortex/memory"
)

// What follows lays text out in columns. On a terminal no line is wider than
// it; where the output goes elsewhere nothing is cut, since what reads it wants the
// whole.

// cut is [cut] on a terminal, else s on one line.
func (p *printer) cut(s string, n int) string {
	if p.whole {
		return memory.OneLine(memory.Clean(s))
	}
	return cut(s, n)
}

// path shortens a path to n columns on a terminal, in the middle: where it
// begins and the name of the file say most.
func (p *printer) path(s string, n int) string {
	s = memory.OneLine(memory.Clean(s))
	if p.whole || columns(s) <= n {
		return s
	}
	tail := s[strings.LastIndexByte(s, '/')+1:]
	if columns(tail) > n-4 {
		runes := []rune(tail)
		for columns(string(runes)) > n*2/3 {
			runes = runes[1:]
		}
		tail = string(runes)
	} else if tail != s {
		tail = "/" + tail
	}
	return cut(s, n-columns(tail)) + tail
}

// wrap is [wrap] to the width of the output; on a terminal it breaks words that
// are longer than a line too.
func (p *printer) wrap(words, prefix string) string {
	return p.wrapText(unstyled(words), unstyled(prefix)).String()
}

func (p *printer) wrapText(t, prefix text) text {
	if !p.whole {
		t = t.broken(p.width - prefix.columns())
	}
	return t.wrap(p.width, prefix)
}

// list joins facts with dots between them, each whole, on as many lines as they
// take behind margin.
func (p *printer) list(parts []string, margin string) text {
	var b strings.Builder
	line := ""
	for _, part := range parts {
		part = memory.OneLine(memory.Clean(part))
		switch joined := line + " · " + part; {
		case line == "":
			line = part
		case columns(joined) <= p.width-columns(margin):
			line = joined
		default:
			b.WriteString(margin + p.cut(line, p.width-columns(margin)) + "\n")
			line = part
		}
	}
	return dim(b.String() + margin + p.cut(line, p.width-columns(margin)) + "\n")
}

// row is a name and its value, which goes on below itself.
func (p *printer) row(name, value string) {
	if value == "" {
		return
	}
	if !p.whole {
		value = memory.OneLine(memory.Clean(value))
	}
	p.hang(join(dim(pad(name, 10)), unstyled(" ")), unstyled(value))
}

// hang puts a value beside its label; what does not fit there goes on below the
// value.
func (p *printer) hang(label, value text) {
	if p.whole {
		p.printf("%s%s\n", label, value)
		return
	}
	indent := label.columns()
	room := p.width - indent
	for _, line := range value.broken(room).wrap(room, nil).lines() {
		p.printf("%s%s\n", label, line)
		label = unstyled(strings.Repeat(" ", indent))
	}
}

func columns(s string) int {
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
	case r >= 0x20 && r < 0x7f:
		return 1
	case r == emojiSign && before > 0x7f:
		return 2 - runeColumns(before, 0)
	case r >= 0x1160 && r <= 0x11ff: // middle and end of a Hangul syllable
		return 0
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
