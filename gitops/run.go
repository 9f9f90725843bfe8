package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// GitError is a git process that failed. Code is its exit status, -1 when it
// was killed or could not be started.
type GitError struct {
	Args   []string
	Stderr string // at most 4 KB, English, trimmed
	Code   int
	Err    error
}

func (e *GitError) Error() string {
	what := e.Stderr
	if line, _, more := strings.Cut(what, "\n"); more {
		what = line
	}
	if what == "" && e.Err != nil {
		what = e.Err.Error()
	}
	return fmt.Sprintf("git %s: %s", e.Args[0], what)
}

func (e *GitError) Unwrap() error { return e.Err }

// runner runs the git binary for one repository, in an environment of its own.
// It is never changed once made, and is for any number of goroutines.
type runner struct {
	binary  string   // absolute
	dir     string   // where git runs: the top of the working tree, else the git directory
	env     []string // of every child
	environ []string // the caller's own, for what may use the network
}

// command is one run of git.
type command struct {
	args  []string
	dir   string    // "" is where the runner runs
	stdin io.Reader // nil is empty: a child never reads our stdin
	env   []string  // added to the runner's environment
}

const stderrCap = 4 << 10

// cappedBuffer keeps the first stderrCap bytes and swallows the rest.
type cappedBuffer struct{ bytes.Buffer }

func (b *cappedBuffer) Write(p []byte) (int, error) {
	if room := stderrCap - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// prepare builds the process. When ctx ends it is asked to end, so that git
// leaves no lock behind, and killed if that takes too long.
func (g *runner) prepare(ctx context.Context, c command) (*exec.Cmd, *cappedBuffer) {
	cmd := exec.CommandContext(ctx, g.binary, c.args...)
	cmd.Dir = c.dir
	if cmd.Dir == "" {
		cmd.Dir = g.dir
	}
	cmd.Env = append(g.env[:len(g.env):len(g.env)], c.env...)
	cmd.Cancel = func() error { return terminate(cmd.Process) }
	cmd.WaitDelay = 2 * time.Second
	stderr := new(cappedBuffer)
	cmd.Stderr = stderr
	return cmd, stderr
}

// run runs git to its end and returns its stdout, also when it fails.
func (g *runner) run(ctx context.Context, c command) ([]byte, error) {
	cmd, stderr := g.prepare(ctx, c)
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout = c.stdin, &out
	if err := cmd.Run(); err != nil {
		return out.Bytes(), gitError(ctx, c.args, stderr, err)
	}
	return out.Bytes(), nil
}

// gitError types a failure. The context's own error comes first: "signal:
// killed" tells a user nothing.
func gitError(ctx context.Context, args []string, stderr *cappedBuffer, err error) error {
	ge := &GitError{Args: args, Stderr: strings.TrimSpace(stderr.String()), Code: -1, Err: err}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		ge.Code = exit.ExitCode()
	}
	if ctx.Err() != nil {
		ge.Err, ge.Stderr = ctx.Err(), ""
	}
	return ge
}

// exitCode is the status of the git process that err came from; -1 otherwise.
func exitCode(err error) int {
	var ge *GitError
	if errors.As(err, &ge) {
		return ge.Code
	}
	return -1
}
