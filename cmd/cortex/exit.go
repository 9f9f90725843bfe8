package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// Exit codes, as FORMAT.md and the help list them.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitProblems    = 3   // the command worked and found something wrong
	exitFallback    = 4   // a merge driver leaves the file to git
	exitNoRepo      = 10  // not a git repository
	exitInterrupted = 130 // Ctrl-C
)

// usageError is a mistake in how a command was called.
type usageError struct {
	err  error
	hint string
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &usageError{err: fmt.Errorf(format, args...)}
}

// hinted is an error together with what to type next.
type hinted struct {
	err  error
	hint string
}

func (e *hinted) Error() string { return e.err.Error() }
func (e *hinted) Unwrap() error { return e.err }

func withHint(err error, hint string) error { return &hinted{err, hint} }

// errProblems makes a command exit with 3 without printing anything more.
var errProblems = errors.New("problems found")

// report is the one place that prints an error. It returns the exit code.
func report(ctx context.Context, w io.Writer, err error, asJSON bool) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, errProblems) {
		return exitProblems
	}
	code, kind := classify(ctx, err)
	hint := hintFor(err)
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(map[string]string{"error": memory.Clean(err.Error()), "kind": kind, "hint": hint})
		return code
	}
	fmt.Fprintf(w, "cortex: %s\n", memory.Clean(err.Error()))
	for line := range strings.Lines(hint) {
		fmt.Fprintf(w, "hint: %s\n", strings.TrimRight(line, "\n"))
	}
	return code
}
