package gitops

import "errors"

// ErrBrokenBlock is a marked block whose end or beginning is missing. The file
// is left as it is.
var ErrBrokenBlock = errors.New("the cortex markers in this file are damaged")

// Block is a run of lines that cortex owns in somebody else's file.
type Block struct {
	Name string // tells blocks of one file apart: "attributes", "hook"
	// Open and Close are what a comment line begins and ends with; "" is "#" and
	// nothing. Use "<!--" and "-->" in Markdown.
	Open, Close string
	Body        string // the lines between the markers, with "\n"
	Top         bool   // after a leading "#!" line instead of at the end
}

// InsertBlock puts b into data, or replaces its body where it stands. data is
// nil for a file that does not exist, and empty for an empty one. The markers
// record what had to be added, so that [RemoveBlock] restores every byte.
func InsertBlock(data []byte, b Block) ([]byte, error) { panic("TODO") }

// RemoveBlock takes b out again. It returns nil when the file did not exist
// before; data itself when the block is not there.
func RemoveBlock(data []byte, b Block) ([]byte, error) { panic("TODO") }

// BlockBody is what stands between the markers of b; ok is false without them.
func BlockBody(data []byte, b Block) (body string, ok bool) { panic("TODO") }
