package transcript

import (
	"context"
	"io"
	"os"
)

// Bounds of what is taken for settled.
const (
	settledSize = 1 << 20 // bytes at the end of a transcript that are read for it
	saysMore    = 40      // bytes from which on what a user says later is more than a word of consent
)

// Settled counts what a session settled that its diff does not show, from a place in its transcript on:
// what its user said beside the request that began it, answered or turned down, and the failures that a
// change followed. It is not known where the transcript cannot be read.
func Settled(file string, from int64) (n int, known bool) {
	s := stretch{begun: from > 0}
	known = End(file, from, settledSize, s.event)
	return s.settled, known
}

// End reads a transcript from a place on, at most so many of its last bytes, and reports whether it can
// be read.
func End(file string, from, most int64, event func(*Event)) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	end, _ := f.Seek(0, io.SeekEnd) // 0 of a file that cannot be sought in: it is not read either
	r, err := Open(f, "")
	if err != nil {
		return false
	}
	return r.Read(context.Background(), Position{Offset: max(from, end-most)}, "", All, event) == nil
}

// stretch is a part of a session, with what it settled so far.
type stretch struct {
	begun           bool // its first request was read
	failed, settled int
}

// event takes in what comes next.
func (s *stretch) event(e *Event) {
	switch e.Kind {
	case Prompt, Steer:
		s.says(e.Text)
	case Call:
		s.calls(e.Tool)
	case Result:
		s.settled += len(e.Answers) + count(e.Refused)
		s.failed += count(e.FailedAtWork())
	}
}

// says takes in words of the user.
func (s *stretch) says(text string) {
	s.settled += count(s.begun && len(text) >= saysMore)
	s.begun = true
}

// calls takes in a call: what failed before a change is settled by it.
func (s *stretch) calls(tool Tool) {
	if tool.Edits() {
		s.settled, s.failed = s.settled+s.failed, 0
	}
}

func count(holds bool) int {
	if holds {
		return 1
	}
	return 0
}
