package console

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/memory"
)

// style is how text looks on a terminal.
type style uint8

const (
	asIs style = iota
	inBold
	inDim
	inGreen
	inYellow
	inRed
	asMatch
)

// code switches the terminal to a style.
func (s style) code() string {
	return [...]string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[33m", "\x1b[31m", "\x1b[1;33m"}[s]
}

// Text is text for people, with its styles beside it: nothing within the words
// says how they look, so nothing that a memory holds can.
type Text []span

// span is a part of a text in one style.
type span struct {
	style style
	words string
}

// in is s in one style. It is not inlined: the program would hold some four hundred copies.
//
//go:noinline
func in(as style, s string) Text { return Text{{as, s}} }

// Plain is s in no style.
func Plain(s string) Text { return in(asIs, s) }

// Bold is s in bold: what to look at first.
func Bold(s string) Text { return in(inBold, s) }

// Dim is s in a fainter colour: what can be passed over.
func Dim(s string) Text { return in(inDim, s) }

// Good is s in green: what went well.
func Good(s string) Text { return in(inGreen, s) }

// Warn is s in yellow: what to look at.
func Warn(s string) Text { return in(inYellow, s) }

// Bad is s in red: what is wrong.
func Bad(s string) Text { return in(inRed, s) }

// Highlighted is s with the parts in marks, from and to a byte, standing out.
// Parts that overlap an earlier one or go past the end are left out.
func Highlighted(s string, marks [][2]int) Text {
	var out composer
	at := 0
	for _, m := range marks {
		if m[0] < at || m[1] < m[0] || m[1] > len(s) {
			continue
		}
		out.add(asIs, s[at:m[0]])
		out.add(asMatch, s[m[0]:m[1]])
		at = m[1]
	}
	out.add(asIs, s[at:])
	return out.text()
}

// Join puts texts one after another.
func Join(parts ...Text) Text { return slices.Concat(parts...) }

// JoinLines puts texts below each other.
func JoinLines(lines []Text) Text {
	var out Text
	for i, line := range lines {
		if i > 0 {
			out = append(out, span{asIs, "\n"})
		}
		out = append(out, line...)
	}
	return out
}

// Styled gives each line a style.
func Styled(as func(string) Text, lines []string) []Text {
	out := make([]Text, len(lines))
	for i, line := range lines {
		out[i] = as(line)
	}
	return out
}

// String is the text without its styles.
func (t Text) String() string {
	if len(t) == 1 {
		return t[0].words
	}
	var b strings.Builder
	for _, s := range t {
		b.WriteString(s.words)
	}
	return b.String()
}

// Columns is how many columns of a terminal t takes.
func (t Text) Columns() int { return Columns(t.String()) }

// composer puts a text together from parts.
type composer struct {
	done  Text
	style style
	words strings.Builder
}

func (c *composer) add(s style, words string) {
	if s != c.style {
		c.end()
		c.style = s
	}
	c.words.WriteString(words)
}

func (c *composer) addText(t Text) {
	for _, s := range t {
		c.add(s.style, s.words)
	}
}

func (c *composer) end() {
	if c.words.Len() > 0 {
		c.done = append(c.done, span{c.style, c.words.String()})
		c.words.Reset()
	}
}

// text returns the text put together so far, and empties the composer.
func (c *composer) text() Text {
	c.end()
	done := c.done
	c.done = nil
	return done
}

// lines splits a text at its line ends; one at the very end begins no line.
func (t Text) lines() []Text {
	var out []Text
	var line Text
	open := false
	for _, s := range t {
		for part := range strings.Lines(s.words) {
			words, ended := strings.CutSuffix(part, "\n")
			line = append(line, span{s.style, words})
			if open = !ended; ended {
				out, line = append(out, line), nil
			}
		}
	}
	if open {
		out = append(out, line)
	}
	return out
}

// word is a part of a text between spaces, and the style of the space before.
type word struct {
	gap  style
	text Text
}

// split yields the words of a text. Each is good until the next one is asked for.
func (t Text) split(yield func(word) bool) {
	var next word
	for _, s := range t {
		rest := s.words
		for {
			end := strings.IndexFunc(rest, unicode.IsSpace)
			if end < 0 {
				break
			}
			next.add(s.style, rest[:end])
			if len(next.text) > 0 && !yield(next) {
				return
			}
			next = word{gap: s.style, text: next.text[:0]}
			_, wide := utf8.DecodeRuneInString(rest[end:])
			rest = rest[end+wide:]
		}
		next.add(s.style, rest)
	}
	if len(next.text) > 0 {
		yield(next)
	}
}

func (w *word) add(s style, words string) {
	if words != "" {
		w.text = append(w.text, span{s, words})
	}
}

// Wrap breaks a text at spaces into lines of at most n columns, keeping its own
// line breaks, and puts prefix before each.
func (t Text) Wrap(n int, prefix Text) Text {
	var out composer
	room := n - prefix.Columns()
	for _, line := range t.lines() {
		whole := line.String()
		indent := whole[:len(whole)-len(strings.TrimLeft(whole, " "))]
		used := 0
		out.addText(prefix)
		for w := range line.split {
			wide := w.text.Columns()
			switch {
			case used == 0:
				out.add(asIs, indent)
				used = len(indent) + wide
			case used+1+wide > room:
				out.add(asIs, "\n")
				out.addText(prefix)
				out.add(asIs, indent)
				used = len(indent) + wide
			default:
				out.add(w.gap, " ")
				used += 1 + wide
			}
			out.addText(w.text)
		}
		out.add(asIs, "\n")
	}
	return out.text()
}

// broken has a space in each word that is too long for a line of n columns, so
// that it can go on in the next one.
func (t Text) broken(n int) Text {
	var out composer
	used, room, begins := 0, n, true
	var before rune
	for _, s := range t {
		from := 0
		for i, r := range s.words {
			w := runeColumns(r, before)
			switch {
			case r == '\n':
				used, room, begins = 0, n, true
			case unicode.IsSpace(r):
				used = 0
				if begins {
					room--
				}
			case used+w > room && room > 1:
				out.add(s.style, s.words[from:i]+" ")
				from, used = i, w
			default:
				used += w
			}
			begins = begins && unicode.IsSpace(r)
			before = r
		}
		out.add(s.style, s.words[from:])
	}
	return out.text()
}

// Fold breaks a text into lines of at most width columns: at its own line
// breaks, at spaces, and inside of words that are too long for a line.
func Fold(t Text, width int) []Text {
	width = max(width, 8)
	return t.cleaned().broken(width).Wrap(width, nil).lines()
}

// FoldLines breaks words into lines of at most width columns: at their own line
// breaks, at spaces, and inside of words that are too long for a line.
func FoldLines(words string, width int) []string {
	var out []string
	for _, line := range Fold(Plain(words), width) {
		out = append(out, line.String())
	}
	return out
}

// cleaned is a text that can be measured: printing it changes nothing any more.
// A tag that goes over several styles is one all the same.
func (t Text) cleaned() Text {
	out := slices.Clone(t)
	for i := range out {
		out[i].words = memory.Clean(out[i].words)
	}
	whole := out.String()
	safe := memory.Untag(whole)
	if safe == whole {
		return out
	}
	for i := range out {
		n := 0 // bytes of safe that stand for those of the part
		for range out[i].words {
			_, size := utf8.DecodeRuneInString(safe[n:])
			n += size
		}
		out[i].words, safe = safe[:n], safe[n:]
	}
	return out
}

// painted is a text on its way to the output. Each line has its styles for
// itself, so that a pager shows any of them right.
type painted struct {
	text  Text
	color bool
}

func (p painted) Format(f fmt.State, _ rune) {
	for _, s := range p.text.cleaned() {
		if !p.color || s.style == asIs {
			_, _ = io.WriteString(f, s.words)
			continue
		}
		for line := range strings.Lines(s.words) {
			words := strings.TrimSuffix(line, "\n")
			if words != "" {
				_, _ = io.WriteString(f, s.style.code()+words+asIs.code())
			}
			_, _ = io.WriteString(f, line[len(words):])
		}
	}
}

// clean is any other argument on its way to the output.
type clean struct{ value any }

func (c clean) Format(f fmt.State, verb rune) {
	if s, ok := c.value.(string); ok && verb == 's' {
		if _, wide := f.Width(); !wide {
			_, _ = io.WriteString(f, memory.Defang(s))
			return
		}
	}
	_, _ = io.WriteString(f, memory.Defang(fmt.Sprintf(fmt.FormatString(f, verb), c.value)))
}
