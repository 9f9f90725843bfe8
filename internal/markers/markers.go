// Package markers keeps lines of ours in somebody else's file, between two marker
// lines. What is taken out leaves the file as it was, to the byte; what others
// wrote around the lines stays.
//
// [Insert] puts a [Block] into the text of a file or replaces it there, [Remove]
// takes it out, and [Body] says what stands there now. None of them reads or writes
// a file, and all are safe for concurrent use.
package markers

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"
)

// ErrDamaged is a marked block whose end or beginning is missing, or that
// stands there twice. The file is left as it is.
var ErrDamaged = errors.New("the cortex markers in this file are damaged")

// Block is a run of lines that cortex owns in somebody else's file. The zero
// value of all but Name is an empty block at the end of a file.
type Block struct {
	Name string // tells blocks of one file apart: "attributes", "hook"
	// Open and Close are the strings that begin and end a comment line: "<!--" and
	// "-->" in Markdown. An empty Open is "#".
	Open, Close string
	Body        string // the lines between the markers, with "\n"
	Top         bool   // after a leading "#!" line instead of at the end
}

// Notes in the opening marker: what was added besides the block itself.
const (
	noteNew  = "new file"  // there was no file
	noteLine = "new line"  // the line before had no end
	noteHead = "new shell" // there was no file, and the "#!" line before is ours too
)

func (b Block) begin(note string) string {
	if note != "" {
		note = " (" + note + ")"
	}
	return b.comment(">>> cortex " + b.Name + note + " >>>")
}

func (b Block) end() string { return b.comment("<<< cortex " + b.Name + " <<<") }

func (b Block) comment(text string) string {
	return strings.TrimSpace(cmp.Or(b.Open, "#") + " " + text + " " + b.Close)
}

// span is where a block stands: data[start:bodyStart] is the opening marker's
// line, data[bodyEnd:end] the closing one's.
type span struct {
	start, bodyStart, bodyEnd, end int
	note                           string
}

// find locates the block; ok is false when there is no trace of it.
func (b Block) find(data []byte) (s span, ok bool, err error) {
	begins, ends, at := 0, 0, 0
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), "\r\n")
		if note, begun := b.begun(text); begun {
			begins++
			s.start, s.bodyStart, s.note = at, at+len(line), note
		}
		if text == b.end() {
			ends++
			s.bodyEnd, s.end = at, at+len(line)
		}
		at += len(line)
	}
	switch {
	case begins+ends == 0:
		return s, false, nil
	case begins != 1, ends != 1, s.bodyEnd < s.bodyStart:
		return s, false, ErrDamaged
	}
	return s, true, nil
}

// begun reports whether a line is the opening marker, and with which note.
func (b Block) begun(line string) (note string, ok bool) {
	notes := []string{"", noteNew, noteLine, noteHead}
	i := slices.IndexFunc(notes, func(note string) bool { return line == b.begin(note) })
	if i < 0 {
		return "", false
	}
	return notes[i], true
}

// lineEnd is the line end that data uses: that of its first line.
func lineEnd(data []byte) string {
	if bytes.HasSuffix(firstLine(data), []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// firstLine returns the first line of a file, with its end.
func firstLine(data []byte) []byte { return bytes.SplitAfterN(data, []byte("\n"), 2)[0] }

// text is the whole block with the given line ends.
func (b Block) text(note, eol string) []byte {
	lines := b.begin(note) + "\n" + b.Body
	if !strings.HasSuffix(lines, "\n") {
		lines += "\n"
	}
	return []byte(strings.ReplaceAll(lines+b.end()+"\n", "\n", eol))
}

// Insert puts b into data, or replaces its body where it stands. data is
// nil for a file that does not exist, and empty for an empty one. The markers
// record what had to be added, so that [Remove] restores every byte.
func Insert(data []byte, b Block) ([]byte, error) {
	s, ok, err := b.find(data)
	eol := lineEnd(data)
	switch {
	case err != nil:
		return data, err
	case ok:
		return bytes.Join([][]byte{data[:s.start], b.text(s.note, eol), data[s.end:]}, nil), nil
	case data == nil && b.Top:
		return append([]byte(shellLine), b.text(noteHead, eol)...), nil
	case data == nil:
		return b.text(noteNew, eol), nil
	}
	head := data[:b.place(data)]
	note, gap := "", ""
	if len(head) > 0 && !bytes.HasSuffix(head, []byte("\n")) {
		note, gap = noteLine, eol
	}
	return bytes.Join([][]byte{head, []byte(gap), b.text(note, eol), data[len(head):]}, nil), nil
}

// shellLine is the first line of a new file that has a block on top.
const shellLine = "#!/bin/sh\n"

// place returns where a block belongs that is not there yet.
func (b Block) place(data []byte) int {
	switch {
	case !b.Top:
		return len(data)
	case !bytes.HasPrefix(data, []byte("#!")):
		return 0
	}
	return len(firstLine(data))
}

// Remove takes b out again. It returns nil when the file did not exist
// before; data itself when the block is not there. Lines that were added
// around the block since stay.
func Remove(data []byte, b Block) ([]byte, error) {
	s, ok, err := b.find(data)
	switch {
	case err != nil, !ok:
		return data, err
	case s.alone(data):
		return nil, nil
	}
	head, tail := data[:s.start], data[s.end:]
	if s.note == noteLine && len(tail) == 0 {
		head = unended(head)
	}
	return append(bytes.Clone(head), tail...), nil
}

// alone reports whether a file holds nothing but what [Insert] wrote into a new one.
func (s span) alone(data []byte) bool {
	head, created := map[string]string{noteNew: "", noteHead: shellLine}[s.note]
	return created && s.end == len(data) && string(data[:s.start]) == head
}

// unended returns lines without the line end that [Insert] gave the last one.
func unended(lines []byte) []byte {
	before, found := bytes.CutSuffix(lines, []byte("\r\n"))
	if found && lineEnd(before) == "\r\n" {
		return before
	}
	return bytes.TrimSuffix(lines, []byte("\n"))
}

// Body returns what stands between the markers of b, with "\n" line ends; ok is
// false without them, and when they are damaged.
func Body(data []byte, b Block) (body string, ok bool) {
	s, ok, err := b.find(data)
	if err != nil || !ok {
		return "", false
	}
	return strings.ReplaceAll(string(data[s.bodyStart:s.bodyEnd]), "\r\n", "\n"), true
}

// Check returns [ErrDamaged] when the markers of b are damaged.
func Check(data []byte, b Block) error {
	_, _, err := b.find(data)
	return err
}
