package projection

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// FormatError is the reason why a text is not a sound page.
type FormatError struct {
	Kind Kind
	Line int // 1-based; 0 for the text as a whole
	Err  error
}

func (e *FormatError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Kind.File(), e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Kind.File(), e.Line, e.Err)
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// Parse returns the records of a page, newest first, and its template, "" for none:
// memories with only the fields from which the page is rendered, so that
// RenderBy(kind, template, records) is the canonical form of data. It ignores conflict markers, edits to the visible
// text, and repeated or unsorted lines. If anything is missing or damaged, the
// error is a *[FormatError], and the records that could be read are returned
// too. Empty data has no records and is no error.
func Parse(kind Kind, data []byte) (records []*memory.Memory, template string, err error) {
	v, err := readVersion(kind, data)
	if err != nil || v == nil {
		return nil, "", err
	}
	out := make([]*memory.Memory, 0, len(v.records))
	for id := range v.records {
		r, err := v.resolve(id, nil, nil)
		if err != nil {
			return nil, "", &FormatError{Kind: kind, Err: err}
		}
		out = append(out, r)
	}
	slices.SortFunc(out, newestFirst)
	for id, line := range v.damaged {
		if v.problem == nil || line < v.problem.Line {
			v.problem = &FormatError{kind, line, fmt.Errorf("the record of %s is damaged or missing", id.Short())}
		}
	}
	if v.problem == nil && !v.complete {
		v.problem = &FormatError{kind, 0, errors.New("the page is cut short")}
	}
	if v.problem != nil {
		return out, v.template, v.problem
	}
	return out, v.template, nil
}

// version is one text of a page: its records by id, of which a union merge may
// have left several for one id, and the damage that was found.
type version struct {
	records  map[memory.ID][]*memory.Memory
	damaged  map[memory.ID]int // ids that are named but have no record, by line
	problem  *FormatError      // a damaged record without an id
	template string            // the least of those in the text; "" for none
	complete bool              // there is an end marker: a record that is absent was removed
}

// readVersion reads a text. A blank one gives nil and no error.
func readVersion(kind Kind, data []byte) (*version, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	v := &version{records: map[memory.ID][]*memory.Memory{}, damaged: map[memory.ID]int{}}
	headed, n := false, 0
	for raw := range bytes.Lines(data) {
		n++
		line := string(bytes.TrimSpace(raw))
		if rest, ok := strings.CutPrefix(line, pageOpen); ok {
			if err := checkHeader(kind, rest); err != nil {
				return nil, &FormatError{kind, n, err}
			}
			headed = true
			continue
		}
		if line == pageEnd {
			v.complete = true
			continue
		}
		v.read(kind, line, n)
	}
	if !headed && len(v.records) == 0 {
		return nil, &FormatError{kind, 0, errors.New("not a page that cortex wrote")}
	}
	for id := range v.records {
		delete(v.damaged, id)
	}
	return v, nil
}

func checkHeader(kind Kind, rest string) error {
	name, number, _ := strings.Cut(strings.TrimSuffix(rest, commentClose), " ")
	if name != string(kind) {
		return fmt.Errorf("this is the page %q", name)
	}
	if n, err := strconv.Atoi(number); err != nil || n < 1 || n > Version {
		return fmt.Errorf("format version %q is not known (this cortex knows %d)", number, Version)
	}
	return nil
}

// read reads the records in one line. Quoted lines are the text of memories and
// are ignored.
func (v *version) read(kind Kind, line string, n int) {
	if rest, ok := strings.CutPrefix(line, recordOpen); ok {
		id, r, err := decodeRecord(rest)
		switch {
		case err != nil && id == "":
			if v.problem == nil {
				v.problem = &FormatError{kind, n, err}
			}
		case err != nil:
			v.note(id, n)
		case kind.concerns(r):
			v.add(kind.reduce(r))
		}
		return
	}
	if strings.HasPrefix(line, ">") {
		return
	}
	if rest, ok := strings.CutPrefix(line, layoutOpen); ok {
		if template, err := decodeLayout(rest); err == nil && (v.template == "" || template < v.template) {
			v.template = template
		}
		return
	}
	if i := strings.LastIndex(line, memoryOpen); i >= 0 {
		if id, err := memory.ParseID(strings.TrimSuffix(line[i+len(memoryOpen):], commentClose)); err == nil {
			v.note(id, n)
		}
	}
}

func (v *version) note(id memory.ID, line int) {
	if _, ok := v.damaged[id]; !ok {
		v.damaged[id] = line
	}
}

func (v *version) add(r *memory.Memory) {
	have := v.records[r.ID]
	if !slices.ContainsFunc(have, func(h *memory.Memory) bool { return equalRecords(h, r) }) {
		v.records[r.ID] = append(have, r)
	}
}

func equalRecords(a, b *memory.Memory) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.ID == b.ID && a.Type == b.Type && a.Title == b.Title && a.Text == b.Text &&
		a.Created.Equal(b.Created) && a.Updated.Equal(b.Updated) && a.Confidence == b.Confidence &&
		a.Priority == b.Priority && a.Scope == b.Scope && a.Hold == b.Hold &&
		a.Pinned == b.Pinned && a.Contested == b.Contested && a.Source == b.Source &&
		slices.Equal(a.Files, b.Files) && slices.Equal(a.Links, b.Links)
}

// resolve makes one record of the versions of an id in the text, or nil if
// there is none. A version that equals the base is older than the others. Of
// those, the one updated last is used, and those updated at the same time are
// merged.
func (v *version) resolve(id memory.ID, base *memory.Memory, text memory.TextMerge) (*memory.Memory, error) {
	all := v.records[id]
	if len(all) > 1 {
		all = slices.DeleteFunc(slices.Clone(all), func(r *memory.Memory) bool { return equalRecords(r, base) })
	}
	if len(all) == 0 {
		return nil, nil
	}
	slices.SortFunc(all, func(a, b *memory.Memory) int {
		return bytes.Compare(encodeRecord(a), encodeRecord(b))
	})
	out := all[0]
	for _, r := range all[1:] {
		if !r.Updated.Equal(out.Updated) {
			if r.Updated.After(out.Updated) {
				out = r
			}
			continue
		}
		merged, err := memory.Merge(base, out, r, orBoth(text))
		if err != nil {
			return nil, fmt.Errorf("merging the versions of %s: %w", id.Short(), err)
		}
		out = merged
	}
	return out, nil
}

// orBoth returns text or, if it is nil, a merge that always fails, so that both
// texts are kept.
func orBoth(text memory.TextMerge) memory.TextMerge {
	if text != nil {
		return text
	}
	return func(string, string, string) (string, bool) { return "", false }
}
