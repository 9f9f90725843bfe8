// Package transcript reads the sessions that coding agents keep on disk and
// gives what happened in them as one stream of events, the same for every
// agent.
//
// Call [Open] with the file and [Reader.Read] with the place to read from.
// [Detect] and [Identify] say from the first bytes of a file which agent wrote
// it and where the session ran.
//
// It promises: every line is read once, and memory is bounded by the longest
// line, 64 MB at most; what is not valid JSON, or of a type that this version
// does not know, is counted and never fatal; an event of the kind [Prompt] or
// [Steer] holds what a person typed, without what the agent, the editor or
// cortex put around it; what the user took back and what a subagent was told
// gives no words. Text is as it stands in the transcript, secrets included.
//
// Each agent has a file named after it: an adapter, the way to recognise its
// lines, and what it calls its tools. A new agent is a file more, and a row in
// agent.go. JSON is read by one scanner, scan.go, that builds nothing: most of
// a transcript is tool output that nobody needs.
//
// A Reader is for one goroutine; readers share nothing.
package transcript

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Position is the start of a line of a transcript.
type Position struct {
	Offset int64
	Line   int // 0-based
}

// Stats counts what a [Reader] could not use.
type Stats struct {
	BadLines  int // lines that are not a JSON object
	LongLines int // lines over the limit of 64 MB, skipped
	// Unknown counts records, and parts of records, of a type that this version does
	// not know, by the type's name.
	Unknown map[string]int
}

// Bounds of the names of types that are counted.
const (
	unknownTypes = 24
	unknownName  = 40 // bytes
)

// unknown counts something of a type that is not known. What a name cannot be
// counts as "other".
func (s *Stats) unknown(name string) {
	name = cmp.Or(name, "without a type")
	_, known := s.Unknown[name]
	if !isTypeName(name) || !known && len(s.Unknown) >= unknownTypes {
		name = "other"
	}
	if s.Unknown == nil {
		s.Unknown = map[string]int{}
	}
	s.Unknown[name]++
}

const typeNameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./ "

func isTypeName(name string) bool {
	return len(name) <= unknownName && strings.Trim(name, typeNameLetters) == ""
}

// Reader gives the events of one transcript, line by line. It is for one
// goroutine.
type Reader struct {
	// Identity describes the session. It is read from the beginning of the
	// transcript, since the lines of some agents do not repeat it.
	Identity Identity
	Stats    Stats // since Start, of the lines from Counted on
	// Counted is the first line whose troubles are counted, 0 for all that are read.
	Counted int
	// Hearing asks for events of the kind [Brought] too.
	Hearing bool

	src      io.ReadSeeker
	rewound  int64 // where the last rewind ends, 0 when there is none
	reverted bool  // the end of the document was taken back, no matter when

	lines   *lineReader
	agent   string
	adapter adapter
}

