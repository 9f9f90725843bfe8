package imports

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// document is a line that was made into a memory, or the reason why it was not.
type document struct {
	line     int
	memory   *memory.Memory
	data     []byte
	redacted bool
	notes    []string
	err      error
}

// maker makes memories of what was read.
type maker struct {
	now     time.Time
	secrets *redact.Redactor
	byAgent bool   // an agent runs the import
	root    string // of the working tree, between slashes
}

func newMaker(ctx context.Context, w *workspace.Workspace) *maker {
	return &maker{w.Now(), w.Secrets.Redactor(ctx), w.ByAgent(), filepath.ToSlash(w.Repo.Root)}
}

// source says whose words a document holds. An agent that imports one has not said them, and
// no person has been asked.
func (mk *maker) source(ref string) memory.Source {
	out := memory.Source{Agent: memory.Imported, Ref: ref}
	if mk.byAgent {
		out.Origin = memory.OriginOutside
	}
	return out
}

// parseAll parses, redacts and formats on all cores, in order.
func (mk *maker) parseAll(lines []sourceLine) []document {
	out := make([]document, len(lines))
	inParallel(len(out), func(i int) { out[i] = mk.parse(lines[i]) })
	return out
}

// inParallel calls do for n numbers, on all cores.
func inParallel(n int, do func(i int)) {
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		group.Go(func() {
			for i := first; i < n; i += workers {
				do(i)
			}
		})
	}
	group.Wait()
}

// record is a line of an import. Keys beside these are passed over.
type record struct {
	ID    json.RawMessage `json:"id"`
	Title string          `json:"title"`
	Text  string          `json:"text"`
	Type  string          `json:"type"`
	Date  string          `json:"date"`

	links      []refLink // to other records of the same import
	tags       []string
	confidence float64 // 0 is the default
	priority   int     // 0 is that of the type
	pinned     bool
	files      []string
	entities   []string
	session    string // in which it was learned
	branch     string
	project    string // of those in the store
	gone       bool   // deleted in the store, or nothing in it is worth a memory
}

func (mk *maker) parse(line sourceLine) document {
	out := document{line: line.number}
	if line.text == nil {
		out.err = fmt.Errorf("the line has over %d bytes", maxLine)
		return out
	}
	var r record
	if err := json.Unmarshal(bytes.TrimPrefix(line.text, []byte("\ufeff")), &r); err != nil {
		out.err = fmt.Errorf("not a JSON document: %w", err)
		return out
	}
	out = mk.document(&r, nil)
	out.line = line.number
	return out
}

// into makes a memory of a record, without secrets. A document with an unknown
// type or date is not lost: it gets another one, and a note says so.
func (mk *maker) into(r *record, out *document) error {
	ref, err := refOf(r.ID)
	if err != nil {
		return err
	}
	typ, created := memory.Learned, mk.now
	if r.Type != "" {
		if t, err := memory.ParseType(r.Type); err == nil {
			typ = t
		} else {
			out.notes = append(out.notes, fmt.Sprintf("imported as %s: %v", typ, err))
		}
	}
	if r.Date != "" {
		if t, err := parseDate(r.Date); err == nil {
			created = t
		} else {
			out.notes = append(out.notes, fmt.Sprintf("imported as of today: %v", err))
		}
	}
	ref, inRef := mk.secrets.Redact(ref)
	title, private := redact.Private(r.Title)
	text, more := redact.Private(r.Text)
	private = append(private, more...)
	title, inTitle := mk.secrets.Redact(title)
	text, inText := mk.secrets.Redact(text)
	switch {
	case len(text) > memory.MaxFile/2:
		return fmt.Errorf("%d bytes is too long for one memory", len(text))
	case len(memory.OneLine(title)) > memory.MaxTitle:
		text = strings.TrimSpace(title + "\n\n" + text)
	case memory.OneLine(title) == "":
		title = titleOf(text, ref)
	}
	if memory.OneLine(title) == "" {
		return workspace.ErrEmpty
	}
	m := memory.New(typ, title, text, created)
	m.Source = mk.source(ref)
	m.Tidy()
	m.ID = memory.NewImportedID(m.Type, m.Title, m.Text, m.Source.Ref)
	out.memory, out.redacted = m, len(inRef)+len(inTitle)+len(inText)+len(private) > 0
	return nil
}

// refOf returns the id of a document as a string; a number is taken as written.
func refOf(raw json.RawMessage) (string, error) {
	switch {
	case len(raw) == 0, string(raw) == "null":
		return "", nil
	case raw[0] == '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	case raw[0] == '{', raw[0] == '[':
		return "", errors.New(`"id" is neither a string nor a number`)
	}
	return string(raw), nil
}

// titleOf makes a title for a document without one from the beginning of its
// text.
func titleOf(text, ref string) string {
	const width = 100
	first := memory.OneLine(text[:min(len(text), 4*width)])
	if first == "" && ref != "" {
		return "Document " + ref
	}
	end := workspace.SentenceEnd(first, ".!?", 24)
	switch {
	case 0 < end && end < width:
		return strings.TrimSuffix(first[:end+1], ".")
	case len(first) <= width:
		return first
	}
	cut := strings.LastIndexByte(first[:width], ' ')
	if cut < width/2 {
		cut = width
	}
	return strings.ToValidUTF8(first[:cut], "") + "…"
}

// parseDate reads a date in any of the forms that other stores write.
func parseDate(s string) (time.Time, error) {
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700",
		"2006-01-02 15:04:05",
		"2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly, "2006/01/02", "2006-01", "2006",
		time.RFC1123Z, time.RFC1123, time.UnixDate, time.RubyDate, "2 January 2006", "January 2, 2006", "2 Jan 2006",
		"Jan 2, 2006",
		"3:04 pm on 2 January, 2006",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date like 2026-11-01", s)
}
