package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of a connection.
const (
	maxLine    = 1 << 20         // bytes of one message
	maxWaiting = 128             // requests without an answer, before reading waits
	lastCalls  = 5 * time.Second // for answers, after the input has ended
)

// stdio is a transport of one message a line. Unlike the SDK's own it answers a
// line that is no message with an error and reads on, lets no request go without
// an answer because its line was the last one, and stops reading while too many
// requests wait.
type stdio struct {
	in  io.Reader
	out io.Writer
}

// Connect begins to read.
func (t *stdio) Connect(context.Context) (sdk.Connection, error) {
	c := &connection{out: t.out, lines: make(chan line), closed: make(chan struct{}), idle: make(chan struct{}, 1)}
	go c.read(t.in)
	return c, nil
}

// connection is one session.
type connection struct {
	lines  chan line
	closed chan struct{}
	once   sync.Once

	mu      sync.Mutex
	out     io.Writer
	broken  bool // nobody reads the answers any more
	waiting int  // requests without an answer
	idle    chan struct{}
}

// line is a line of the input, or how it ended.
type line struct {
	data []byte
	err  error
}

// errLong is the error of a line that is over the limit; its data is the beginning
// and the end.
var errLong = errors.New("a message may have at most 1 MB")

// read passes on the lines of in. Of a line over the limit only the two ends are kept.
func (c *connection) read(in io.Reader) {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		l := readLine(r)
		if l.isBlank() {
			continue
		}
		select {
		case c.lines <- l:
		case <-c.closed:
			return
		}
		if l.isLast() {
			return
		}
	}
}

func readLine(r *bufio.Reader) line {
	const ends = 256
	var data []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(data)+len(part) > maxLine; long {
			tail := append(data[min(len(data), ends):], part...)
			data = append(data[:min(len(data), ends):ends], tail[max(0, len(tail)-ends):]...)
		} else {
			data = append(data, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && len(data) == 0:
			return line{err: err}
		case long:
			return line{data: data, err: errLong}
		default:
			return line{data: data} // a last line needs no end
		}
	}
}

// isBlank reports whether a line says nothing.
func (l line) isBlank() bool { return l.err == nil && len(bytes.TrimSpace(l.data)) == 0 }

// isLast reports whether nothing can be read behind a line.
func (l line) isLast() bool { return l.err != nil && !errors.Is(l.err, errLong) }

// Read returns the next message. It returns [io.EOF] when the input has ended and
// what was asked is answered.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	if err := c.room(ctx); err != nil {
		return nil, err
	}
	for {
		var l line
		select {
		case l = <-c.lines:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		}
		switch {
		case errors.Is(l.err, errLong):
			c.refuse(idOf(l.data), jsonrpc.CodeInvalidRequest, errLong.Error())
			continue
		case l.err != nil:
			c.finish(ctx)
			return nil, io.EOF
		case !json.Valid(l.data):
			c.refuse(nil, jsonrpc.CodeParseError, "this line is no JSON")
			continue
		}
		msg, err := jsonrpc.DecodeMessage(l.data)
		if err != nil {
			c.refuse(idOf(l.data), jsonrpc.CodeInvalidRequest,
				"this line is no message of JSON-RPC 2.0: batches are not supported")
			continue
		}
		if r, ok := msg.(*jsonrpc.Request); ok && r.IsCall() {
			c.mu.Lock()
			c.waiting++
			c.mu.Unlock()
		}
		return msg, nil
	}
}

// room waits until few enough requests wait for an answer.
func (c *connection) room(ctx context.Context) error {
	for c.isFull() {
		select {
		case <-c.idle:
		case <-ctx.Done():
			return ctx.Err()
		case <-c.closed:
			return io.EOF
		}
	}
	return nil
}

// isFull reports whether a reader has to wait.
func (c *connection) isFull() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiting >= maxWaiting && !c.broken
}

// finish waits for the answers to what was asked last.
func (c *connection) finish(ctx context.Context) {
	end := time.After(lastCalls)
	for {
		c.mu.Lock()
		done := c.waiting == 0 || c.broken
		c.mu.Unlock()
		if done {
			return
		}
		select {
		case <-c.idle:
		case <-end:
			return
		case <-ctx.Done():
			return
		case <-c.closed:
			return
		}
	}
}

// Write writes a message and the end of its line at once.
func (c *connection) Write(_ context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	_, answers := msg.(*jsonrpc.Response)
	return c.write(data, answers)
}

func (c *connection) write(data []byte, answers bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(data, '\n'))
	c.broken = c.broken || err != nil
	if answers {
		c.waiting--
	}
	select {
	case c.idle <- struct{}{}:
	default:
	}
	return err
}

// refuse answers a line that is no message. The id is nil where it is unknown.
func (c *connection) refuse(id json.RawMessage, code int, message string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	data, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message},
	})
	if err == nil {
		_ = c.write(data, false) // nobody may listen any more; reading goes on until the end
	}
}

// idOf finds the id of a request in a line that cannot be read as one: at its
// beginning or, where other members come first, at its end.
func idOf(data []byte) json.RawMessage {
	data = bytes.TrimSpace(data)
	at := bytes.Index(data[:min(len(data), 128)], []byte(`"id":`))
	if at < 0 {
		if at = bytes.LastIndex(data, []byte(`"id":`)); at < max(0, len(data)-128) {
			return nil
		}
	}
	rest := bytes.TrimSpace(data[at+len(`"id":`):])
	end := bytes.IndexAny(rest, ",}")
	if end < 0 {
		return nil
	}
	id := bytes.TrimSpace(rest[:end])
	var number json.Number
	if json.Unmarshal(id, &number) != nil && (len(id) < 2 || id[0] != '"' || !json.Valid(id)) {
		return nil
	}
	return id
}

// Close ends the session.
func (c *connection) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// SessionID returns no name: there is one session to a connection.
func (c *connection) SessionID() string { return "" }
