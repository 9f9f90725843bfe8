package projection

import (
	"errors"
	"fmt"

	"github.com/git-cortex/cortex/internal/lists"
)

// Parse returns what a page was rendered from, newest first, and its template, "" for none,
// so that Render(kind, template, files) is the canonical form of data. It ignores conflict
// markers, edits to the visible text, and repeated or unsorted lines. If anything is missing or damaged, the
// error is a *[FormatError], and what could be read is returned
// too. Empty data has no records and is no error.
func Parse(kind Kind, data []byte, store *Store) (files []File, template string, err error) {
	v, err := readVersion(kind, data)
	if err != nil || v == nil {
		return nil, "", err
	}
	if err := store.fill(kind, v); err != nil {
		return nil, "", err
	}
	out := make([]File, 0, len(v.records))
	m := merger{kind: kind, store: store, ours: v}
	for id := range v.records {
		r, err := m.resolve(v, id, nil)
		if err != nil {
			return nil, "", &FormatError{Kind: kind, Err: err}
		}
		out = append(out, r.file())
	}
	lists.Sort(out, func(a, b File) int { return newestFirst(a.Memory, b.Memory) })
	if fault := v.fault(kind); fault != nil {
		return out, v.template, fault
	}
	return out, v.template, nil
}

// fault is the first problem of the text, nil if it is sound.
func (v *version) fault(kind Kind) *FormatError {
	first := v.problem
	for id, line := range v.damaged {
		err := fmt.Errorf("the record of %s is damaged or missing", id.Short())
		first = earlier(first, &FormatError{kind, line, err})
	}
	if first == nil && !v.complete {
		return &FormatError{kind, 0, errors.New("the page is cut short")}
	}
	return first
}

// earlier is the one of two problems that stands first, a before b in one line. A may be nil.
func earlier(a, b *FormatError) *FormatError {
	if a == nil || b.Line < a.Line {
		return b
	}
	return a
}
