package capture

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lazy"
)

// deed is a call of the agent's that says whether the words before it held.
type deed struct {
	record int // line of the call
	kind   deedKind
	path   string // of the file that was written, relative to the root; "" outside of it
}

type deedKind int

const (
	deedEdit   deedKind = iota // a file was written
	deedCommit                 // the work was committed
	deedRevert                 // the last commit was taken back
)

// maxDeeds bounds how many deeds of a turn are held.
const maxDeeds = 1000

// deedOf reads a call; nil for one that settles nothing.
func deedOf(e *transcript.Event) *deed {
	switch e.Tool {
	case transcript.ToolWrite, transcript.ToolEdit:
		if !isDocument(slashed(e.Path())) {
			return &deed{record: e.Record, kind: deedEdit}
		}
	case transcript.ToolShell:
		return gitDeed(e.Shell(), e.Record)
	}
	return nil
}

// gitDeed reads a line of the shell; nil where it neither commits nor takes a commit back.
func gitDeed(line string, record int) *deed {
	switch {
	case revertsLast().MatchString(line):
		return &deed{record: record, kind: deedRevert}
	case strings.Contains(line, "git commit"):
		return &deed{record: record, kind: deedCommit}
	}
	return nil
}

// revertsLast matches the git commands that take the last commit back.
var revertsLast = lazy.Pattern(`git (revert .*\bHEAD|reset .*--hard (.* )?HEAD(~1?|\^))(\s|;|&|$)`)

// did notes a deed that was done, if it was one.
func (t *turn) did(d *deed) {
	if d != nil && len(t.deeds) < maxDeeds {
		t.deeds = append(t.deeds, *d)
	}
}

// lastBefore is the last deed of a kind among some, nil when there is none.
func lastBefore(deeds []deed, kind deedKind) *deed {
	for i := range slices.Backward(deeds) {
		if deeds[i].kind == kind {
			return &deeds[i]
		}
	}
	return nil
}
