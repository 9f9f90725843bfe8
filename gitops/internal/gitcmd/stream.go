package gitcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
)

// Stream runs git to its end and hands read what it prints, however much that is. An error
// of read ends git, and is returned.
func (g *Runner) Stream(ctx context.Context, c Command, read func(*bufio.Reader) error) error {
	life, stop := context.WithCancel(ctx)
	defer stop()
	cmd, stderr := g.prepare(life, c)
	cmd.Stdin = c.Stdin
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("starting git %s: %w", c.Args[0], err)
	}
	in := bufio.NewReaderSize(out, 256<<10)
	failed := read(in)
	if failed != nil {
		stop()
	}
	_, _ = io.Copy(io.Discard, in)
	err = cmd.Wait()
	if err != nil && (ctx.Err() != nil || failed == nil || errors.Is(failed, io.ErrUnexpectedEOF)) {
		return runError(ctx, c.Args, stderr, err) // a git that dies is why its output ends
	}
	return failed
}
