package answer

import (
	"encoding/json"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/curate"
)

// Sheet is a worksheet with what its reader needs: the instructions, and the
// schema of the answer.
type Sheet struct {
	*curate.Sheet
	Text   string          `json:"text"` // as a reader gets it, instructions included
	Schema json.RawMessage `json:"schema"`
}

// NewSheet returns s as it is shown.
func NewSheet(s *curate.Sheet) Sheet {
	return Sheet{Sheet: s, Text: s.Text(), Schema: curate.Schema()}
}

// Outcome lists the memories that an answer added and the candidates that it dropped,
// and says why parts of it were refused, and which memories do not land by themselves.
type Outcome struct {
	Sheet   string           `json:"sheet"`
	Session string           `json:"session"`
	Added   []CuratedMemory  `json:"added"`
	Became  int              `json:"became"` // candidates that the memories stand for
	Dropped []curate.Dropped `json:"dropped"`
	Left    int              `json:"left"` // candidates that stay as they are
	Refused []curate.Refused `json:"refused"`
	Waits   []curate.Refused `json:"waits"` // added, but not to land by themselves though the answer says so
	// added without some of the moments, or a sentence, that the answer gives them
	Unkeyed []curate.Refused `json:"unkeyed"`
	Pairs   []curate.Pair    `json:"pairs"` // of which one now says that it contradicts the other
	More    bool             `json:"more"`  // another worksheet of the session follows
}

// CuratedMemory is a memory that an answer added.
type CuratedMemory struct {
	ID         memory.ID   `json:"id"`
	Type       memory.Type `json:"type"`
	Title      string      `json:"title"`
	Text       string      `json:"text"`
	Confidence float64     `json:"confidence"`
	Line       int         `json:"line"` // of the transcript, from 1
}

// NewOutcome returns o as it is shown.
func NewOutcome(o *curate.Outcome) Outcome {
	out := Outcome{
		Sheet: o.Sheet.ID, Session: o.Sheet.Session, Added: []CuratedMemory{}, Became: o.Became,
		Dropped: list(o.Dropped), Left: o.Left, Refused: list(o.Refused), Waits: list(o.Waits),
		Unkeyed: list(o.Unkeyed), Pairs: list(o.Pairs), More: o.Sheet.More,
	}
	for _, m := range o.Added {
		out.Added = append(out.Added, CuratedMemory{m.ID, m.Type, m.Title, m.Text, m.Confidence, m.Source.Record})
	}
	return out
}
