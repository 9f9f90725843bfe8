package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
)

// Bounds of a hook: it must not be felt, and must end whatever happens.
const (
	hookDeadline   = 8 * time.Second
	payloadWait    = 2 * time.Second
	maxPayload     = 4 << 20 // bytes
	guardVariable  = "CORTEX_INTERNAL"
	hookExplain    = "For agents and git, not for people: reads the payload of one event from standard\ninput, prints nothing or one JSON object, and always exits with 0. What went\nwrong is in the log and in \"cortex status\"."
	defaultHookFor = "claude-code"
)

func (a *env) hookCommand() *cobra.Command {
	agent := ""
	c := &cobra.Command{
		Use: "hook EVENT", Short: "Entry of agent and git hooks", Long: hookExplain, Hidden: true, Args: cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, events []string) error {
			if len(events) == 0 || a.getenv(guardVariable) != "" {
				return nil
			}
			signal.Ignore(syscall.SIGPIPE) // nobody may listen any more
			ctx, cancel := context.WithTimeout(cmd.Context(), hookDeadline)
			defer cancel()
			a.runHook(ctx, events[0], agent)
			return nil
		},
	}
	c.Flags().StringVar(&agent, "agent", defaultHookFor, "the agent that calls")
	return c
}

func (a *env) runHook(ctx context.Context, event, agent string) {
	start := a.now()
	gitHook := event == "pre-commit" || event == "post-commit"
	var payload workspace.HookPayload
	var failed error
	if !gitHook {
		payload, failed = a.payload()
	}
	if payload.Cwd != "" && a.dirFlag == "" {
		a.dirFlag = payload.Cwd
	}
	as := opening{hook: true, forGit: gitHook, reads: event == "session-start" || event == "user-prompt-submit"}
	w, err := a.open(ctx, as)
	if err != nil && a.dirFlag != "" && !gitHook {
		a.dirFlag = "" // the folder of the payload may be gone
		w, err = a.open(ctx, as)
	}
	if err != nil {
		return // not a repository: there is nobody to tell, and nothing to do
	}
	var out []byte
	switch {
	case failed != nil:
	case gitHook:
		failed = a.gitHook(ctx, w, event)
	default:
		out, failed = w.AgentHook(ctx, event, agent, payload)
	}
	if failed == nil && !gitHook && w.ModelDue(ctx, event, payload) {
		a.startModel(ctx, w, agent, payload)
	}
	failed = errors.Join(failed, w.Close())
	if w.Enabled(ctx) {
		for _, n := range w.TakeNotices() {
			w.Note(ctx, "hook %s: %s", event, n)
		}
		w.Beat(ctx, event, a.now().Sub(start), failed)
	}
	if len(out) > 0 {
		_, _ = fmt.Fprintf(a.out, "%s\n", out)
	}
}

func (a *env) gitHook(ctx context.Context, w *workspace.Workspace, event string) error {
	if event == "pre-commit" {
		out, err := w.PreCommit(ctx)
		if err == nil && len(out.Landed) > 0 {
			// Git shows what its hooks say on standard error.
			a.errPrinter().printf("cortex: %s landed with this commit\n", plural(len(out.Landed), "memory", "memories"))
		}
		return err
	}
	_, err := w.PostCommit(ctx)
	return err
}

// payload reads standard input with a cap and a deadline: a pipe knows none,
// so it is read beside, and left behind when it does not end.
func (a *env) payload() (workspace.HookPayload, error) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(a.in, maxPayload+1))
		done <- read{data, err}
	}()
	select {
	case r := <-done:
		switch {
		case r.err != nil:
			return workspace.HookPayload{}, fmt.Errorf("reading the payload: %w", r.err)
		case len(r.data) > maxPayload:
			return workspace.HookPayload{}, fmt.Errorf("the payload is over the limit of %d bytes", maxPayload)
		}
		return workspace.ParseHookPayload(r.data)
	case <-time.After(payloadWait):
		return workspace.HookPayload{}, fmt.Errorf("the payload did not end within %s", payloadWait)
	}
}
