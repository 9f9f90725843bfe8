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

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/curate"
)

// Bounds of a hook: it must not be felt, and must end whatever happens.
const (
	hookDeadline   = 8 * time.Second
	payloadWait    = 2 * time.Second
	maxPayload     = 4 << 20 // bytes
	guardVariable  = "CORTEX_INTERNAL"
	hookExplain    = "For agents and git, not for people. Reads the payload of one event from standard\ninput, prints nothing or one JSON object, and always exits with 0. Errors go to\nthe log, and \"cortex status\" shows them."
	defaultHookFor = "claude-code"
)

// hookOptions are the argument and the flag of hook.
type hookOptions struct {
	event, agent string
}

func newHookCommand(e *env) *cobra.Command {
	var opt hookOptions
	c := &cobra.Command{
		Use: "hook EVENT", Short: "Entry point of agent and git hooks", Long: hookExplain, Hidden: true, Args: cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, events []string) error {
			if len(events) == 0 || e.getenv(guardVariable) != "" {
				return nil
			}
			opt.event = events[0]
			signal.Ignore(syscall.SIGPIPE) // nobody may listen any more
			ctx, cancel := context.WithTimeout(cmd.Context(), hookDeadline)
			defer cancel()
			runHook(ctx, e, opt)
			return nil
		},
	}
	c.Flags().StringVar(&opt.agent, "agent", defaultHookFor, "`AGENT` that calls")
	return c
}

// git reports whether git calls the hook, not an agent.
func (o hookOptions) git() bool { return o.event == "pre-commit" || o.event == "post-commit" }

// runHook does what an event asks for. Nobody is told of errors: they go to the
// log.
func runHook(ctx context.Context, e *env, opt hookOptions) {
	start := e.now()
	var payload agents.HookPayload
	var failed error
	if !opt.git() {
		payload, failed = readPayload(e.in)
	}
	w, err := openForHook(ctx, e, opt, payload.Cwd)
	if err != nil {
		return // not a repository: there is nobody to tell, and nothing to do
	}
	var out []byte
	switch {
	case failed != nil:
	case opt.git():
		failed = runGitHook(ctx, e, w, opt.event)
	default:
		if out, failed = agents.Hook(ctx, w, opt.event, opt.agent, payload); failed == nil && agents.IsHere(w, payload) && curate.Due(ctx, w, opt.event, payload.SessionID) {
			startModel(ctx, e, w, opt.agent, payload)
		}
	}
	failed = errors.Join(failed, w.Close())
	if w.Enabled(ctx) {
		for _, n := range w.TakeNotices() {
			w.Diary.Note(ctx, "hook %s: %s", opt.event, n)
		}
		w.Diary.Beat(ctx, opt.event, e.now().Sub(start), failed)
	}
	if len(out) > 0 {
		_, _ = fmt.Fprintf(e.out, "%s\n", out)
	}
}

// openForHook opens the workspace of the folder that the agent works in, unless
// -C names another, or the current one if that folder is gone.
func openForHook(ctx context.Context, e *env, opt hookOptions, cwd string) (*workspace.Workspace, error) {
	if cwd != "" && e.dirFlag == "" {
		e.dirFlag = cwd
	}
	as := opening{hook: true, forGit: opt.git(), reads: opt.event == "session-start" || opt.event == "user-prompt-submit"}
	w, err := e.open(ctx, as)
	if err != nil && e.dirFlag != "" && !opt.git() {
		e.dirFlag = ""
		w, err = e.open(ctx, as)
	}
	return w, err
}

func runGitHook(ctx context.Context, e *env, w *workspace.Workspace, event string) error {
	if event == "pre-commit" {
		out, err := w.PreCommit(ctx)
		if err == nil && len(out.Landed) > 0 {
			// Git shows what its hooks say on standard error.
			e.errPrinter().Printf("cortex: %s landed with this commit\n", console.Plural(len(out.Landed), "memory", "memories"))
		}
		return err
	}
	_, err := w.PostCommit(ctx)
	return err
}

// readPayload reads standard input with a cap and a deadline: a pipe knows none,
// so it is read beside, and left behind when it does not end.
func readPayload(in io.Reader) (agents.HookPayload, error) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
		done <- read{data, err}
	}()
	select {
	case r := <-done:
		switch {
		case r.err != nil:
			return agents.HookPayload{}, fmt.Errorf("reading the payload: %w", r.err)
		case len(r.data) > maxPayload:
			return agents.HookPayload{}, fmt.Errorf("the payload is over the limit of %d bytes", maxPayload)
		}
		return agents.ParseHookPayload(r.data)
	case <-time.After(payloadWait):
		return agents.HookPayload{}, fmt.Errorf("the payload did not end within %s", payloadWait)
	}
}
