package curate

import (
	_ "embed" // the schema of an answer

	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// Bounds of an answer. A longer one is refused before it is parsed.
const (
	AnswerBytes = 256 << 10
	maxMemories = 12
	maxFiles    = 8 // further ones are left out, as are further spans
	maxEvidence = 8
	maxReason   = 300 // bytes
)

// MaxConfidence is how sure a curated memory is at most. One that need not land
// by itself has at most RestConfidence.
const (
	MaxConfidence  = 0.95
	RestConfidence = 0.8
)

// Answer is the reply of a reader to a sheet: the memories it words from the candidates,
// the candidates it drops,
// and the pairs of which it says how they stand to each other.
type Answer struct {
	Sheet    string    `json:"sheet"`
	Memories []Worded  `json:"memories"`
	Dropped  []Dropped `json:"dropped"`
	Pairs    []Pair    `json:"pairs,omitempty"`
}

// Worded is one memory in the reader's words.
type Worded struct {
	Type       string     `json:"type"`
	Title      string     `json:"title"`
	Text       string     `json:"text"`
	From       []string   `json:"from"` // ids of candidates and of known memories that it stands for
	Evidence   []Evidence `json:"evidence"`
	Files      []string   `json:"files"`
	Before     []string   `json:"before"` // commands and files before which it has to be said
	When       []string   `json:"when"`   // words of a prompt, a question or an error at which it has to be said
	Land       bool       `json:"land"`   // a reviewer of the pull request would be glad to see it
	Why        string     `json:"why"`    // what somebody does wrong without it, if it is to land
	Confidence *float64   `json:"confidence"`
}

// Evidence names words of the sheet that a memory rests on.
type Evidence struct {
	Line int    `json:"line"`
	Span string `json:"span"`
}

// Dropped is a candidate that is not worth a memory.
type Dropped struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// Parse reads an answer: one JSON object of the shape of [Schema], bare or in
// one fenced block. Everything else is a [RefusedError].
func Parse(data []byte) (*Answer, error) {
	var a struct {
		Sheet    *string   `json:"sheet"`
		Memories *[]Worded `json:"memories"`
		Dropped  []Dropped `json:"dropped"`
		Pairs    []Pair    `json:"pairs"`
	}
	if err := grounding.Decode(data, AnswerBytes, &a); err != nil {
		return nil, err
	}
	switch {
	case a.Sheet == nil || a.Memories == nil:
		return nil, grounding.Refuse(`"sheet" or "memories" is missing`)
	case len(*a.Memories) > maxMemories:
		return nil, grounding.Refuse("it has more than %d memories", maxMemories)
	case len(a.Pairs) > maxPairs:
		return nil, grounding.Refuse("it has more than %d pairs", maxPairs)
	}
	return &Answer{*a.Sheet, *a.Memories, a.Dropped, a.Pairs}, nil
}

//go:embed schema.json
var schema []byte

// Schema is the JSON schema of an answer.
func Schema() []byte { return schema }
