// Package memory defines a memory: one Markdown file with frontmatter, its id,
// type and links, and how its confidence fades.
//
// Start with [Parse] to read a file and [Format] to write one; the two are
// inverse on every file in canonical form, and Format is a fixed point of the
// round trip. [New] makes a memory whose id is derived from its content, so
// that the same finding captured twice is the same memory.
//
// The package is a leaf: it knows no git, no index, no process and no clock. It
// has no state, so all functions may be called from several goroutines.
// It implements the sections "Memory files" and "Types" of FORMAT.md.
package memory

import (
	"path"
	"strings"
	"time"
)

// Memory is one thing worth remembering. The zero value is not a valid memory:
// make one with [New] or [Parse].
type Memory struct {
	ID         ID
	Type       Type
	Title      string    // one sentence, one line
	Created    time.Time // UTC, whole seconds
	Updated    time.Time // zero when never edited by a person
	Confidence float64   // 0–1, how sure the source is
	Priority   int       // 1–10
	Tags       []string
	Files      []string // slash-separated, relative to the repository root
	Entities   []string
	Links      []Link
	Anchors    []Anchor
	Triggers   []string // "kind: value": what brings it back without being asked, see [Trigger]
	Seen       []string // the sessions that met what it says, each as the start of its id
	Scope      string   // where it holds; "" is what its type says
	Hold       string   // why no program lands it, such as [HoldPrivate]; "" for no reason
	Source     Source
	Pinned     bool
	Contested  bool   // the text holds two versions that a merge could not reconcile
	Text       string // Markdown body, no leading or trailing blank line

	// Unknown holds the frontmatter keys this version does not know, as the
	// raw lines of the file, in their order, each line ending in "\n".
	Unknown string
}

// Link is a typed edge from the memory that carries it to another.
type Link struct {
	Rel Rel `json:"rel"`
	To  ID  `json:"to"`
}

// Anchor says what a file was when the memory was learned.
type Anchor struct {
	Path string `json:"path"` // slash-separated, relative to the repository root
	Blob string `json:"blob"` // git object id of the file's content, hexadecimal
}

// New returns a memory of type t with the defaults of its type and an id
// derived from type, title and text. Title is reduced to one line of at most
// [MaxTitle] bytes; text loses surrounding blank lines. Created is truncated
// to whole seconds in UTC.
func New(t Type, title, text string, created time.Time) *Memory {
	m := &Memory{Type: t, Title: title, Text: text, Created: created, Confidence: 1}
	m.Tidy()
	m.ID = NewID(t, m.Title, m.Text)
	return m
}

// Path is where the memory's file lives, relative to the folder that holds
// memories: "<type>/<yyyy-mm>/<slug>-<id7>.md". What is [Telling] has no slug of its own.
func (m *Memory) Path() string {
	slug := Slug("")
	if m.Telling() == "" {
		slug = Slug(m.Title)
	}
	return path.Join(string(m.Type), m.Created.UTC().Format("2006-01"), slug+"-"+m.ID.Short()+".md")
}

// Telling says what of the title must not name a file, see [Telling].
func (m *Memory) Telling() string { return Telling(m.Title) }

// Linked reports whether m carries a link of relation rel, and to which ids.
func (m *Memory) Linked(rel Rel) []ID { return Targets(m.Links, rel) }

// Targets are the ids that links of a relation lead to.
func Targets(links []Link, rel Rel) []ID {
	var ids []ID
	for _, l := range links {
		if l.Rel == rel {
			ids = append(ids, l.To)
		}
	}
	return ids
}

// IsStep reports whether m is a step of a plan.
func (m *Memory) IsStep() bool { return len(m.Linked(StepOf)) > 0 }

// IsPlan reports whether m is a plan, and no step that was added to one.
func (m *Memory) IsPlan() bool { return m.Type == Plan && !m.IsStep() }

// OfPlan reports whether m is a plan or a step of one.
func (m *Memory) OfPlan() bool { return m.Type == Plan || m.IsStep() }

// OneLine folds every run of white space of s into one space and trims it.
func OneLine(s string) string {
	if isOneLine(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

func isOneLine(s string) bool {
	return Printable(s) && strings.Trim(s, " ") == s && !strings.Contains(s, "  ")
}

// Cut shortens s to at most limit characters, at the end of a word where
// there is one, and marks the place with "…".
func Cut(s string, limit int) string {
	chars := []rune(s)
	switch {
	case len(chars) <= limit:
		return s
	case limit < 3:
		return "…"
	}
	head := string(chars[:limit-2])
	if space := strings.LastIndexByte(head, ' '); chars[limit-2] != ' ' && space > len(head)/2 {
		head = head[:space]
	}
	return strings.TrimRight(head, " ,;:–—-") + " …"
}
