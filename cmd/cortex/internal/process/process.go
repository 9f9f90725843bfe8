// Package process starts the programs that are neither git nor cortex's answer to a
// command: the command that a user set as cortex.llm, with [Run], and the worker that
// waits for it, with [Detach]. It promises that such a program has a group of its own,
// knows nothing of the git process that runs the hook, and that [Run] leaves nothing of
// it behind. [Adopt] and [Reap] promise the same of a hook that is given up.
package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace/curate"
)

// Guard is the variable that tells a hook that cortex itself started the agent
// which calls it. Such a hook does nothing.
const Guard = "CORTEX_INTERNAL"

// Detach starts a program that nobody waits for. It has no terminal, no streams and no
// group in common with this process.
func Detach(environ []string, exe string, args ...string) error {
	c := exec.Command(exe, args...)
	c.Env = guarded(environ)
	c.Dir = os.TempDir()
	detach(c)
	if err := c.Start(); err != nil {
		return err
	}
	_ = c.Process.Release()
	return nil
}

// Interruptible returns a context that ends when the user interrupts the program, or a signal asks it to end. A
// second signal ends a program that cannot heed the first. Until this is called, and after stop, any does.
func Interruptible(ctx context.Context) (_ context.Context, stop func()) {
	ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// guarded is an environment without the variables by which git tells its children
// where they are, and with Guard.
func guarded(environ []string) []string {
	out := slices.DeleteFunc(slices.Clone(environ), func(e string) bool {
		key, _, _ := strings.Cut(e, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", Guard}, key)
	})
	return append(out, Guard+"=1")
}

// Run runs the user's command by the shell, as git does with the commands in its
// configuration: in an empty folder, in a process group of its own, and none of it
// outlives the time limit or its own end.
func Run(ctx context.Context, environ []string, r curate.Command) ([]byte, error) {
	dir, err := os.MkdirTemp("", "cortex-model-")
	if err != nil {
		return nil, fmt.Errorf("running the model's command: %w", err)
	}
	defer os.RemoveAll(dir)
	// Children are told of this thread's end, not of the process's.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	Adopt()
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	c := shell(ctx, r.Line)
	c.Dir, c.Env = dir, guarded(environ)
	c.Stdin = strings.NewReader(r.Input)
	out, said := &capped{limit: r.Limit, full: cancel}, &capped{limit: 4 << 10}
	c.Stdout, c.Stderr = out, said
	c.WaitDelay = 2 * time.Second
	group(c)
	c.Cancel = func() error { return killGroup(c.Process) }
	if err = c.Start(); err == nil {
		err = c.Wait()
		_ = killGroup(c.Process) // what it left in the background
		Reap(true)
	}
	switch {
	case out.over:
		return nil, fmt.Errorf("running the model's command: its output is over %d bytes", r.Limit)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("running the model's command: it did not end within %s", r.Timeout)
	case c.ProcessState != nil && (c.ProcessState.ExitCode() == 127 ||
		c.ProcessState.ExitCode() == 9009): // as shells say it
		return nil, answer.WithHint(fmt.Errorf("the program of cortex.llm is not there: %s",
			strings.TrimSpace(said.buf.String())),
			"install it, put it on PATH, or choose another: cortex init --curate "+
				strings.Join(curate.PresetNames(), "|"))
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return nil, fmt.Errorf("running the model's command: %w: %s", err, strings.TrimSpace(said.buf.String()))
	}
	return out.buf.Bytes(), nil
}

// capped keeps the first bytes that are written to it; full is called when
// there are more.
type capped struct {
	buf   bytes.Buffer
	limit int
	over  bool
	full  func()
}

func (c *capped) Write(p []byte) (int, error) {
	room := c.limit - c.buf.Len()
	if len(p) <= room {
		return c.buf.Write(p)
	}
	c.buf.Write(p[:max(room, 0)])
	c.over = c.full != nil
	if c.full != nil {
		c.full()
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}
