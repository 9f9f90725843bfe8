package grounding

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

// RefusedError says why the answer of a reader was not used at all.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return "refusing the answer: " + e.Reason }

// Refuse returns a [RefusedError].
func Refuse(format string, args ...any) error { return &RefusedError{fmt.Sprintf(format, args...)} }

// Decode reads the answer of a reader, of at most so many bytes: one JSON object that has no other
// members than into, bare or in one fenced block. Everything else is a [RefusedError].
func Decode(data []byte, most int, into any) error {
	data = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(data), []byte("\ufeff")))
	switch {
	case len(data) > most:
		return Refuse("it is over the limit of %d bytes", most)
	case len(data) == 0:
		return Refuse("it is empty")
	}
	data = unfenced(data)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return Refuse("%s", whyNot(data, err))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Refuse("there is something behind the JSON object")
	}
	return nil
}

// rateLimit matches what services say when they have had enough of somebody.
var rateLimit = lazy.Pattern(
	`\b(rate[ _]limit|usage limit|limit reached|too many requests|quota\b|overloaded|try again later)`)

// whyNotJSON says what an answer is instead of JSON.
func whyNot(data []byte, err error) string {
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
