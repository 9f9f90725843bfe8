package main

import (
	"context"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
)

// lateWait is how long the end of a transcript is waited for. What comes later is read at the
// start of the next session.
const lateWait = 10 * time.Second

// startLate has the end of a session read by a process of its own, that the hook does not
// wait for, where the agent writes it down after that hook.
func startLate(ctx context.Context, e *env, w *workspace.Workspace, p agents.HookPayload) {
	late := agents.UnwrittenOf(p)
	err := process.Detach(e.environ, e.exe, "-C", e.where(), "late-reader",
		"--agent", p.Agent, "--from", strconv.FormatInt(late.From, 10), "--", late.Session)
	if err != nil {
		w.Diary.Note(ctx, "starting to read the end of a session: %v", err)
	}
}

func newLateReaderCommand(e *env) *cobra.Command {
	var agent string
	var late agents.Unwritten
	c := &cobra.Command{
		Use: "late-reader SESSION", Short: "Read the end of a session once it is written", Hidden: true,
		Args: args(1, 1),
		Long: `Started by a hook, in the background, for an agent that writes the end of a
session after its last hook. The outcome is in the heartbeat.`,
		RunE: func(cmd *cobra.Command, sessions []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), lateWait)
			defer cancel()
			late.Session, late.Cwd = sessions[0], e.where()
			p, whole := late.Await(ctx, agents.Reporter{Agent: agent, Home: e.home(), Getenv: e.getenv})
			if !whole {
				return nil
			}
			start := e.now()
			return e.with(cmd.Context(), opening{}, func(w *workspace.Workspace) error {
				_, o := agents.Hook(cmd.Context(), w, "session-end", agent, p)
				agents.Beat(cmd.Context(), w, "session-end", e.now().Sub(start), o)
				return o.Err
			})
		},
	}
	c.Flags().StringVar(&agent, "agent", "", "`AGENT` whose session it is")
	c.Flags().Int64Var(&late.From, "from", 0, "`SIZE` of its transcript by now, in bytes")
	return c
}
