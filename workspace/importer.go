package workspace

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// ImportInput is what [Workspace.ImportJSONL] reads.
type ImportInput struct {
	Name     string // of the file, for problems
	Lines    io.Reader
	Size     int64                                  // bytes, for Progress; 0 when not known
	Progress func(read, total int64, documents int) // may be nil
}

// Imported says what became of the documents of an import.
type Imported struct {
	Documents int             // lines that hold something
	Added     int             // files written
	Known     int             // there already
	Redacted  int             // documents that secrets were taken out of
	Skipped   []index.Problem // lines that could not be taken
	Notes     []index.Problem // lines that were taken otherwise than written
}

const (
	importBatch   = 512     // documents that are written together
	importLine    = 4 << 20 // bytes of a line at most
	importSkipped = 1000    // problems that are listed
)

// ImportJSONL writes a memory file into the working tree for every line
// {"id","title","text","type","date"} of in. The id is kept as source.ref and
// is part of what the memory's own id is derived from, so that documents of
// equal content stay apart and a second import adds nothing. A line that cannot
// be taken is reported and stops nothing.
func (w *Workspace) ImportJSONL(ctx context.Context, in ImportInput) (Imported, error) {
	var out Imported
	t, err := w.Tree()
	if err != nil {
		return out, err
	}
	v, err := w.View(ctx, ViewOptions{Local: true})
	if err != nil {
		return out, err
	}
	dst, err := newImportTarget(t, w, v)
	if err != nil {
		return out, err
	}
	defer dst.close()
	src := importSource{name: in.Name, lines: bufio.NewReaderSize(in.Lines, 1<<16)}
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		var docs []importLineText
		docs, more, err = src.batch()
		if err != nil {
			return out, fmt.Errorf("reading %s: %w", in.Name, err)
		}
		if err := dst.take(w.importDocuments(docs, in.Name), &out); err != nil {
			return out, err
		}
		if in.Progress != nil {
			in.Progress(src.read, in.Size, out.Documents)
		}
	}
	if out.Added == 0 {
		return out, nil
	}
	if err := w.RefreshPages(ctx); err != nil {
		return out, err
	}
	return out, nil
}

// importSource cuts a file into lines.
type importSource struct {
	name  string
	lines *bufio.Reader
	line  int
	read  int64
}

// importLineText is one line; a line that is too long has no text.
type importLineText struct {
	number int
	text   []byte
}

// batch reads the next lines that are not blank; more is false at the end.
func (s *importSource) batch() (out []importLineText, more bool, err error) {
	for len(out) < importBatch {
		text, err := s.next()
		if errors.Is(err, io.EOF) {
			return out, false, nil
		}
		if err != nil {
			return out, false, err
		}
		if text == nil || len(bytes.TrimSpace(text)) > 0 {
			out = append(out, importLineText{s.line, text})
		}
	}
	return out, true, nil
}

// next reads a line; nil when it is too long.
func (s *importSource) next() ([]byte, error) {
	s.line++
	line := []byte{}
	for {
		part, err := s.lines.ReadSlice('\n')
		s.read += int64(len(part))
		if line != nil {
			line = append(line, part...)
		}
		if len(line) > importLine {
			line = nil
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return nil, err
		}
	}
}

// importedDocument is a line made into a memory, or why it is none.
type importedDocument struct {
	line     int
	memory   *memory.Memory
	data     []byte
	redacted bool
	notes    []string
	err      error
}

// importDocuments parses, redacts and formats on all cores, in order.
func (w *Workspace) importDocuments(lines []importLineText, name string) []importedDocument {
	out := make([]importedDocument, len(lines))
	now := w.Now()
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		group.Go(func() {
			for i := first; i < len(lines); i += workers {
				out[i] = importDocument(lines[i], name, now)
			}
		})
	}
	group.Wait()
	return out
}

