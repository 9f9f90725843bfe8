package gitops

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// batch is one `git cat-file --batch` process. It is for one goroutine.
type batch struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	out    *bufio.Reader
	stderr *cappedBuffer
	cancel context.CancelFunc
	once   bool // opened with --buffer: git answers when its input ends
}

// openBatch starts the process. It outlives ctx, which only bounds single
// requests, and ends with close.
func (g *runner) openBatch(ctx context.Context, flags ...string) (*batch, error) {
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	cmd, stderr := g.prepare(life, command{args: append([]string{"cat-file", "--batch"}, flags...)})
	b := &batch{cmd: cmd, stderr: stderr, cancel: cancel}
	var err error
	if b.stdin, err = cmd.StdinPipe(); err == nil {
		var out io.ReadCloser
		if out, err = cmd.StdoutPipe(); err == nil {
			b.out = bufio.NewReaderSize(out, 64<<10)
			err = cmd.Start()
		}
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("starting git cat-file: %w", err)
	}
	return b, nil
}

// answer is one reply. A name without an object has an empty id. Data is nil
// when the object is larger than the limit asked for.
type answer struct {
	id   ObjectID
	kind string
	size int64
	data []byte
}

// ask requests one object by any name git knows, and waits for the answer.
func (b *batch) ask(ctx context.Context, name string, limit int64) (answer, error) {
	stop := context.AfterFunc(ctx, b.cancel)
	defer stop()
	if _, err := io.WriteString(b.stdin, name+"\n"); err != nil {
		return answer{}, b.fail(ctx, err)
	}
	a, err := b.read(limit)
	if err != nil {
		return a, b.fail(ctx, err)
	}
	return a, nil
}

// each requests ids in one stream, and calls yield with every answer in order.
func (b *batch) each(ctx context.Context, ids []ObjectID, limit int64, yield func(ObjectID, answer) error) error {
	stop := context.AfterFunc(ctx, b.cancel)
	defer stop()
	written := make(chan error, 1)
	go func() {
		w := bufio.NewWriterSize(b.stdin, 32<<10)
		for _, id := range ids {
			w.WriteString(string(id))
			w.WriteByte('\n')
		}
		err := w.Flush()
		if b.once {
			b.stdin.Close()
		}
		written <- err
	}()
	for _, id := range ids {
		a, err := b.read(limit)
		if err == nil {
			err = yield(id, a)
			if err != nil {
				b.cancel() // what was asked for is still coming: the process is of no more use
				<-written  //nolint:errcheck // its failure follows from the cancellation
				return err
			}
			continue
		}
		b.cancel()
		<-written //nolint:errcheck // its failure follows from the cancellation
		return b.fail(ctx, err)
	}
	if err := <-written; err != nil {
		return b.fail(ctx, err)
	}
	return nil
}

func (b *batch) read(limit int64) (answer, error) {
	line, err := b.out.ReadString('\n')
	if err != nil {
		return answer{}, err
	}
	fields := strings.Fields(line)
	if len(fields) != 3 || !isHexID(fields[0]) {
		return answer{}, nil // "<name> missing", "<name> ambiguous"
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return answer{}, fmt.Errorf("reading the answer %q: %w", line, err)
	}
	a := answer{id: ObjectID(fields[0]), kind: fields[1], size: size}
	if size > limit {
		_, err = io.CopyN(io.Discard, b.out, size+1)
		return a, err
	}
	a.data = make([]byte, size)
	if _, err = io.ReadFull(b.out, a.data); err == nil {
		_, err = b.out.Discard(1)
	}
	return a, err
}

func (b *batch) fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		err = ctx.Err()
	} else if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		// git dies on an object whose content it cannot unpack.
		_ = b.cmd.Wait()
		what := strings.TrimSpace(b.stderr.String())
		if err = fmt.Errorf("%w: %s", errDamaged, what); strings.Contains(what, "from promisor remote") {
			err = ErrPartial
		}
	}
	return fmt.Errorf("reading objects: %w", err)
}

// close ends the process. It is harmless after a failure.
func (b *batch) close() {
	b.stdin.Close()
	b.cancel()
	_ = b.cmd.Wait()
}
