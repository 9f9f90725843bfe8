package curate

import (
	"bytes"
	_ "embed" // the schema of an answer
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
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
// and the candidates it drops.
type Answer struct {
	Sheet    string    `json:"sheet"`
	Memories []Worded  `json:"memories"`
	Dropped  []Dropped `json:"dropped"`
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
	data = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(data), []byte("\ufeff")))
	switch {
	case len(data) > AnswerBytes:
		return nil, refused("it is over the limit of %d bytes", AnswerBytes)
	case len(data) == 0:
		return nil, refused("it is empty")
	}
	data = unfenced(data)
	var a struct {
		Sheet    *string    `json:"sheet"`
		Memories *[]Worded  `json:"memories"`
		Dropped  *[]Dropped `json:"dropped"`
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&a); err != nil {
		return nil, refused("%s", whyNotJSON(data, err))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, refused("there is something behind the JSON object")
	}
	switch {
	case a.Sheet == nil || a.Memories == nil:
		return nil, refused(`"sheet" or "memories" is missing`)
	case len(*a.Memories) > maxMemories:
		return nil, refused("it has more than %d memories", maxMemories)
	}
	out := &Answer{Sheet: *a.Sheet, Memories: *a.Memories}
	if a.Dropped != nil {
		out.Dropped = *a.Dropped
	}
	return out, nil
}

// rateLimit matches what services say when they have had enough of somebody.
var rateLimit = lazy.Pattern(`\b(rate[ _]limit|usage limit|limit reached|too many requests|quota\b|overloaded|try again later)`)

// whyNotJSON says what an answer is instead of JSON.
func whyNotJSON(data []byte, err error) string {
	head := strings.ToLower(string(data[:min(len(data), 2000)]))
	if !strings.HasPrefix(head, "{") {
		if rateLimit().MatchString(head) {
			return "it speaks of a rate limit"
		}
		return "it is not the JSON object that was asked for"
	}
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it is cut off"
	case errors.As(err, &syntax):
		return fmt.Sprintf("it is not JSON, at byte %d: %v", syntax.Offset, syntax)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// unfenced is an answer without the fence of a code block around all of it.
func unfenced(data []byte) []byte {
	first, rest, found := bytes.Cut(data, []byte("\n"))
	if !found || !bytes.HasPrefix(first, []byte("```")) || !bytes.HasSuffix(rest, []byte("```")) {
		return data
	}
	return bytes.TrimSpace(bytes.TrimSuffix(rest, []byte("```")))
}

//go:embed schema.json
var schema []byte

// Schema is the JSON schema of an answer.
func Schema() []byte { return schema }