// Open looks at the head of a transcript. A transcript that is one JSON
// document is read as lines, one that was rewound without what the user took
// back.
// agent is "" when the content has to say whose it is. src must not shrink
// while it is read; growing is fine.
func Open(src io.ReadSeeker, agent string) (*Reader, error) {
	r := &Reader{src: src}
	if _, err := src.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("seeking in transcript: %w", err)
	}
	head, err := io.ReadAll(io.LimitReader(src, headSize))
	if err != nil {
		return nil, fmt.Errorf("reading transcript: %w", err)
	}
	id := Identify(head)
	if id.Agent == "" || agent != "" && agent != id.Agent {
		return r, nil
	}
	r.Identity, agent = id, id.Agent
	switch {
	case bundleOf(head) != "":
		r.reverted = looseField(head, "info", "revert", "messageID") != nil
		r.src = newBundle(src, agent)
	case agent == Gemini:
		err = r.blank()
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// blank makes the reader pass over what the user took back by rewinding.
func (r *Reader) blank() error {
	spans, err := rewound(r.src)
	if err != nil || len(spans) == 0 {
		return err
	}
	r.rewound = spans[len(spans)-1].to
	r.src = &blanked{src: r.src, spans: spans}
	return nil
}

// TakenBack reports whether the user may have taken back, after a run that
// stopped at offset, part of what that run read.
func (r *Reader) TakenBack(offset int64) bool { return r.reverted || r.rewound > offset }

// Read gives emit the events of the line at a place and of all behind it, as long as
// more wants the line at a place, which it is asked at the end too. Place and agent are
// those of [Reader.Start], and an event is valid as [Reader.Next] says.
func (r *Reader) Read(
	ctx context.Context, at Position, agent string, more func(Position) bool, emit func(*Event),
) error {
	err := r.Start(at, agent)
	for err == nil && more(r.At()) {
		err = r.Next(ctx, emit)
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// All wants every line of a transcript.
func All(Position) bool { return true }

// Start goes to a line: the zero position, or one that [Reader.At] or an event
// of an earlier run gave. agent is "" when the lines have to say whose they are.
func (r *Reader) Start(at Position, agent string) error {
	if _, err := r.src.Seek(at.Offset, io.SeekStart); err != nil {
		return fmt.Errorf("seeking in transcript: %w", err)
	}
	var long []byte
	if r.lines != nil {
		long = r.lines.long
	}
	r.lines = newLineReader(r.src, at.Offset, at.Line)
	r.lines.long = long
	if at.Offset > 0 {
		r.lines.skipBreak()
	}
	r.agent, r.adapter, r.Stats = agent, nil, Stats{}
	return nil
}

// Agent names the agent whose transcript it is; "" until a line has said so.
func (r *Reader) Agent() string {
	if r.adapter == nil {
		return ""
	}
	return r.agent
}

// At is where the next line starts.
func (r *Reader) At() Position { return Position{r.lines.offset, r.lines.line} }

// Next reads one line and calls emit with each event in it, which is valid until
// emit returns. At the end of what is complete the error is io.EOF.
func (r *Reader) Next(ctx context.Context, emit func(*Event)) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("reading transcript: %w", err)
	}
	offset := r.lines.offset
	line, number, err := r.lines.next()
	stats := &r.Stats
	if err == nil && number < r.Counted {
		stats = &Stats{}
	}
	stats.LongLines += r.lines.tooBig
	r.lines.tooBig = 0
	if err != nil {
		return err
	}
	if len(line) > 0 {
		r.read(line, Position{offset, number}, stats, emit)
	}
	return nil
}

// read gives the events of a line.
func (r *Reader) read(line []byte, at Position, stats *Stats, emit func(*Event)) {
	if r.adapter == nil && !r.adapt(line) {
		if !wholeObject(line) {
			stats.BadLines++
		}
		return
	}
	r.adapter.line(at.Line, line, stats, func(e *Event) {
		e.Offset = at.Offset
		if r.wants(e) {
			emit(e)
		}
	})
}

// wants reports whether an event is given, and takes from it what is not.
func (r *Reader) wants(e *Event) bool {
	if e.Kind == Brought && !r.Hearing {
		return false
	}
	return !r.Identity.Subagent || told(e)
}

// told takes the words out of an event that tells a subagent what to do: another
// agent's, not a person's. It reports whether anything is left: that a turn begins.
func told(e *Event) bool {
	switch e.Kind {
	case Steer:
		return false
	case Prompt, Plan:
		e.Kind, e.Text, e.Command = Prompt, "", ""
	}
	return true
}

// adapt finds the adapter that reads a line and those after it.
func (r *Reader) adapt(line []byte) bool {
	f := formatOf(cmp.Or(r.agent, Detect(line)))
	r.agent = f.agent
	if f.adapter == nil {
		return false
	}
	r.adapter = f.adapter(&r.Identity)
	return true
}

// hashSpan is how many bytes before a position are hashed.
const hashSpan = 4 << 10

// Document reports whether the transcript is one JSON document, in which the
// agent may complete its last message in place.
func (r *Reader) Document() bool {
	_, ok := r.src.(*bundle)
	return ok
}

// ReadTo reports whether a run that stopped at an offset, with this hash of the bytes before it, has
// read all of a transcript. Of one JSON document that is not known.
func ReadTo(src io.ReadSeeker, offset int64, hash string) bool {
	r, err := Open(src, "")
	if err != nil {
		return false
	}
	end, err := r.src.Seek(0, io.SeekEnd)
	have, _ := r.HashBefore(offset)
	return err == nil && end == offset && have != "" && have == hash
}

// HashBefore hashes the up to hashSpan bytes before an offset, so that a later
// run can tell whether it has the same transcript before it; "" when the
// transcript is shorter than that, or was rewound behind the offset.
func (r *Reader) HashBefore(offset int64) (string, error) {
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