// importRecord is a line of an import. Keys beside these are passed over.
type importRecord struct {
	ID    json.RawMessage `json:"id"`
	Title string          `json:"title"`
	Text  string          `json:"text"`
	Type  string          `json:"type"`
	Date  string          `json:"date"`
}

func importDocument(line importLineText, name string, now time.Time) importedDocument {
	out := importedDocument{line: line.number}
	if line.text == nil {
		out.err = fmt.Errorf("over %d bytes in one line", importLine)
		return out
	}
	var r importRecord
	if err := json.Unmarshal(bytes.TrimPrefix(line.text, []byte("\ufeff")), &r); err != nil {
		out.err = fmt.Errorf("not a JSON document: %w", err)
		return out
	}
	if out.err = r.into(&out, now); out.err == nil {
		out.data = memory.Format(out.memory)
		out.err = out.memory.Validate()
	}
	return out
}

// into makes a memory of a record, without secrets. A type or a date that is
// not known must not lose what the document says.
func (r *importRecord) into(out *importedDocument, now time.Time) error {
	ref, err := importRef(r.ID)
	if err != nil {
		return err
	}
	typ, created := memory.Learned, now
	if r.Type != "" {
		if t, err := memory.ParseType(r.Type); err == nil {
			typ = t
		} else {
			out.notes = append(out.notes, fmt.Sprintf("imported as %s: %v", typ, err))
		}
	}
	if r.Date != "" {
		if t, err := importDate(r.Date); err == nil {
			created = t
		} else {
			out.notes = append(out.notes, fmt.Sprintf("imported as of today: %v", err))
		}
	}
	title, inTitle := redact.String(r.Title)
	text, inText := redact.String(r.Text)
	switch {
	case len(text) > memory.MaxFile/2:
		return fmt.Errorf("%d bytes is too long for one memory", len(text))
	case len(memory.OneLine(title)) > memory.MaxTitle:
		text = strings.TrimSpace(title + "\n\n" + text)
	case memory.OneLine(title) == "":
		title = importTitle(text, ref)
	}
	if memory.OneLine(title) == "" {
		return ErrEmpty
	}
	m := memory.New(typ, title, text, created)
	m.Source = memory.Source{Agent: "import", Ref: ref}
	m.Tidy()
	m.ID = memory.NewImportedID(m.Type, m.Title, m.Text, m.Source.Ref)
	out.memory, out.redacted = m, len(inTitle)+len(inText) > 0
	return nil
}

// importRef is the id of a document as a string; numbers are taken as written.
func importRef(raw json.RawMessage) (string, error) {
	var s string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "", nil
	case raw[0] == '"':
		err := json.Unmarshal(raw, &s)
		return s, err
	case raw[0] == '{' || raw[0] == '[':
		return "", errors.New(`"id" is neither a string nor a number`)
	}
	return string(raw), nil
}

// importTitle is a title for a document without one: how its text begins.
func importTitle(text, ref string) string {
	const width = 100
	first := memory.OneLine(text[:min(len(text), 4*width)])
	if first == "" && ref != "" {
		return "Document " + ref
	}
	for i, r := range first {
		if i >= width {
			break
		}
		if (r == '.' || r == '!' || r == '?') && i > 24 && EndsSentence(first[:i], first[i+1:]) {
			return strings.TrimSuffix(first[:i+1], ".")
		}
	}
	if len(first) <= width {
		return first
	}
	cut := strings.LastIndexByte(first[:width], ' ')
	if cut < width/2 {
		cut = width
	}
	return strings.ToValidUTF8(first[:cut], "") + "…"
}

// importDate reads the ways in which stores write a date.
func importDate(s string) (time.Time, error) {
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05",
		"2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly, "2006/01/02", "2006-01", "2006",
		time.RFC1123Z, time.RFC1123, time.UnixDate, time.RubyDate, "2 January 2006", "January 2, 2006", "2 Jan 2006", "Jan 2, 2006",
		"3:04 pm on 2 January, 2006",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date like 2026-11-01", s)
}
