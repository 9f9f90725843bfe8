package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
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

// writeJSON prints one object on one line, with nothing escaped that JSON
// does not ask for. Characters that act on a terminal are always escaped. Of a
// map, lists that were never made are written as [].
func writeJSON(w io.Writer, v any) error {
	if object, ok := v.(map[string]any); ok {
		for key, value := range object {
			if list := reflect.ValueOf(value); list.Kind() == reflect.Slice && list.IsNil() {
				object[key] = []any{}
			}
		}
	}
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
