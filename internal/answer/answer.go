// Package answer gives results and errors the form that every face of the
// program shows: the JSON objects of docs/json.md, and for an error its kind and
// what to type next. A face that prints what these functions return says the
// same as any other.
//
// [Write] prints one object on one line and [WriteList] one with thousands of
// memories in it. The other types are the objects; make them with their New
// functions, which never leave a list null. [Explain] is the object of an error.
// Nothing here opens a workspace, and nothing is kept.
package answer

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

// Write prints one object on one line, with nothing escaped that JSON
// does not ask for. Characters that act on a terminal are always escaped, and
// what a person does not see is left out, as [memory.Clean] has it: what reads
// JSON may hand it to a model.
func Write(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encoding the answer: %w", err)
	}
	_, err := w.Write(shown(b.Bytes()))
	return err
}

// shown is encoded JSON as it is written.
func shown(b []byte) []byte { return untagged(memory.Visible(escapeC1(b))) }

// untagged takes the opening bracket from what a model may take for a tag of its harness, as
// [memory.Defang] does in a text. Behind a bracket white space of a string is an escape.
func untagged(b []byte) []byte {
	if bytes.IndexByte(b, '<') < 0 {
		return b
	}
	const looked = 80 // bytes behind a bracket: more than the longest name
	spaces := strings.NewReplacer(`\n`, " ", `\t`, " ", `\r`, " ", `\f`, " ")
	out := make([]byte, 0, len(b)+len(b)/16)
	for {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			return append(out, b...)
		}
		out = append(out, b[:i]...)
		b = b[i+1:]
		mark, _ := utf8.DecodeRuneInString(memory.Untag("<" + spaces.Replace(string(b[:min(len(b), looked)]))))
		out = utf8.AppendRune(out, mark)
	}
}

// encodedAtOnce is how many memories a core encodes before they are written.
const encodedAtOnce = 256

// WriteList is [Write] of {"memories": entries} with what rest has beside, for
// thousands of them: each is encoded once, and on all cores. Rest is an object
// with at least one key.
func WriteList(w io.Writer, entries []workspace.Entry, rest any) error {
	var tail strings.Builder
	if err := Write(&tail, rest); err != nil {
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
			if len(parts[i].shown) == 0 {
				continue
			}
			if _, err := io.WriteString(w, before); err != nil {
				return err
			}
			if _, err := w.Write(parts[i].shown); err != nil {
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
	out   bytes.Buffer
	shown []byte
	err   error
}

// encode leaves entries in shown, with commas between them.
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
	e.shown = shown(e.out.Bytes())
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
