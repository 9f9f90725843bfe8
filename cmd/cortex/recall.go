package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
)

// maxError is how much of an error is read from standard input, in bytes.
const maxError = 1 << 20

func newRecallCommand(e *env) *cobra.Command {
	var asked agents.Asked
	var hub hubOptions
	c := &cobra.Command{
		Use: "recall", Short: "Show what a hook would say at a moment, and why", Args: args(0, 0),
		Long: `Show what a hook would tell an agent at a moment of a session: when the user has
typed a prompt, when a command is about to run, when a file is about to be
opened or changed, when the code is about to be searched, when the agent is
about to ask the user, or when a call has failed. The scorer is the one of the
hooks, so that what they say, and what they keep to themselves, can be argued
with.

--explain lists every candidate with the parts of its score, and why a hook
would not say it: because its score is below the threshold of the moment or far
below the best, or because the session taught it or was given it already
(--session).

With --hub and --error: who else met this error, in the repositories that you
may read at the hub, and how they came past it. What its lines quote, paths,
addresses and numbers are not sent.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := hub.check(cmd, "error"); err != nil {
				return err
			}
			if err := describe(e, &asked); err != nil {
				return err
			}
			here := func() error { return runRecall(cmd.Context(), e, asked) }
			if hub.ask {
				ask := func(to *client.Client) (client.Told, error) {
					return to.Who(cmd.Context(), strings.Join(agents.Signatures(asked.Error), "\n"))
				}
				return hub.answer(cmd.Context(), e, ask, here)
			}
			return here()
		},
	}
	hubFlags(c, &hub)
	f := c.Flags()
	for _, d := range agents.Moments() {
		f.StringVar(d.In(&asked), d.Name(), "", d.Text)
		if d.Kind == recall.File {
			_ = c.MarkFlagFilename(d.Name())
			continue
		}
		_ = c.RegisterFlagCompletionFunc(d.Name(), cobra.NoFileCompletions)
	}
	f.StringVar(&asked.Session, "session", "", "answer as for the session `ID`")
	f.BoolVar(&asked.Explain, "explain", false,
		"show all candidates, what each score is made of, and why a hook would not say it")
	_ = c.RegisterFlagCompletionFunc("session", cobra.NoFileCompletions)
	return c
}

// describe checks what was asked, and reads what stands in standard input.
func describe(e *env, asked *agents.Asked) error {
	if asked.Error == "-" {
		data, err := io.ReadAll(io.LimitReader(e.in, maxError))
		if err != nil {
			return fmt.Errorf("reading the error: %w", err)
		}
		if asked.Error = strings.TrimSpace(string(data)); asked.Error == "" {
			return usagef("standard input holds no error")
		}
	}
	switch err := asked.Check(); {
	case errors.Is(err, agents.ErrNoMoment):
		return &usageError{
			Err: err, Hint: "cortex recall --prompt TEXT, or --command, --file, --search, --question or --error",
		}
	case errors.Is(err, agents.ErrMoments):
		return &usageError{Err: err, Hint: "give --prompt, --command, --file, --search or --question; " +
			"--error may stand beside --command or --file"}
	}
	return nil
}

func runRecall(ctx context.Context, e *env, asked agents.Asked) error {
	return e.with(ctx, opening{reads: true}, func(w *workspace.Workspace) error {
		said, err := agents.Recall(ctx, w, asked)
		return e.show(err, said, func(p *console.Printer) { output.Recalled(p, said, asked.Explain, e.quiet) })
	})
}
