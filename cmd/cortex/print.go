package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// printer is the one writer of what people read. Everything passes through
// [memory.Clean], so that no memory, file name or branch name can reach the
// terminal with control characters in it; colour is added after that.
type printer struct {
	w     io.Writer
	color bool
	whole bool // not on a terminal: nothing is cut
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
	_, _ = io.WriteString(p.w, p.styled(text))
}

// styled puts the codes of the terminal in the place of styles, or nothing.
func (p *printer) styled(text string) string {
	codes := [...]string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[33m", "\x1b[31m", "\x1b[1;33m"}
	var b strings.Builder
	for {
		i := strings.Index(text, styleEnd[:2]) // with which all of them begin
		if i < 0 || i+2 == len(text) {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		switch n := int(text[i+2] - styleEnd[2]); {
		case n >= len(codes):
			b.WriteString(text[i : i+3])
		case p.color:
			b.WriteString(codes[n])
		}
		text = text[i+3:]
	}
}

// writeJSON prints one object on one line, with nothing escaped that JSON
// does not ask for. Characters that act on a terminal are always escaped.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encoding the answer: %w", err)
	}
	_, err := w.Write(escapeC1(b.Bytes()))
	return err
}

// encodedAtOnce is how many memories a core encodes before they are written.
const encodedAtOnce = 256

// writeMemories is writeJSON of {"memories": entries} with what rest has beside,
// for thousands of them: each is encoded once, and on all cores.
func writeMemories(w io.Writer, entries []workspace.Entry, rest map[string]any) error {
	var tail strings.Builder
	if err := writeJSON(&tail, rest); err != nil {
		return err
	}
	parts := make([]entryEncoder, runtime.GOMAXPROCS(0))
	before := `{"memories":[`
	for round := range slices.Chunk(entries, len(parts)*encodedAtOnce) {
		var group sync.WaitGroup
		for i := range parts {
			group.Go(func() { parts[i].encode(round[len(round)*i/len(parts) : len(round)*(i+1)/len(parts)]) })
		}
		group.Wait()
		for i := range parts {
			if parts[i].err != nil {
				return fmt.Errorf("encoding the answer: %w", parts[i].err)
			}
			if parts[i].out.Len() == 0 {
				continue
			}
			if _, err := io.WriteString(w, before); err != nil {
				return err
			}
			if _, err := w.Write(escapeC1(parts[i].out.Bytes())); err != nil {
				return err
			}
			before = ","
		}
	}
	if len(entries) > 0 {
		before = ""
	}
	_, err := io.WriteString(w, before+"],"+strings.TrimPrefix(tail.String(), "{"))
	return err
}

// entryEncoder encodes a few memories at a time.
type entryEncoder struct {
	out bytes.Buffer
	err error
}

// encode leaves entries in out, with commas between them.
func (e *entryEncoder) encode(entries []workspace.Entry) {
	e.out.Reset()
	for i := range entries {
		if i > 0 {
			e.out.WriteByte(',')
		}
		if err := entries[i].WriteJSON(&e.out); err != nil {
			e.err = err
			return
		}
	}
}

// hasC1 reports whether b, which is UTF-8, holds a C1 control or DEL.
func hasC1(b []byte) bool {
	if bytes.IndexByte(b, 0x7f) >= 0 {
		return true
	}
	for {
		i := bytes.IndexByte(b, 0xc2) // the first byte of U+0080 to U+00BF
		if i < 0 || i+1 == len(b) {
			return false
		}
		if b[i+1] < 0xa0 {
			return true
		}
		b = b[i+1:]
	}
}

// escapeC1 writes the C1 controls, which JSON allows raw, as escapes.
func escapeC1(b []byte) []byte {
	if !hasC1(b) {
		return b
	}
	var out []byte
	for _, r := range string(b) {
		if r >= 0x7f && r < 0xa0 {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// cut shortens s to at most n columns with an ellipsis, on one line.
func cut(s string, n int) string {
	s = memory.OneLine(memory.Clean(s))
	if columns(s) <= n {
		return s
	}
	used := 0
	var before rune
	for i, r := range s {
		w := runeColumns(r, before)
		if used+w > n-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		used, before = used+w, r
	}
	return s
}

// pad fills s with spaces to n columns.
func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-columns(s)))
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
