package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// lineLimit is the longest line that is read; longer ones are skipped and
// counted. The longest seen in 753 real transcripts is 1 MB.
const lineLimit = 64 << 20

// lineReader gives the complete lines of a transcript. Memory is bounded by
// lineLimit. A last line without a line break is left for the next run, unless
// it is a whole JSON object already.
type lineReader struct {
	r      *bufio.Reader
	long   []byte // holds a line that does not fit the buffer of r
	offset int64  // byte after the last line given
	line   int    // lines given so far, those before the start included
	tooBig int
	limit  int
}

func newLineReader(r io.Reader, offset int64, line int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 256<<10), offset: offset, line: line, limit: lineLimit}
}

// next gives the next line without its line break, and its number. The bytes
// are valid until the next call. A line over the limit is given as nil. At the
// end of what is complete the error is io.EOF.
func (l *lineReader) next() (line []byte, number int, err error) {
	line, size, err := l.read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, fmt.Errorf("reading transcript: %w", err)
	}
	if err != nil && !wholeObject(line) { // it may go on later
		return nil, 0, io.EOF
	}
	number = l.line
	l.line++
	l.offset += size
	return line, number, nil
}

// read gives the bytes up to the next line break, with how many it consumed.
func (l *lineReader) read() (line []byte, size int64, err error) {
	line, err = l.r.ReadSlice('\n')
	size = int64(len(line))
	if !errors.Is(err, bufio.ErrBufferFull) {
		return trimBreak(line), size, err
	}
	l.long = l.long[:0]
	l.hold(line)
	skipped := false
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.r.ReadSlice('\n')
		size += int64(len(line))
		if skipped || len(l.long)+len(line) > l.limit {
			skipped = true
			continue
		}
		l.hold(line)
	}
	if skipped {
		l.tooBig++
		return nil, size, err
	}
	return trimBreak(l.long), size, err
}

// hold adds to the long line. It grows in steps of four, so that what growing
// leaves behind is a third of what is held.
func (l *lineReader) hold(part []byte) {
	if need := len(l.long) + len(part); need > cap(l.long) {
		grown := make([]byte, len(l.long), max(need, min(4*max(cap(l.long), 256<<10), l.limit)))
		copy(grown, l.long)
		l.long = grown
	}
	l.long = append(l.long, part...)
}

func trimBreak(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// wholeObject reports whether line is one complete JSON object.
func wholeObject(line []byte) bool {
	i := skipSpace(line, 0)
	if !isAt(line, i, '{') {
		return false
	}
	end := skipValue(line, i)
	return end > 0 && skipSpace(line, end) == len(line)
}

// skipBreak drops the line break that a run left behind when it took a last
// line without one.
func (l *lineReader) skipBreak() {
	for _, c := range []byte("\r\n") {
		b, err := l.r.Peek(1)
		if err != nil || b[0] != c {
			continue
		}
		_, _ = l.r.Discard(1)
		l.offset++
	}
}
