package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Some agents write a session as one JSON document with a list of messages.
// A bundle gives such a document as lines, one per message, with what the
// document says about the session in front of each, so that the engine reads
// all transcripts alike. A line depends on nothing but its message and the
// session: when messages are added, what was there keeps its place, and the
// cursor of an earlier run stays good.

// bundleLimit is how much of one document is read; what lies beyond it is
// left out.
const bundleLimit = 1 << 30

// elementLimit is the largest message that is read; a larger one is empty.
const elementLimit = lineLimit - 1<<20

// bundleWindow is how much of what was given is kept, for the hash before the
// cursor.
const bundleWindow = 2 * hashSpan

// bundleOf names the agent whose one-document transcript begins with head, ""
// when head is something else, such as the JSONL of the same agent.
func bundleOf(head []byte) string {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if info := looseField(head, "info"); isAt(info, 0, '{') {
		if isOpenCodeInfo(info) {
			return OpenCode
		}
		return ""
	}
	if has(head, "sessionId", "projectHash") && isDocument(head) {
		return Gemini
	}
	return ""
}

// isOpenCodeInfo recognises what OpenCode says of a session.
func isOpenCodeInfo(info []byte) bool {
	for _, key := range []string{"directory", "projectID", "slug"} {
		if looseField(info, key) != nil {
			return true
		}
	}
	return strings.HasPrefix(text(looseField(info, "id")), "ses")
}

// isDocument reports whether a session of Gemini CLI is one document: indented, or with a
// list of messages.
func isDocument(head []byte) bool {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	if len(bytes.TrimSpace(first)) == len("{") {
		return true
	}
	list := looseField(head, "messages")
	return isAt(list, 0, '[') && isAt(list, skipSpace(list, 1), '{')
}

func identifyBundle(head []byte, id *Identity) {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if id.Agent == Gemini {
		identifyGemini(head, id)
		return
	}
	info := looseField(head, "info")
	set(&id.Session, looseField(info, "id"))
	set(&id.Cwd, looseField(info, "directory"))
	id.below(looseField(info, "parentID"))
}

// bundle is a document seen as lines. It can seek to any place, but a place
// far back costs reading the document again.
type bundle struct {
	src   io.ReadSeeker
	in    *bufio.Reader
	agent string
	stage int   // see the constants below
	taken int64 // bytes of the document read

	session, cwd, title, revert []byte // raw JSON strings
	elem                        []byte // buffer of the message at hand

	out  []byte // what was made last
	base int64  // where out starts
	pos  int64  // where Read goes on
	made int    // lines made
}

// Stages of reading a document.
const (
	atStart = iota
	inMessages
	atEnd
)

func newBundle(src io.ReadSeeker, agent string) *bundle {
	return &bundle{src: src, agent: agent, stage: atEnd, base: 1} // the first Read starts over
}

// Seek sets where the next Read starts; only from the start of the lines.
func (b *bundle) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart || offset < 0 {
		return 0, fmt.Errorf("seeking in transcript: %w", errors.ErrUnsupported)
	}
	b.pos = offset
	return offset, nil
}

// Read gives the lines.
func (b *bundle) Read(p []byte) (int, error) {
	if b.pos < b.base {
		if err := b.restart(); err != nil {
			return 0, err
		}
	}
	for b.pos >= b.base+int64(len(b.out)) {
		if b.stage == atEnd {
			return 0, io.EOF
		}
		if err := b.produce(); err != nil {
			return 0, err
		}
	}
	n := copy(p, b.out[b.pos-b.base:])
	b.pos += int64(n)
	return n, nil
}

func (b *bundle) restart() error {
	if _, err := b.src.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("seeking in transcript: %w", err)
	}
	if b.in == nil {
		b.in = bufio.NewReaderSize(b.src, 256<<10)
	} else {
		b.in.Reset(b.src)
	}
	b.stage, b.taken, b.made, b.base, b.out = atStart, 0, 0, 0, b.out[:0]
	b.session, b.cwd, b.title, b.revert = nil, nil, nil, nil
	return nil
}

// produce makes the next line, or moves to the next stage.
func (b *bundle) produce() error {
	if b.stage == atStart {
		b.stage = atEnd
		found, err := b.header()
		if found {
			b.stage = inMessages
		}
		return tornIsEnd(err)
	}
	elem, err := b.element()
	if err != nil || elem == nil || b.takenBack(elem) {
		b.stage = atEnd
		return tornIsEnd(err)
	}
	b.write(elem)
	if cap(b.elem) > 4<<20 {
		b.elem = nil
	}
	return nil
}

// element reads the next message; nil for none. One that is too large is empty.
func (b *bundle) element() ([]byte, error) {
	if _, err := b.accept(','); err != nil {
		return nil, err
	}
	if c, err := b.peek(); err != nil || c == ']' {
		return nil, err
	}
	elem, whole, err := b.value(b.elem[:0], elementLimit)
	if err != nil || len(elem) == 0 {
		return nil, err
	}
	b.elem = elem
	if !whole {
		b.elem = nil
		return []byte("{}"), nil
	}
	return elem, nil
}

