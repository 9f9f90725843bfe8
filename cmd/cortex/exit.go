package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
	"github.com/git-cortex/cortex/cmd/internal/usage"
	"github.com/git-cortex/cortex/internal/answer"
)

// Exit codes, as docs/json.md and the help list them.
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
type usageError = usage.Error

func usagef(format string, args ...any) error {
	return &usageError{Err: fmt.Errorf(format, args...)}
}

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
	if ended := (*process.Ended)(nil); errors.As(err, &ended) {
		return ended.Code
	}
	code, fault := classify(ctx, err)
	if asJSON {
		_ = answer.Write(w, fault)
		return code
	}
	fmt.Fprintf(w, "cortex: %s\n", fault.Error)
	for line := range strings.Lines(fault.Hint) {
		fmt.Fprintf(w, "hint: %s\n", strings.TrimRight(line, "\n"))
	}
	return code
}

// isMistake reports whether cobra complains of how a command was called.
func isMistake(said string) bool {
	return strings.HasPrefix(said, "unknown command") || strings.HasPrefix(said, "if any flags in the group")
}

// classify tells the exit code of an error, and how it is shown.
func classify(ctx context.Context, err error) (code int, fault answer.Fault) {
	fault = answer.Explain(err)
	var wrong *usageError
	var fall *fallback
	if errors.As(err, &wrong) {
		fault.Hint = wrong.Hint
	}
	switch {
	case errors.As(err, &fall):
		fault.Kind = "fallback"
		return exitFallback, fault
	case ctx.Err() != nil || fault.Kind == answer.KindInterrupted:
		fault.Kind = answer.KindInterrupted
		return exitInterrupted, fault
	case wrong != nil, fault.Kind == answer.KindUsage, isMistake(err.Error()):
		fault.Kind = answer.KindUsage
		return exitUsage, fault
	case fault.Kind == answer.KindNoRepo:
		return exitNoRepo, fault
	case fault.Kind == answer.KindMassRemoval, fault.Kind == answer.KindNotAgreed:
		return exitProblems, fault
	}
	return exitError, fault
}
