package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/curate"
)

// modelGrace is the time that the worker has for its own work, on top of the time
// for the user's command.
const modelGrace = 30 * time.Second

// startModel hands a session over to a process of its own, that the hook does
// not wait for. It has no terminal, no streams and no group in common with it.
func startModel(ctx context.Context, e *env, w *workspace.Workspace, agent string, p agents.HookPayload) {
	c := exec.Command(e.exe, "-C", e.where(), "model-worker", "--agent", agent, "--session", p.SessionID, "--", p.TranscriptPath)
	c.Env = append(withoutGit(e.environ), guardVariable+"=1")
	c.Dir = os.TempDir()
	detach(c)
	if err := c.Start(); err != nil {
		w.Diary.Note(ctx, "model: starting the worker: %v", err)
		return
	}
	_ = c.Process.Release()
}

// withoutGit drops the variables by which git tells its children where they
// are: the worker is no child of git's.
func withoutGit(environ []string) []string {
	var out []string
	for _, e := range environ {
		if !strings.HasPrefix(e, "GIT_DIR=") && !strings.HasPrefix(e, "GIT_WORK_TREE=") && !strings.HasPrefix(e, "GIT_INDEX_FILE=") &&
			!strings.HasPrefix(e, guardVariable+"=") {
			out = append(out, e)
		}
	}
	return out
}

// modelWorkerOptions are the argument and the flags of model-worker.
type modelWorkerOptions struct {
	transcript, agent, session string
}

func newModelWorkerCommand(e *env) *cobra.Command {
	var opt modelWorkerOptions
	c := &cobra.Command{
		Use: "model-worker TRANSCRIPT", Short: "Have the command in cortex.llm read a session", Hidden: true, Args: args(1, 1),
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
		out, err := curate.Run(ctx, w, curate.Options{Session: opt.session, Waiting: true, Transcript: e.file(opt.transcript), Home: e.home()}, e.runModel)
		if errors.Is(err, curate.ErrNothingWaits) {
			w.Diary.Note(ctx, "curate: %v", err)
			return nil
		}
		if err != nil {
			w.Diary.Note(ctx, "curate: %v", err)
			return err
		}
		w.Diary.Note(ctx, "curate: %s", outcomeText(out))
		for _, r := range out.Refused {
			w.Diary.Note(ctx, "curate: refused %q: %s", r.Title, r.Reason)
		}
		return nil
	})
}

// runModel runs the user's command by the shell, as git does with the commands
// in its configuration: in an empty folder, in a process group of its own, and
// none of it outlives the time limit or its own end.
func (e *env) runModel(ctx context.Context, r curate.Command) ([]byte, error) {
	dir, err := os.MkdirTemp("", "cortex-model-")
	if err != nil {
		return nil, fmt.Errorf("running the model's command: %w", err)
	}
	defer os.RemoveAll(dir)
	// Children are told of this thread's end, not of the process's.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	adopt()
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	c := shell(ctx, r.Line)
	c.Dir, c.Env = dir, append(withoutGit(e.environ), guardVariable+"=1")
	c.Stdin = strings.NewReader(r.Input)
	out, said := &capped{limit: r.Limit, full: cancel}, &capped{limit: 4 << 10}
	c.Stdout, c.Stderr = out, said
	c.WaitDelay = 2 * time.Second
	group(c)
	c.Cancel = func() error { return killGroup(c.Process) }
	if err = c.Start(); err == nil {
		err = c.Wait()
		_ = killGroup(c.Process) // what it left in the background
		reap(true)
	}
	switch {
	case out.over:
		return nil, fmt.Errorf("running the model's command: its output is over %d bytes", r.Limit)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("running the model's command: it did not end within %s", r.Timeout)
	case c.ProcessState != nil && (c.ProcessState.ExitCode() == 127 || c.ProcessState.ExitCode() == 9009): // as shells say it
		return nil, answer.WithHint(fmt.Errorf("the program of cortex.llm is not there: %s", strings.TrimSpace(said.buf.String())),
			"install it, put it on PATH, or choose another: cortex init --curate "+strings.Join(curate.PresetNames(), "|"))
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return nil, fmt.Errorf("running the model's command: %w: %s", err, strings.TrimSpace(said.buf.String()))
	}
	return out.buf.Bytes(), nil
}

// capped keeps the first bytes that are written to it; full is called when
// there are more.
type capped struct {
	buf   bytes.Buffer
	limit int
	over  bool
	full  func()
}

func (c *capped) Write(p []byte) (int, error) {
	room := c.limit - c.buf.Len()
	if len(p) <= room {
		return c.buf.Write(p)
	}
	c.buf.Write(p[:max(room, 0)])
	c.over = c.full != nil
	if c.full != nil {
		c.full()
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}
