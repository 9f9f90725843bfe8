package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/branches"
	"github.com/git-cortex/cortex/workspace/curate"
	"github.com/git-cortex/cortex/workspace/doctor"
)

// Bounds of a hook: it must not be felt, and must end whatever happens.
const (
	hookDeadline = 8 * time.Second // then it is asked to end
	hookGrace    = 1500 * time.Millisecond
	hookOutput   = 8 << 10 // bytes
	payloadWait  = 2 * time.Second
	maxPayload   = 4 << 20 // bytes
	hookExplain  = "For agents and git, not for people. Reads the payload of one event from standard\n" +
		"input, prints nothing or one JSON object, and always exits with 0. Errors go to\n" +
		"the log, and \"cortex status\" shows them."
	defaultHookFor = "claude-code"
)

// hookOptions are the argument and the flag of hook.
type hookOptions struct {
	event, agent string
}

func newHookCommand(e *env) *cobra.Command {
	var opt hookOptions
	c := &cobra.Command{
		Use: "hook EVENT", Short: "Entry point of agent and git hooks", Long: hookExplain, Hidden: true,
		Args: cobra.ArbitraryArgs, FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, events []string) error {
			if len(events) == 0 {
				return nil
			}
			opt.event = events[0]
			opt.agent = strings.TrimRight(opt.agent, ";") // cmd.exe knows no semicolon
			signal.Ignore(syscall.SIGPIPE)                // nobody may listen any more
			runWatched(cmd.Context(), e, opt)             // how it ended is in the heartbeat
			return nil
		},
	}
	c.Flags().StringVar(&opt.agent, "agent", defaultHookFor, "`AGENT` that calls")
	return c
}

// git reports whether git calls the hook, not an agent.
func (o hookOptions) git() bool {
	return slices.Contains([]string{"pre-commit", "post-commit"}, o.event)
}

// reads reports whether the hook answers from memories.
func (o hookOptions) reads() bool {
	switch o.event {
	case "session-start", "user-prompt-submit", "subagent-start":
		return true
	}
	return o.atCall()
}

// limits are when the hook is asked to end, and how long after that it is given up.
// Codex waits for one second when a session ends, and then kills it.
func (o hookOptions) limits() (deadline, grace time.Duration) {
	if o.event == "session-end" && o.agent == "codex" {
		return 750 * time.Millisecond, 150 * time.Millisecond
	}
	return hookDeadline, hookGrace
}

// hookRun is a hook under way.
type hookRun struct {
	*env
	opt   hookOptions
	start time.Time
	here  string                              // the folder of the process, or that of -C
	cwd   atomic.Pointer[string]              // that an agent named, once it was read
	open  atomic.Pointer[workspace.Workspace] // once it is
}

// runWatched runs a hook, which prints its answer, and leaves off when it does not
// end in time, whatever it waits for: git, a lock, a file that is none, or a
// reader of its output. Then no process of its own stays behind. It returns how the
// hook ended.
func runWatched(ctx context.Context, e *env, opt hookOptions) agents.Outcome {
	if e.getenv(process.Guard) != "" {
		return agents.Nested()
	}
	process.Adopt()
	deadline, grace := opt.limits()
	limited, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	h := &hookRun{env: e, opt: opt, start: e.now(), here: e.where()}
	done := make(chan agents.Outcome, 1)
	go func() { done <- h.run(limited) }()
	late := time.NewTimer(deadline + grace)
	defer late.Stop()
	var o agents.Outcome
	select {
	case o = <-done:
	case <-late.C:
		o = agents.Late(fmt.Errorf("it did not end within %s", deadline+grace))
		h.tell(ctx, o)
	}
	if limited.Err() != nil {
		process.Reap(false)
	}
	return o
}

// say prints an answer. One that is longer than an agent may be given is none.
func (h *hookRun) say(out []byte) error {
	if len(out) == 0 {
		return nil
	}
	if len(out) >= hookOutput {
		return fmt.Errorf("the answer of %d bytes is longer than an agent may be given", len(out))
	}
	if _, err := fmt.Fprintf(h.out, "%s\n", out); err != nil {
		return fmt.Errorf("handing over the answer: %w", err)
	}
	return nil
}

