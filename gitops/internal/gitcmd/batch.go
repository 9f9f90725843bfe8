package gitcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// Errors of reading objects.
var (
	ErrDamaged = errors.New("object is damaged")
	// ErrPartial is an object that a partial clone left at its remote. Nothing is
	// fetched unasked.
	ErrPartial = errors.New("this clone is partial, and what is asked for was left at the remote")
)

// Batch is one `git cat-file --batch` process. It is for one goroutine.
type Batch struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	out    *bufio.Reader
	stderr *output
	cancel context.CancelFunc
	once   bool // git answers when its input ends
}

// OpenBatch starts the process. It outlives ctx, which only bounds single
// requests, and ends with [Batch.Close]. With once it serves one call of
// [Batch.Each], which it answers faster.
func (g *Runner) OpenBatch(ctx context.Context, once bool) (*Batch, error) {
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	args := []string{"cat-file", "--batch"}
	if once {
		args = append(args, "--buffer")
	}
	cmd, stderr := g.prepare(life, Command{Args: args})
	b := &Batch{cmd: cmd, stderr: stderr, cancel: cancel, once: once}
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

// Answer is one reply. A name without an object has an empty id. Data is nil
// when the object is larger than the limit asked for.
type Answer struct {
	ID   gitobject.ID
	Kind string
	Size int64
	Data []byte
}

// Ask requests one object by any name git knows, and waits for the answer.
func (b *Batch) Ask(ctx context.Context, name string, limit int64) (Answer, error) {
	stop := context.AfterFunc(ctx, b.cancel)
	defer stop()
	if _, err := io.WriteString(b.stdin, name+"\n"); err != nil {
		return Answer{}, b.fail(ctx, err)
	}
	a, err := b.read(limit)
	if err != nil {
		return a, b.fail(ctx, err)
	}
	return a, nil
}

// Each requests ids in one stream, and calls yield with every answer in order.
func (b *Batch) Each(ctx context.Context, ids []gitobject.ID, limit int64,
	yield func(gitobject.ID, Answer) error,
) error {
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

// Objects requests ids of a process of its own, and calls yield with every answer in order.
func (g *Runner) Objects(ctx context.Context, ids []gitobject.ID, limit int64,
	yield func(gitobject.ID, Answer) error,
) error {
	b, err := g.OpenBatch(ctx, true)
	if err != nil {
		return err
	}
	defer b.Close()
	return b.Each(ctx, ids, limit, yield)
}

// Survey is [Runner.Objects] that passes over what is damaged: git dies of it, and is
// started again for what comes after.
func (g *Runner) Survey(ctx context.Context, ids []gitobject.ID, limit int64,
	yield func(gitobject.ID, Answer) error,
) error {
	for len(ids) > 0 {
		done := 0
		err := g.Objects(ctx, ids, limit, func(id gitobject.ID, a Answer) error {
			done++
			return yield(id, a)
		})
		if !errors.Is(err, ErrDamaged) {
			return err
		}
		ids = ids[min(done+1, len(ids)):]
	}
	return nil
}

func (b *Batch) read(limit int64) (Answer, error) {
	head, err := b.out.ReadSlice('\n') // an answer is far shorter than the buffer
	if err != nil {
		return Answer{}, err
	}
	line := string(head)
	fields := strings.Fields(line)
	if len(fields) != 3 || !gitobject.IsID(fields[0]) {
		return Answer{}, nil // "<name> missing", "<name> ambiguous"
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return Answer{}, fmt.Errorf("reading the answer %q: %w", line, err)
	}
	a := Answer{ID: gitobject.ID(fields[0]), Kind: fields[1], Size: size}
	if size > limit {
		_, err = io.CopyN(io.Discard, b.out, size+1)
		return a, err
	}
	a.Data = make([]byte, size)
	if _, err = io.ReadFull(b.out, a.Data); err == nil {
		_, err = b.out.Discard(1)
	}
	return a, err
}

func (b *Batch) fail(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = b.died(err)
	}
	return fmt.Errorf("reading objects: %w", err)
}

// died says why the process ended before its answer.
func (b *Batch) died(err error) error {
	_ = b.cmd.Wait()
	what := strings.TrimSpace(b.stderr.buf.String())
	state := b.cmd.ProcessState
	switch {
	case strings.Contains(what, "from promisor remote"):
		return ErrPartial
	case state == nil, state.Success(), killed(state), strings.Contains(strings.ToLower(what), "out of memory"):
		return fmt.Errorf("git cat-file ended before its answer (%v): %w", state, err)
	}
	return fmt.Errorf("%w: %s", ErrDamaged, what) // git dies on an object whose content it cannot unpack
}

// Close ends the process. It is harmless after a failure.
func (b *Batch) Close() {
	b.stdin.Close()
	b.cancel()
	_ = b.cmd.Wait()
}
