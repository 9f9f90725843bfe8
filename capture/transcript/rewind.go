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
	type message struct {
		id   uint64
		from int64
	}
	seed := maphash.MakeSeed()
	var out []span
	var known []message
	index := map[uint64]int{}
	first := int64(-1)
	err = eachLine(src, func(line []byte, from, to int64) bool {
		if first < 0 {
			first = to
		}
		if !isRewind(line) {
			if id := field(line, "id"); len(id) > 2 {
				h := maphash.Bytes(seed, id)
				if _, ok := index[h]; !ok {
					index[h] = len(known)
					known = append(known, message{h, from})
				}
			}
			return true
		}
		s := span{first, to}
		at, ok := index[maphash.Bytes(seed, field(line, "$rewindTo"))]
		if ok {
			s.from = known[at].from
		} else {
			at = 0
		}
		for _, m := range known[at:] {
			delete(index, m.id)
		}
		known = known[:at]
		for len(out) > 0 && out[len(out)-1].to > s.from {
			s.from = min(s.from, out[len(out)-1].from)
			out = out[:len(out)-1]
		}
		out = append(out, s)
		return true
	})
	return out, err
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
			return fmt.Errorf("reading transcript: %w", err)
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
