// Package gitcmd runs the git binary: always the one that was found, with no
// variable of the environment leading to another repository, in English, without
// prompts, and to its end. What git prints is read within bounds, and untrusted.
//
// Call [Find] for the binary, then the methods of a [Runner]. It knows how to ask
// git for its version, for configuration, refs and objects, and how to tell why a
// remote did not answer; what is done with the answers is the caller's.
package gitcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Error is a git process that failed. Code is its exit status, -1 when it
// was killed or could not be started.
type Error struct {
	Args   []string
	Stderr string // at most 4 KB, English, trimmed
	Code   int
	Err    error
}

func (e *Error) Error() string {
	what := e.Stderr
	if line, _, more := strings.Cut(what, "\n"); more {
		what = line
	}
	if what == "" && e.Err != nil {
		what = e.Err.Error()
	}
	return fmt.Sprintf("git %s: %s", e.Args[0], what)
}

func (e *Error) Unwrap() error { return e.Err }

// Runner runs the git binary for one repository, in an environment of its own.
// It is never changed once made, and is safe for concurrent use.
type Runner struct {
	Binary  string   // absolute
	Dir     string   // where git runs
	Env     []string // of every child, see [Env]
	Environ []string // the caller's own, for what may use the network
	Asked   *Asked   // keeps the version; nil asks each time
}

// Command is one run of git.
type Command struct {
	Args  []string
	Dir   string    // "" is where the runner runs
	Stdin io.Reader // nil is empty: a child never reads our stdin
	Env   []string  // added to the runner's environment
	Doing string    // what the run is for, such as "listing branches": an error begins with it; "" for none
	None  []int     // exit statuses that mean there is nothing to print: they are no errors
}

// NotThere is the exit status of a git that was asked about a revision or a log that is not there.
const NotThere = 128

// prepare builds the process. When ctx ends it is asked to end, so that git
// leaves no lock behind, and killed if that takes too long.
func (g *Runner) prepare(ctx context.Context, c Command) (*exec.Cmd, *output) {
	cmd := exec.CommandContext(ctx, g.Binary, c.Args...)
	cmd.Dir = c.Dir
	cmd.Dir = cmp.Or(cmd.Dir, g.Dir)
	cmd.Env = append(g.Env[:len(g.Env):len(g.Env)], c.Env...)
	cmd.Cancel = func() error { return terminate(cmd.Process) }
	cmd.WaitDelay = time.Second
	stderr := &output{limit: stderrCap}
	cmd.Stderr = stderr
	return cmd, stderr
}

// Run runs git to its end and returns its stdout, also when it fails. A git that
// prints too much is ended.
func (g *Runner) Run(ctx context.Context, c Command) ([]byte, error) {
	out, stderr, err := g.run(ctx, c, false)
	if err == nil {
		return out, nil
	}
	err = runError(ctx, c.Args, stderr, err)
	if slices.Contains(c.None, ExitCode(err)) {
		return nil, nil
	}
	if c.Doing != "" {
		err = fmt.Errorf("%s: %w", c.Doing, err)
	}
	return out, err
}

// Text is [Runner.Run] for a caller that wants nothing of what a git printed that failed.
func (g *Runner) Text(ctx context.Context, c Command) (string, error) {
	out, err := g.Run(ctx, c)
	if err != nil {
		return "", err
	}
	return string(out), nil
}

// Ask is [Runner.Text] for arguments alone; doing begins the text of an error.
func (g *Runner) Ask(ctx context.Context, doing string, args ...string) (string, error) {
	return g.Text(ctx, Command{Doing: doing, Args: args})
}

// Parts are the parts of what git prints with -z.
func Parts(out string) []string {
	return strings.FieldsFunc(out, func(c rune) bool { return c == 0 })
}

// Combined runs git to its end and returns what it printed, standard output and
// standard error together, also when it fails.
func (g *Runner) Combined(ctx context.Context, c Command) ([]byte, error) {
	out, _, err := g.run(ctx, c, true)
	return out, err
}

func (g *Runner) run(ctx context.Context, c Command, combined bool) ([]byte, *output, error) {
	life, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cmd, stderr := g.prepare(life, c)
	out := &output{limit: stdoutCap, full: stop}
	cmd.Stdin, cmd.Stdout = c.Stdin, out
	if combined {
		cmd.Stderr = out
	}
	err := cmd.Run()
	if out.over {
		err = errFlood
	}
	return out.buf.Bytes(), stderr, err
}

// runError types a failure. The context's own error comes first: "signal:
// killed" tells a user nothing.
func runError(ctx context.Context, args []string, stderr *output, err error) error {
	ge := &Error{Args: args, Stderr: strings.TrimSpace(stderr.buf.String()), Code: -1, Err: err}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		ge.Code = exit.ExitCode()
	}
	if ctx.Err() != nil {
		ge.Err, ge.Stderr = ctx.Err(), ""
	}
	return ge
}

// Said returns the standard error of the git process that err came from; "" otherwise.
func Said(err error) string {
	var ge *Error
	if errors.As(err, &ge) {
		return ge.Stderr
	}
	return ""
}

// ExitCode is the status of the git process that err came from; -1 otherwise.
func ExitCode(err error) int {
	var ge *Error
	if errors.As(err, &ge) {
		return ge.Code
	}
	return -1
}