// tell leaves word of a hook that was given up. It may be the log that it waits
// for, so this does not wait long either.
func (h *hookRun) tell(ctx context.Context, o agents.Outcome) {
	told := make(chan struct{})
	go func() {
		defer close(told)
		if w := h.open.Load(); w != nil {
			agents.Beat(ctx, w, h.opt.event, h.now().Sub(h.start), o)
			return
		}
		h.beatClosed(ctx, o)
	}()
	select {
	case <-told:
	case <-time.After(200 * time.Millisecond):
	}
}

// run does what an event asks for, prints the answer, and leaves word of how it ended:
// nobody else is told of errors.
func (h *hookRun) run(ctx context.Context) agents.Outcome {
	var payload agents.HookPayload
	var failed error
	if !h.opt.git() {
		payload, failed = h.payload()
	}
	if h.dirFlag == "" {
		h.cwd.Store(&payload.Cwd)
	}
	var ending agents.Ending
	if failed == nil && !h.opt.git() && !h.elsewhere() {
		if o, done := h.quickly(ctx, payload); done {
			return o
		}
		ending = agents.EndingOf(h.folder(), h.opt.event, payload, h.environ, h.now)
		if ending.Answered() {
			return ending.Beat(ctx, h.opt.event, h.now().Sub(h.start))
		}
	}
	ctx, stop := process.Interruptible(ctx)
	defer stop()
	w, err := openForHook(ctx, h.env, h.opt, payload.Cwd)
	if err != nil {
		return h.refused(ctx, err)
	}
	h.open.Store(w)
	out, o := h.answer(ctx, w, payload, failed)
	closed := w.Close()
	said := h.say(out)
	if o.Silent() {
		return o
	}
	o = o.And(closed).And(said).Known(ctx)
	notices := w.TakeNotices()
	for _, n := range notices {
		w.Diary.Note(ctx, "hook %s: %s", h.opt.event, n)
	}
	if len(notices) == 0 && curate.SettingsOf(ctx, w).Command == "" {
		ending.KeepAnswered(w, o)
	}
	agents.Beat(ctx, w, h.opt.event, h.now().Sub(h.start), o)
	return o
}

// payload reads what the agent says of the event.
func (h *hookRun) payload() (agents.HookPayload, error) {
	data, err := process.ReadPipe(h.in, maxPayload, payloadWait)
	if err != nil {
		return agents.HookPayload{}, err
	}
	return agents.Reporter{Agent: h.opt.agent, Home: h.home(), Getenv: h.getenv}.Read(data)
}

// quickly answers hooks that run before every command, from a file, if that can be. They write no
// heartbeat, but one that failed.
func (h *hookRun) quickly(ctx context.Context, payload agents.HookPayload) (o agents.Outcome, done bool) {
	if !h.opt.atCall() && h.opt.event != "pre-compact" {
		return o, false
	}
	out, done := agents.QuickHook(h.folder(), h.opt.event, payload, h.now)
	if !done {
		return o, false
	}
	o = agents.Told(out, h.say(out))
	if o.Err != nil {
		h.beatClosed(ctx, o)
	}
	return o, true
}

// answer does what an event asks for in an opened project. Of a payload that could not
// be read, failed says why.
func (h *hookRun) answer(ctx context.Context, w *workspace.Workspace, payload agents.HookPayload,
	failed error,
) ([]byte, agents.Outcome) {
	enabled, err := w.Enabled(ctx)
	switch {
	case err != nil:
		return nil, agents.CannotTell(err)
	case !enabled && h.isIdle(failed):
		return nil, agents.NotSetUp()
	case failed != nil:
		return nil, agents.Refuse(failed)
	case h.opt.git():
		return nil, runGitHook(ctx, h.env, w, h.opt.event)
	}
	out, o := agents.Hook(ctx, w, h.opt.event, h.opt.agent, payload)
	if agents.EndsLate(h.opt.event, payload) {
		startLate(ctx, h.env, w, payload)
	}
	if o.Err == nil && h.isModelDue(ctx, w, payload) {
		startModel(ctx, h.env, w, h.opt.agent, payload)
	}
	return out, o
}

