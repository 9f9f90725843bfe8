// Package curate lets a reader word what capture found. Extraction finds
// evidence; wording that stands alone needs somebody who reads: the agent of a
// session, a headless agent or model that the user has named, or a person.
//
// Call [Next] for the worksheet of the session that waits, [Sheet.Text] for it
// as a reader gets it, [Apply] with what the reader answered, and [Run] to let
// the user's command of cortex.llm do the reading.
//
// It promises that nothing a reader says becomes a memory without evidence: the
// ids it names are those of the sheet, the words it copies stand where it says,
// and every number, path, identifier, name and quotation of the new text stands
// in what it cites. What passes becomes one memory of layer "curated"; what is
// dropped stays in the session record with the reason, and can be restored.
//
// Everything but Next, Apply and Run works on values alone. It implements the
// section "Curation" of docs/behaviour.md.
package curate

import (
	"errors"

	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// ErrNothingWaits is returned when no session has anything left to read.
var ErrNothingWaits = errors.New("nothing waits for curation")

// ErrNoSession is returned for a prefix that no session id starts with.
var ErrNoSession = errors.New("no session of that id was read")

// RefusedError says why an answer was not used at all.
type RefusedError = grounding.RefusedError
