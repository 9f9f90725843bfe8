package projection

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// writer builds a page out of lines and blocks.
type writer struct {
	bytes.Buffer
	text func(memory.ID) string // the text of a record that has none; nil where all have theirs
}

func (w *writer) line(parts ...string) {
	for _, p := range parts {
		w.WriteString(p)
	}
	w.WriteByte('\n')
}

// blank ends a block with exactly one empty line.
func (w *writer) blank() {
	if b := w.Bytes(); len(b) > 0 && !bytes.HasSuffix(b, []byte("\n\n")) {
		w.WriteByte('\n')
	}
}

func (w *writer) heading(level int, text string) {
	w.blank()
	w.line(strings.Repeat("#", level), " ", text)
	w.blank()
}

func (w *writer) paragraph(text string) {
	w.blank()
	w.line(text)
}

// entry shows r in full: heading, marker, provenance, body, relations.
func (w *writer) entry(r *memory.Memory, level int, relations ...string) {
	w.blank()
	w.line(strings.Repeat("#", level), " ", inline(r.Quote(r.Title)))
	w.line(marker(r))
	w.blank()
	w.line(strings.Join(provenance(r), " · "))
	text := r.Text
	if w.text != nil {
		text = limitText(w.text(r.ID))
	}
	if text != "" {
		w.blank()
		w.WriteString(quoted(text))
	}
	for _, rel := range relations {
		w.paragraph(rel)
	}
}

// item shows r in one line, with notes, of which "" is none.
func (w *writer) item(r *memory.Memory, label string, notes ...string) {
	w.WriteString("- ")
	w.WriteString(date(r))
	w.WriteByte(' ')
	if label != "" {
		w.WriteString(label)
		w.WriteByte(' ')
	}
	w.WriteString(linked(r))
	for _, n := range notes {
		if n != "" {
			w.WriteString(", " + n)
		}
	}
	w.line(" ", marker(r))
}

func marker(r *memory.Memory) string { return memoryOpen + string(r.ID) + commentClose }

func date(r *memory.Memory) string { return r.Created.Format(time.DateOnly) }

// linked is the title as a link to the memory's file, or the id of a memory
// that has a record only because of its links.
func linked(r *memory.Memory) string {
	if r.Title == "" {
		return codeSpan(r.ID.Short())
	}
	return "[" + inline(r.Quote(r.Title)) + "](" + href(r) + ")"
}

func href(r *memory.Memory) string { return path.Join("memories", r.Path()) }

// provenance is the line with date, confidence and origin of a record.
func provenance(r *memory.Memory) []string {
	out := []string{date(r), strings.ToLower(Confidence(r.Confidence)) + " confidence"}
	if r.Pinned {
		out = append(out, "pinned")
	}
	if r.Source.Agent != "" {
		out = append(out, inline(r.Source.Agent))
	}
	if r.Source.Branch != "" {
		out = append(out, "branch "+codeSpan(r.Source.Branch))
	}
	if r.Source.Commit != "" {
		out = append(out, "at "+codeSpan(shortCommit(r.Source.Commit)))
	}
	return append(out, fmt.Sprintf("[%s](%s)", r.ID.Short(), href(r)))
}

func shortCommit(s string) string { return s[:min(len(s), 8)] }
