package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Some agents write a session as one JSON document with a list of messages.
// A bundle gives such a document as lines, one per message, with what the
// document says about the session in front of each, so that the engine reads
// all transcripts alike. A line depends on nothing but its message and the
// session: when messages are added, what was there keeps its place, and the
// cursor of an earlier run stays good.

// Bounds, in bytes: of a message, with which and after which nothing is read, and of what a
// document says about its session.
const (
	messageLimit = lineLimit - 1<<20
	aboutLimit   = 1 << 20
)

// orderMark is the byte order mark that a document may begin with.
const orderMark = "\xef\xbb\xbf"

// bundleWindow is how much of what was given is kept, for the hash before the
// cursor.
const bundleWindow = 2 * hashSpan

// bundleOf names the agent whose one-document transcript begins with head, ""
// when head is something else, such as the JSONL of the same agent.
func bundleOf(head []byte) string {
	head = bytes.TrimPrefix(head, []byte(orderMark))
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
	known := func(key string) bool { return looseField(info, key) != nil }
	return slices.ContainsFunc([]string{"directory", "projectID", "slug"}, known) ||
		strings.HasPrefix(text(looseField(info, "id")), "ses")
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
	head = bytes.TrimPrefix(head, []byte(orderMark))
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
	in    *json.Decoder     // in the list of messages; nil before the first and after the last
	left  *io.LimitedReader // how much more may be read for the message at hand
	limit int64             // of a message
	agent string

	session, cwd, title, revert []byte // raw JSON strings

	out  []byte // what was made last
	base int64  // where out starts
	pos  int64  // where Read goes on
}

func newBundle(src io.ReadSeeker, agent string) *bundle {
	return &bundle{src: src, agent: agent, limit: messageLimit, base: 1} // the first Read starts over
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
		if b.in == nil {
			return 0, io.EOF
		}
		if err := b.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, b.out[b.pos-b.base:])
	b.pos += int64(n)
	return n, nil
}

// restart goes to the first message.
func (b *bundle) restart() error {
	if _, err := b.src.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("seeking in transcript: %w", err)
	}
	in := bufio.NewReader(b.src)
	if head, _ := in.Peek(len(orderMark)); string(head) == orderMark {
		_, _ = in.Discard(len(orderMark))
	}
	b.left = &io.LimitedReader{R: in, N: b.limit}
	b.in = json.NewDecoder(b.left)
	b.base, b.out = 0, b.out[:0]
	b.session, b.cwd, b.title, b.revert = nil, nil, nil, nil
	found, err := b.header()
	if !found {
		b.in = nil
	}
	return tornIsEnd(err)
}

// header reads up to the list of messages and reports whether there is one.
// What stands behind the list is not read.
func (b *bundle) header() (bool, error) {
	if open, err := b.in.Token(); open != json.Delim('{') {
		return false, err
	}
	for b.in.More() {
		key, err := b.in.Token()
		if err != nil {
			return false, err
		}
		if key == "messages" {
			open, err := b.in.Token()
			return open == json.Delim('['), err
		}
		var value json.RawMessage
		if err := b.in.Decode(&value); err != nil {
			return false, err
		}
		b.about(key, value)
	}
	return false, nil
}

// about keeps what a field of the document says about the session.
func (b *bundle) about(key json.Token, val []byte) {
	if len(val) > aboutLimit {
		return
	}
	str := func(raw []byte) []byte {
		if text(raw) == "" {
			return nil
		}
		return raw
	}
	switch key {
	case "sessionId":
		b.session = str(val)
	case "directories":
		b.cwd = str(firstElem(val))
	case "info":
		b.session, b.cwd = str(field(val, "id")), str(field(val, "directory"))
		b.revert = str(field(val, "revert", "messageID"))
		if t := field(val, "title"); !bytes.HasPrefix(t, []byte(`"New session - `)) {
			b.title = str(t)
		}
	}
}

// next makes the line of the next message, or ends.
func (b *bundle) next() error {
	var message json.RawMessage
	b.left.N = b.limit
	if b.in.More() {
		if err := b.in.Decode(&message); err != nil {
			b.in = nil
			return tornIsEnd(err)
		}
	}
	if message == nil || b.revert != nil && bytes.Equal(field(message, "info", "id"), b.revert) {
		b.in = nil // the user took back this message and those after it
		return nil
	}
	return b.write(message)
}

// tornIsEnd turns the end of the document inside a value, or what is no JSON, into a plain end.
func tornIsEnd(err error) error {
	var broken *json.SyntaxError
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &broken):
		return nil
	}
	return fmt.Errorf("reading transcript: %w", err)
}

// write appends one line and forgets what lies further back than the window.
func (b *bundle) write(message []byte) error {
	if n := len(b.out) - bundleWindow; n > 0 {
		b.base += int64(n)
		b.out = append(b.out[:0], b.out[n:]...)
	}
	line := bytes.NewBuffer(b.out)
	fmt.Fprintf(line, `{"bundle":"%s"`, b.agent)
	for _, f := range []struct {
		key string
		val []byte
	}{{"session", b.session}, {"cwd", b.cwd}, {"title", b.title}} {
		if f.val != nil {
			fmt.Fprintf(line, `,"%s":%s`, f.key, f.val)
		}
	}
	b.title = nil // it stands in the first line
	line.WriteString(`,"message":`)
	err := json.Compact(line, message)
	line.WriteString("}\n")
	b.out = line.Bytes()
	return err
}
