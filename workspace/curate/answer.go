package curate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/memory"
)

// Bounds of an answer. A longer one is refused before it is parsed.
const (
	AnswerBytes = 256 << 10
	maxMemories = 12
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
var rateLimit = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(rate[ _]limit|usage limit|limit reached|too many requests|quota\b|overloaded|try again later)`)
})

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

// Schema is the JSON schema of an answer.
func Schema() []byte {
	var types []string
	for _, t := range memory.Types() {
		if t != memory.Code {
			types = append(types, string(t))
		}
	}
	object := func(required []string, properties map[string]any) map[string]any {
		return map[string]any{
			"type": "object", "additionalProperties": false, "required": required,
			"properties": properties,
		}
	}
	text := func(least, most int) map[string]any {
		return map[string]any{"type": "string", "minLength": least, "maxLength": most}
	}
	list := func(of any, least, most int) map[string]any {
		return map[string]any{"type": "array", "items": of, "minItems": least, "maxItems": most}
	}
	evidence := object([]string{"line", "span"},
		map[string]any{"line": map[string]any{"type": "integer", "minimum": 1}, "span": text(minSpan, maxSpan)})
	worded := object([]string{
		"type", "title", "text", "from", "evidence", "before", "when", "land", "why",
		"confidence",
	}, map[string]any{
		"type": map[string]any{"enum": types}, "title": text(10, LongestTitle), "text": text(0, MaxText),
		"from": list(text(4, 16), 0, maxCandidates), "evidence": list(evidence, 1, maxEvidence),
		"files": list(text(1, 400), 0, 8), "before": list(text(2, maxMoment), 0, maxBefore),
		"when": list(text(2, maxMoment), 0, maxWhen), "land": map[string]any{"type": "boolean"}, "why": text(0, maxReason),
		"confidence": map[string]any{"type": "number", "minimum": 0, "maximum": 1},
	})
	schema := object([]string{"sheet", "memories", "dropped"}, map[string]any{
		"sheet": text(1, 64), "memories": list(worded, 0, maxMemories),
		"dropped": list(object([]string{"id", "reason"},
			map[string]any{"id": text(4, 16), "reason": text(1, maxReason)}), 0, maxCandidates),
	})
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	data, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		panic("curate: a schema that is not JSON: " + err.Error())
	}
	return append(data, '\n')
}
