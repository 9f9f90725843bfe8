package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
)

// span is a stretch of bytes.
type span struct{ from, to int64 }

// A Gemini session may rewind: a line {"$rewindTo": id} takes back the message
// of that id and all after it, for an id that is not known all there are. What
// is taken back is blanked, so that lines and offsets stay the same.

// rewound finds the stretches of a transcript that were rewound, in order.
func rewound(src io.ReadSeeker) ([]span, error) {
	any := false
	err := eachLine(src, func(line []byte, _, _ int64) bool {
		any = isRewind(line)
		return !any
	})
	if err != nil || !any {
		return nil, err
	}
	h := history{seed: maphash.MakeSeed(), index: map[uint64]int{}, first: -1}
	err = eachLine(src, func(line []byte, from, to int64) bool {
		h.line(line, span{from, to})
		return true
	})
	return h.undone, err
}

// history follows the messages of a session, and which of them are taken back.
type history struct {
	seed   maphash.Seed
	known  []messageAt
	index  map[uint64]int // where in known a message is
	first  int64          // where the first line ends, which is no message
	undone []span
}

type messageAt struct {
	id   uint64
	from int64
}

func (h *history) line(line []byte, at span) {
	if h.first < 0 {
		h.first = at.to
	}
	if isRewind(line) {
		h.rewind(maphash.Bytes(h.seed, field(line, "$rewindTo")), at.to)
		return
	}
	id := field(line, "id")
	if len(id) <= len(`""`) {
		return
	}
	sum := maphash.Bytes(h.seed, id)
	if _, ok := h.index[sum]; !ok {
		h.index[sum] = len(h.known)
		h.known = append(h.known, messageAt{sum, at.from})
	}
}

// rewind takes back a message and all after it, up to the line that says so.
func (h *history) rewind(id uint64, to int64) {
	s := span{h.first, to}
	at, ok := h.index[id]
	if ok {
		s.from = h.known[at].from
	}
	for _, m := range h.known[at:] {
		delete(h.index, m.id)
	}
	h.known = h.known[:at]
	for len(h.undone) > 0 && h.undone[len(h.undone)-1].to > s.from {
		last := len(h.undone) - 1
		s.from = min(s.from, h.undone[last].from)
		h.undone = h.undone[:last]
	}
	h.undone = append(h.undone, s)
}

func isRewind(line []byte) bool {
	return len(line) < 1<<10 && bytes.Contains(line, []byte(`"$rewindTo"`)) && field(line, "$rewindTo") != nil
}

// eachLine calls f with each line and where it starts and ends, until f
// returns false.
func eachLine(src io.ReadSeeker, f func(line []byte, from, to int64) bool) error {
	if _, err := src.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("seeking in transcript: %w", err)
	}
	lines := newLineReader(src, 0, 0)
	for {
		from := lines.offset
		line, _, err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !f(line, from, lines.offset) {
			return nil
		}
	}
}

// blanked is a transcript with spaces in place of some stretches; their line
// breaks stay.
type blanked struct {
	src   io.ReadSeeker
	pos   int64
	spans []span
}

func (b *blanked) Seek(offset int64, whence int) (int64, error) {
	pos, err := b.src.Seek(offset, whence)
	b.pos = pos
	return pos, err
}

func (b *blanked) Read(p []byte) (int, error) {
	n, err := b.src.Read(p)
	for _, s := range b.spans {
		for i := max(s.from, b.pos); i < min(s.to, b.pos+int64(n)); i++ {
			if c := &p[i-b.pos]; *c != '\n' {
				*c = ' '
			}
		}
	}
	b.pos += int64(n)
	return n, err
}