// takenBack reports whether the user took back a message, and so those after it.
func (b *bundle) takenBack(elem []byte) bool {
	return b.revert != nil && bytes.Equal(field(elem, "info", "id"), b.revert)
}

// tornIsEnd turns the end of the document inside a value into a plain end.
func tornIsEnd(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("reading transcript: %w", err)
}

// write appends one line and forgets what lies further back than the window.
func (b *bundle) write(elem []byte) {
	if n := len(b.out) - bundleWindow; n > 0 {
		b.base += int64(n)
		rest := b.out[n:]
		if cap(b.out) > 4<<20 {
			b.out = append([]byte(nil), rest...)
		} else {
			b.out = b.out[:copy(b.out, rest)]
		}
	}
	b.out = append(b.out, `{"bundle":"`...)
	b.out = append(append(b.out, b.agent...), '"')
	for _, f := range []struct {
		key string
		val []byte
	}{{"session", b.session}, {"cwd", b.cwd}, {"title", b.title}, {"message", elem}} {
		if f.val == nil || f.key == "title" && b.made > 0 {
			continue
		}
		b.out = append(append(append(b.out, `,"`...), f.key...), `":`...)
		b.out = append(b.out, f.val...)
	}
	b.out = append(b.out, "}\n"...)
	b.made++
}

// header reads up to the list of messages and reports whether there is one.
// What stands behind the list is not read.
func (b *bundle) header() (bool, error) {
	b.skipMark()
	before := byte('{')
	for {
		key, c, err := b.key(before)
		before = ','
		if key == "" || err != nil {
			return false, err
		}
		if key == `"messages"` && c == '[' {
			b.discard(1)
			return true, nil
		}
		if err := b.about(key); err != nil {
			return false, err
		}
	}
}

// skipMark takes a byte order mark.
func (b *bundle) skipMark() {
	if mark, err := b.in.Peek(3); err == nil && string(mark) == "\xef\xbb\xbf" {
		b.discard(3)
	}
}

// key takes a byte, a raw key behind it, and the colon. It gives the key, "" where the
// document goes on in another way, and the first byte of the value, which it leaves.
func (b *bundle) key(before byte) (key string, first byte, err error) {
	if ok, err := b.accept(before); !ok {
		return "", 0, err
	}
	raw, _, err := b.value(nil, 1<<10)
	if err != nil {
		return "", 0, err
	}
	if ok, err := b.accept(':'); !ok {
		return "", 0, err
	}
	first, err = b.peek()
	return string(raw), first, err
}

// accept takes the next byte that is not white space if it is c.
func (b *bundle) accept(c byte) (bool, error) {
	next, err := b.peek()
	if err != nil || next != c {
		return false, err
	}
	b.discard(1)
	return true, nil
}

// about reads the value of a field of the document, and keeps what it says about the session.
func (b *bundle) about(key string) error {
	val, whole, err := b.value(nil, 1<<20)
	if err != nil || !whole {
		return err
	}
	str := func(raw []byte) []byte {
		if text(raw) == "" {
			return nil
		}
		return raw
	}
	switch key {
	case `"sessionId"`:
		b.session = str(val)
	case `"directories"`:
		b.cwd = str(firstElem(val))
	case `"info"`:
		b.session, b.cwd = str(field(val, "id")), str(field(val, "directory"))
		b.revert = str(field(val, "revert", "messageID"))
		if t := field(val, "title"); !bytes.HasPrefix(t, []byte(`"New session - `)) {
			b.title = str(t)
		}
	}
	return nil
}

// peek gives the next byte that is not white space, without taking it.
func (b *bundle) peek() (byte, error) {
	for {
		if b.taken > bundleLimit {
			return 0, io.EOF
		}
		c, err := b.in.Peek(1)
		if err != nil {
			return 0, err
		}
		if skipSpace(c, 0) == 0 {
			return c[0], nil
		}
		b.discard(1)
	}
}

func (b *bundle) discard(n int) {
	_, _ = b.in.Discard(n)
	b.taken += int64(n)
}

// value reads one JSON value and appends it to dst without white space between
// its tokens and without line breaks. whole is false when it was longer than
// limit; it has been stepped over then. A document that ends inside the value
// gives io.EOF.
func (b *bundle) value(dst []byte, limit int) (out []byte, whole bool, err error) {
	if _, err := b.peek(); err != nil {
		return nil, false, err
	}
	s := squeezer{out: dst, limit: len(dst) + limit}
	for {
		if b.taken > bundleLimit {
			return nil, false, io.EOF
		}
		if _, err := b.in.Peek(1); err != nil {
			return nil, false, err
		}
		chunk, err := b.in.Peek(b.in.Buffered())
		if err != nil {
			return nil, false, err
		}
		n, done := s.take(chunk)
		b.discard(n)
		if done {
			return s.out, !s.over, nil
		}
	}
}