// isIdle reports whether a hook has nothing to do where cortex is not set up.
func (h *hookRun) isIdle(failed error) bool { return failed != nil || h.opt.git() }

// isModelDue reports whether a model is to read the session now.
func (h *hookRun) isModelDue(ctx context.Context, w *workspace.Workspace, payload agents.HookPayload) bool {
	return agents.IsHere(w, payload) && curate.Due(ctx, w, h.opt.event, payload.SessionID)
}

// atCall reports whether the hook runs at every call of a tool.
func (o hookOptions) atCall() bool {
	return strings.Contains(o.event, "-tool-use")
}

// folder is where an event happened.
func (h *hookRun) folder() string {
	if cwd := h.cwd.Load(); cwd != nil && *cwd != "" {
		return *cwd
	}
	return h.here
}

// elsewhere reports whether the environment names a repository, which need not be that
// of the folder.
func (h *hookRun) elsewhere() bool {
	return h.getenv("GIT_DIR") != "" || h.getenv("GIT_COMMON_DIR") != ""
}

// beatClosed leaves word of a hook that could not open the project, where cortex was
// set up. Git tells its hooks where its repository is, and calls them in it.
func (h *hookRun) beatClosed(ctx context.Context, o agents.Outcome) {
	if h.opt.git() || !h.elsewhere() {
		agents.BeatClosed(ctx, h.folder(), h.opt.event, h.start, h.now, o)
	}
}

// refused is how a hook ends where no repository could be opened. The log says why if
// there is one. Where it cannot be written, the error goes to standard error and, at the
// start of a session, to the agent.
func (h *hookRun) refused(ctx context.Context, err error) agents.Outcome {
	o := agents.Fail(err).Known(ctx)
	var link *gitops.CacheLinkError
	if !errors.As(err, &link) {
		h.beatClosed(context.WithoutCancel(ctx), o)
		return o
	}
	fault := answer.Explain(err)
	said := fault.Error + "; " + fault.Hint
	h.errPrinter().Printf("cortex: %s\n", said)
	if h.opt.event != "session-start" {
		return o
	}
	out, _ := agents.Say(h.opt.agent,
		"Cortex, the memory of this project, does not work in this clone, and the user can mend that: "+said)
	return o.And(h.say(out))
}

// openForHook opens the workspace of the folder that the agent works in, unless
// -C names another, or the current one if that folder is gone.
func openForHook(ctx context.Context, e *env, opt hookOptions, cwd string) (*workspace.Workspace, error) {
	e.dirFlag = cmp.Or(e.dirFlag, cwd)
	deadline, _ := opt.limits()
	patience := deadline * 5 / 8 // the rest is for the answer
	as := opening{hook: true, forGit: opt.git(), reads: opt.reads(), patience: patience}
	w, err := e.open(ctx, as)
	if err == nil || e.dirFlag == "" || opt.git() {
		return w, err
	}
	// Git may do better now, and another folder is of no use then.
	if _, git := errors.AsType[*gitops.GitError](err); !git {
		e.dirFlag = ""
	}
	return e.open(ctx, as)
}

// runGitHook does the work of a hook of git's in a clone that is set up.
func runGitHook(ctx context.Context, e *env, w *workspace.Workspace, event string) agents.Outcome {
	if event == "pre-commit" {
		out, err := w.PreCommit(ctx)
		if err != nil {
			return agents.Fail(err)
		}
		out.KeepRest(ctx)
		lines := slices.Concat(output.Landed(out), doctor.StagedTemplates(ctx, w), doctor.StagedSurfaces(ctx, w))
		for _, line := range lines { // git shows what its hooks say on standard error
			e.errPrinter().Printf("cortex: %s\n", line)
		}
		return agents.Served(len(out.Landed), nil)
	}
	pruned, err := w.PostCommit(ctx)
	if err != nil {
		return agents.Fail(err)
	}
	moved, err := branches.FollowMerges(ctx, w)
	return agents.Served(pruned+moved, err)
}
