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

// FormatError says why a text is not a page that can be trusted.
type FormatError struct {
	Kind Kind
	Line int // 1-based; 0 when the text as a whole is meant
	Err  error
}

func (e *FormatError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Kind.File(), e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Kind.File(), e.Line, e.Err)
}

// Unwrap gives the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// Parse reads the records of a page back: memories that hold just the fields
// the page is rendered from, newest first, so that Render(kind, records) is
// the canonical form of data. It is forgiving: conflict markers, edits of the
// visible text, duplicated and reordered lines are passed over. What cannot be
// recovered is a *[FormatError], returned together with the records that could
// be read. Empty data has no records and is no error.
func Parse(kind Kind, data []byte) ([]*memory.Memory, error) {
	v, err := readVersion(kind, data)
	if err != nil || v == nil {
		return nil, err
	}
	out := make([]*memory.Memory, 0, len(v.records))
	for id := range v.records {
		r, err := v.resolve(id, nil, nil)
		if err != nil {
			return nil, &FormatError{Kind: kind, Err: err}
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
		return out, v.problem
	}
	return out, nil
}

// version is one text of a page: its records by id, of which a union merge
// may have left several, and what is known to be damaged.
type version struct {
	records  map[memory.ID][]*memory.Memory
	damaged  map[memory.ID]int // ids that are named but have no record, by line
	problem  *FormatError      // a record that cannot even be named
	complete bool              // the end marker is there: an absent record is a removed one
}

// readVersion reads a text; nil without an error when it is blank.
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

// read takes what one line says about records. Quoted lines are bodies and
// say nothing.
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
		a.Pinned == b.Pinned && a.Contested == b.Contested && a.Source == b.Source &&
		slices.Equal(a.Files, b.Files) && slices.Equal(a.Links, b.Links)
}

// resolve makes one record of the versions of id in the text, nil when there
// is none. A version that is the base's has been overtaken by the others; of
// the rest the one updated last counts, and equals are merged.
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

// orBoth is text, or the merge that never merges, so that both texts are kept.
func orBoth(text memory.TextMerge) memory.TextMerge {
	if text != nil {
		return text
	}
	return func(string, string, string) (string, bool) { return "", false }
}
