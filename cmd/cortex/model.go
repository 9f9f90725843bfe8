package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/curate"
)

// modelGrace is the time that the worker has for its own work, on top of the time
// for the user's command.
const modelGrace = 30 * time.Second

// startModel hands a session over to a process of its own, that the hook does
// not wait for.
func startModel(ctx context.Context, e *env, w *workspace.Workspace, agent string, p agents.HookPayload) {
	err := process.Detach(e.environ, e.exe, "-C", e.where(), "model-worker", "--agent", agent, "--session", p.SessionID,
		"--", p.TranscriptPath)
	if err != nil {
		w.Diary.Note(ctx, "model: starting the worker: %v", err)
	}
}

// modelWorkerOptions are the argument and the flags of model-worker.
type modelWorkerOptions struct {
	transcript, agent, session string
}

func newModelWorkerCommand(e *env) *cobra.Command {
	var opt modelWorkerOptions
	c := &cobra.Command{
		Use: "model-worker TRANSCRIPT", Short: "Have the command in cortex.llm read a session", Hidden: true,
		Args: args(1, 1),
		Long: `Started by a hook, in the background, if the user's git configuration names a
command as cortex.llm. The outcome is in the log.`,
		RunE: func(cmd *cobra.Command, files []string) error {
			opt.transcript = files[0]
			return runModelWorker(cmd.Context(), e, opt)
		},
	}
	c.Flags().StringVar(&opt.agent, "agent", "", "`AGENT` that wrote the transcript")
	c.Flags().StringVar(&opt.session, "session", "", "`ID` of the session")
	return c
}

func runModelWorker(ctx context.Context, e *env, opt modelWorkerOptions) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute+modelGrace)
	defer cancel()
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		out, err := curate.Run(ctx, w, curate.Options{
			Session: opt.session, Waiting: true,
			Transcript: e.file(opt.transcript), Home: e.home(),
		}, e.runModel)
		if errors.Is(err, curate.ErrNothingWaits) {
			w.Diary.Note(ctx, "curate: %v", err)
			return nil
		}
		if err != nil {
			w.Diary.Note(ctx, "curate: %v", err)
			return err
		}
		w.Diary.Note(ctx, "curate: %s", output.CuratedText(out))
		for _, r := range out.Refused {
			w.Diary.Note(ctx, "curate: refused %q: %s", r.Title, r.Reason)
		}
		return nil
	})
}

// runModel runs the user's command.
func (e *env) runModel(ctx context.Context, r curate.Command) ([]byte, error) {
	return process.Run(ctx, e.environ, r)
}
