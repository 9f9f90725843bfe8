package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// notesTitle names the section of the notes.
const notesTitle = "Notes"

// noteIndent makes a code block of the memory file of a note.
const noteIndent = "    "

// printNotes writes each note under a heading of its own: the line of the transcript that
// it comes from, and the memory file that it would become.
func printNotes(s *Session) []string {
	var out []string
	for i, m := range s.Notes {
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, fmt.Sprintf("### line %d: %s", m.Source.Record, flat(m.Title)), "")
		for line := range strings.SplitSeq(strings.TrimSuffix(string(memory.Format(m)), "\n"), "\n") {
			if line != "" {
				line = noteIndent + line
			}
			out = append(out, line)
		}
	}
	return out
}

// parseNotes reads the notes of a section. What is no memory file, and what stands there a
// second time, is dropped.
func parseNotes(section string) []*memory.Memory {
	var out []*memory.Memory
	_, notes, _ := strings.Cut("\n"+section, "\n### ")
	for note := range strings.SplitSeq(notes, "\n### ") {
		_, block, _ := strings.Cut(note, "\n")
		var file strings.Builder
		for line := range strings.SplitSeq(strings.Trim(block, "\n"), "\n") {
			file.WriteString(strings.TrimPrefix(line, noteIndent) + "\n")
		}
		m, err := memory.Parse("", []byte(file.String()))
		if err == nil && !slices.ContainsFunc(out, func(have *memory.Memory) bool { return have.ID == m.ID }) {
			out = append(out, m)
		}
	}
	return out
}

// FindingOf is the line about a memory that capture found.
func FindingOf(m *memory.Memory) Finding {
	return Finding{
		ID: m.ID, Type: m.Type, Layer: Layer(m.Source.Layer), Confidence: m.Confidence,
		Record: max(0, m.Source.Record-1), Title: m.Title,
	}
}

// OpenNotes are the notes that nobody has decided about, without what advances a plan.
func (s *Session) OpenNotes() []*memory.Memory {
	return lists.Without(s.Notes, func(m *memory.Memory) bool {
		return m.IsStep() || slices.ContainsFunc(s.Decided, func(v Verdict) bool {
			return v.ID == m.ID && v.Is != Folded && v.Is != Left
		})
	})
}

// NotesIn are the wanted notes of sessions that did not become memories, each once.
func NotesIn(records []*Session, wanted func(*memory.Memory) bool) []*memory.Memory {
	all := &Session{}
	for _, s := range records {
		for _, m := range s.Notes {
			if wanted(m) && !s.HasBecome(m.ID) {
				all.AddNote(m)
			}
		}
	}
	return all.Notes
}

// AddNote adds a note that the session does not have.
func (s *Session) AddNote(m *memory.Memory) {
	if !slices.ContainsFunc(s.Notes, func(have *memory.Memory) bool { return have.ID == m.ID }) {
		s.Notes = append(s.Notes, m)
	}
}

// AdoptNotes takes over the notes of another version of the record that were memories once:
// reading the transcript again does not find them.
func (s *Session) AdoptNotes(other *Session) {
	for _, m := range other.Notes {
		if other.HasFolded(m.ID) {
			s.AddNote(m)
		}
	}
}
