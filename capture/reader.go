package capture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

// position is the start of a line of a transcript.
type position struct {
	offset int64
	line   int // 0-based
}

// stats counts what a reader met.
type stats struct {
	badLines  int // lines that are not a JSON object
	longLines int // lines over the limit of 64 MB, skipped
	unknown   int // records of a type this version does not know
}

// reader gives the events of one transcript, line by line. It is for one
// goroutine.
type reader struct {
	src      io.ReadSeeker
	identity Identity // what the head says, where the lines do not say it again
	rewound  int64    // where the last rewind ends, 0 when there is none
	reverted bool     // the end of the document was taken back, no matter when

	lines   *lineReader
	agent   string
	adapter adapter
	stats   stats
}

// openReader looks at the head of a transcript. A transcript that is one JSON
// document is read as lines, one that was rewound without what the user took
// back, and the one of a subagent is empty: nothing in it was said by a person.
// agent is "" when the content has to say whose it is. src must not shrink
// while it is read; growing is fine.
func openReader(src io.ReadSeeker, agent string) (*reader, error) {
	r := &reader{src: src}
	if _, err := src.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("seeking in transcript: %w", err)
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(src, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("reading transcript: %w", err)
	}
	head = head[:n]
	if agent == "" {
		agent = Detect(head)
	}
	if agent == "" || agent == ClaudeCode {
		return r, nil
	}
	id := Identify(head)
	if id.Agent != agent {
		return r, nil
	}
	r.identity = id
	switch {
	case id.Subagent:
		r.src = strings.NewReader("")
	case bundleOf(head) != "":
		r.reverted = looseField(head, "info", "revert", "messageID") != nil
		r.src = newBundle(src, agent)
	case agent == Gemini:
		spans, err := rewound(src)
		if err != nil {
			return nil, err
		}
		if len(spans) > 0 {
			r.rewound = spans[len(spans)-1].to
			r.src = &blanked{src: src, spans: spans}
		}
	}
	return r, nil
}

// takenBack reports whether the user may have taken back, after a run that
// stopped at offset, part of what that run read.
func (r *reader) takenBack(offset int64) bool { return r.reverted || r.rewound > offset }

// start goes to a line. agent is "" when the lines have to say whose they are.
func (r *reader) start(at position, agent string) error {
	if _, err := r.src.Seek(at.offset, io.SeekStart); err != nil {
		return fmt.Errorf("seeking in transcript: %w", err)
	}
	r.lines = newLineReader(r.src, at.offset, at.line)
	if at.offset > 0 {
		r.lines.skipBreak()
	}
	r.agent, r.adapter, r.stats = agent, nil, stats{}
	return nil
}

// at is where the next line starts.
func (r *reader) at() position { return position{r.lines.offset, r.lines.line} }

// next reads one line and calls emit with each event in it. At the end of what
// is complete the error is io.EOF.
func (r *reader) next(ctx context.Context, emit func(*event)) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("reading transcript: %w", err)
	}
	offset := r.lines.offset
	line, number, err := r.lines.next()
	r.stats.longLines = r.lines.tooBig
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case err != nil:
		return fmt.Errorf("reading transcript: %w", err)
	case len(line) == 0:
		return nil
	}
	if r.adapter == nil && !r.adapt(line) {
		if !wholeObject(line) {
			r.stats.badLines++
		}
		return nil
	}
	r.adapter.line(number, line, &r.stats, func(e *event) {
		e.offset = offset
		emit(e)
	})
	return nil
}

// adapt finds the adapter that reads a line and those after it.
func (r *reader) adapt(line []byte) bool {
	agent := r.agent
	if agent == "" {
		agent = Detect(line)
	}
	if r.adapter = newAdapter(agent, r.identity.Cwd); r.adapter == nil {
		r.agent = ""
		return false
	}
	r.agent = agent
	return true
}

// hashSpan is how many bytes before a position are hashed.
const hashSpan = 4 << 10

// hashBefore hashes the up to hashSpan bytes before an offset, so that a later
// run can tell whether it has the same transcript before it; "" when the
// transcript is shorter than that, or was rewound behind the offset.
func (r *reader) hashBefore(offset int64) (string, error) {
	if r.rewound > offset {
		return "", nil
	}
	from := max(0, offset-hashSpan)
	if _, err := r.src.Seek(from, io.SeekStart); err != nil {
		return "", fmt.Errorf("seeking in transcript: %w", err)
	}
	h := sha256.New()
	n, err := io.CopyN(h, r.src, offset-from)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading transcript: %w", err)
	}
	if n < offset-from {
		return "", nil
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}
