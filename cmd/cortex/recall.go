package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
)

// maxError is how much of an error is read from standard input, in bytes.
const maxError = 1 << 20

func newRecallCommand(e *env) *cobra.Command {
	var asked agents.Asked
	c := &cobra.Command{
		Use: "recall", Short: "Show what a hook would say at a moment, and why", Args: args(0, 0),
		Long: `Show what a hook would tell an agent at a moment of a session: when the user has
typed a prompt, when a command is about to run, when a file is about to be
opened or changed, when the code is about to be searched, when the agent is
about to ask the user, or when a call has failed. The scorer is the one of the
hooks, so that what they say, and what they keep to themselves, can be argued
with.

--explain lists every candidate with the parts of its score, and why a hook
would not say it: because its score is below the threshold of the moment, or
because the session taught it or was given it already (--session).`,
		Example: `  cortex recall --prompt "Why do we pin Go?"
  cortex recall --command "npm test" --explain
  cortex recall --file store/wal.go --json
  cortex recall --search 'openSegment'
  cortex recall --question "Which format for segment files?"
  npm test 2>&1 | cortex recall --command "npm test" --error -`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runRecall(cmd.Context(), e, asked) },
	}
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
	f.BoolVar(&asked.Explain, "explain", false, "show all candidates, what each score is made of, and why a hook would not say it")
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
		return &usageError{err: err, hint: "cortex recall --prompt TEXT, or --command, --file, --search, --question or --error"}
	case errors.Is(err, agents.ErrMoments):
		return &usageError{err: err, hint: "give --prompt, --command, --file, --search or --question; --error may stand beside --command or --file"}
	}
	return nil
}

func runRecall(ctx context.Context, e *env, asked agents.Asked) error {
	if err := describe(e, &asked); err != nil {
		return err
	}
	return e.with(ctx, opening{reads: true}, func(w *workspace.Workspace) error {
		said, err := agents.Recall(ctx, w, asked)
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, said)
		}
		printRecalled(e, said, asked.Explain)
		return nil
	})
}

// printRecalled shows what would be said, and with explain what would not.
func printRecalled(e *env, said *agents.Recalled, explain bool) {
	p := e.printer()
	if said.Off && !e.quiet {
		p.Printf("%s", p.Wrap("Hooks keep quiet at such moments here: recall in .cortex/config.yaml leaves them out.", ""))
	}
	if said.Spent && !e.quiet {
		p.Printf("%s", p.Wrap("This session is told no more but of calls that failed: it had as many tokens as a session gets.", ""))
	}
	if explain {
		p.Printf("%s\n\n", console.Dim(fmt.Sprintf("%s: said from %.2f on, at most %d", said.Moment, said.Threshold, said.Limit)))
	}
	spoke := false
	p.Evidence(func() {
		for i, h := range said.Memories {
			spoke = spoke || h.Speaks
			if i > 0 {
				p.Printf("\n")
			}
			printHit(p, &h, explain)
		}
	})
	if !spoke && !e.quiet {
		text := "A hook would say nothing."
		if !explain {
			text += " To see what came close: --explain"
		}
		p.Printf("%s\n", text)
	}
	if explain && said.Left.Superseded+said.Left.Received > 0 {
		p.Printf("\n%s", console.Dim(p.Wrap(fmt.Sprintf("Not considered: %d superseded, %d from others that nobody here accepted.", said.Left.Superseded, said.Left.Received), "")))
	}
}

// mostReasons is how many parts of a score are listed; the rest is one line.
const mostReasons = 8

func printHit(p *console.Printer, h *recall.Hit, explain bool) {
	const margin = "         "
	p.Printf("%s  %s\n", console.Bold(h.ID.Short()), p.Cut(string(h.Type)+", "+scoreText(h), p.Width-len(margin)))
	p.Printf("%s", p.Wrap(h.Line, margin))
	if !explain {
		return
	}
	rest := 0.0
	for i, r := range h.Why {
		if i >= mostReasons {
			rest += r.Weight
			continue
		}
		part := fmt.Sprintf("%s%6.2f  %s ", margin, r.Weight, console.Pad(r.Kind, 7))
		p.Printf("%s%s\n", console.Dim(part), console.Dim(p.Cut(r.Text, p.Width-len(part))))
	}
	if more := len(h.Why) - mostReasons; more > 0 {
		p.Printf("%s\n", console.Dim(fmt.Sprintf("%s%6.2f  %s", margin, rest, console.Plural(more, "smaller part", "smaller parts"))))
	}
}

func scoreText(h *recall.Hit) string {
	if h.Speaks {
		return fmt.Sprintf("said, %.2f", h.Score)
	}
	return fmt.Sprintf("not said, %.2f: %s", h.Score, h.Left)
}
