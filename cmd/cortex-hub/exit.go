package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/cmd/internal/usage"
	"github.com/git-cortex/cortex/gitops/mirror"
	"github.com/git-cortex/cortex/internal/answer"
)

// Exit codes, as the help lists them.
const (
	exitOK       = 0
	exitError    = 1
	exitUsage    = 2
	exitProblems = 3 // the command worked and found something wrong
)

// errProblems makes a command exit with 3 without printing anything more.
var errProblems = errors.New("problems were found")

// usageError is a mistake in how a command was called.
type usageError struct {
	text, hint string
}

func (e *usageError) Error() string { return e.text }

// report is the one place that prints an error. It returns the exit code.
func (p *program) report(err error) int {
	var ours *usageError
	var common *usage.Error
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errProblems):
		return exitProblems
	}
	fault, code := explain(err), exitError
	switch {
	case errors.As(err, &ours):
		fault.Kind, fault.Hint, code = answer.KindUsage, ours.hint, exitUsage
	case errors.As(err, &common):
		fault.Kind, fault.Hint, code = answer.KindUsage, common.Hint, exitUsage
	}
	if p.json {
		_ = answer.Write(p.err, fault)
		return code
	}
	fmt.Fprintf(p.err, "cortex-hub: %s\n", oneLine(fault.Error))
	for line := range strings.Lines(fault.Hint) {
		fmt.Fprintf(p.err, "hint: %s\n", strings.TrimRight(line, "\n"))
	}
	return code
}

// explain is an error as it is shown, with what to do about it.
func explain(err error) answer.Fault {
	fault := answer.Explain(err)
	for _, known := range []struct {
		err  error
		hint string
	}{
		{
			mirror.ErrAddress,
			`protocols other than https and ssh are named in hub.json: {"protocols": ["https", "ssh"]}`,
		},
		{mirror.ErrDenied, "user and token of the forge in hub.json are as whom the hub fetches"},
		{mirror.ErrUnreachable, "nothing is lost: it is tried again; cortex-hub status says what failed"},
		{mirror.ErrDamaged, "cortex-hub sweep --all makes it again"},
	} {
		if fault.Hint == "" && errors.Is(err, known.err) {
			fault.Hint = known.hint
		}
	}
	return fault
}
