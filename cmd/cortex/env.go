package main

import (
	"context"
	"errors"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/doctor"
)

// env is one run of the program: the process it runs in, and the global flags.
// Commands get it beside their own options.
type env struct {
	*streams
	dirFlag string
	json    bool
	noColor bool
	quiet   bool

	unknown error // --help was asked for a command that is not there
}

// opening says what a workspace is opened for.
type opening struct {
	reads  bool // the memories, whatever happens
	global bool // the global store alone
	makes  bool // a global store where there is none
	forGit bool // git runs this process
	hook   bool // an agent or git calls
	named  bool // views say which tree they are of; JSON always does
	sweeps bool // temporary files of killed runs are removed

	patience time.Duration // of a hook, see [workspace.Env]
}

// once reports whether the workspace is open for one question alone.
func (as opening) once() bool { return as.reads || as.hook || as.forGit }

// open opens the workspace that a command is about.
func (e *env) open(ctx context.Context, as opening) (*workspace.Workspace, error) {
	if e.alone && as.once() {
		debug.SetGCPercent(-1) // what is read is wanted until the end; the limit of memory stays
	}
	in := workspace.Env{
		Dir: e.where(), Environ: e.environ, Now: e.now, Version: version(), Program: e.exe,
		InGitHook: as.forGit, Once: as.once(), Ahead: as.reads || as.forGit,
		Named: e.json || as.named, Settings: as.hook, Global: process.GlobalStore(e.getenv), Agent: e.agent(),
		Patience: as.patience,
	}
	if as.global {
		return workspace.OpenGlobal(ctx, in, as.makes)
	}
	return workspace.Open(ctx, in)
}

// within makes of do what cobra runs: with a workspace that is open for it, see [env.with].
func (e *env) within(as opening,
	do func(context.Context, *workspace.Workspace, []string) error,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, words []string) error {
		return e.with(cmd.Context(), as, func(w *workspace.Workspace) error { return do(cmd.Context(), w, words) })
	}
}

// with opens a workspace, runs do, prints what a person should hear, and closes
// the workspace.
func (e *env) with(ctx context.Context, as opening, do func(*workspace.Workspace) error) error {
	w, err := e.open(ctx, as)
	if err != nil {
		return err
	}
	err = do(w)
	if as.sweeps {
		doctor.Sweep(ctx, w)
	}
	if failed := w.Close(); failed != nil {
		// What the command did is done: without caches it only costs more.
		w.Notice("the caches could not be written: %v", failed)
	}
	if e.quiet {
		return err
	}
	for _, n := range w.TakeNotices() {
		if err != nil && strings.Contains(err.Error(), n) {
			continue // the error says it
		}
		e.errPrinter().Printf("cortex: %s\n", n)
	}
	return err
}

// pagedCommands print what may be longer than a terminal.
func pagedCommands() []string {
	return []string{
		"brief", "check", "diff", "graph", "list", "log", "plan", "recall", "related", "search", "sessions", "show",
		"stats",
		"topics", "why",
	}
}

// paged runs a command with its output in a pager, where a person reads it.
func (e *env) paged(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if !e.terminal || e.json {
			return run(cmd, args)
		}
		p := console.StartPager(e.environ, e.out, e.err)
		if p == nil {
			return run(cmd, args)
		}
		terminal := e.out
		e.out = p
		err := run(cmd, args)
		e.out = terminal
		return errors.Join(err, p.Close())
	}
}

// where is the folder that the program is to work in.
func (e *env) where() string {
	if e.dirFlag == "" {
		return e.dir
	}
	if filepath.IsAbs(e.dirFlag) {
		return e.dirFlag
	}
	return filepath.Join(e.dir, e.dirFlag)
}

// file is the path of a file that was named on the command line. -C does not
// move it: the shell completes names in the folder that it is in.
func (e *env) file(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.dir, name)
}

func (e *env) printer() *console.Printer {
	return &console.Printer{
		Out: e.out, Color: e.terminal && e.colored(), Width: e.width, Whole: !e.terminal,
		Fence: !e.quiet && (!e.terminal || e.agents()),
	}
}

// show prints an answer, unless finding it failed: the object where JSON was asked for, else the text.
func (e *env) show(failed error, object any, text func(p *console.Printer)) error {
	if failed != nil {
		return failed
	}
	if e.json {
		return answer.Write(e.out, object)
	}
	text(e.printer())
	return nil
}

// agents reports whether an agent has started this process.
func (e *env) agents() bool { return e.agent() != "" }

// agent names the agent that has started this process; "" for none.
func (e *env) agent() string { return process.Agent(e.getenv) }

func (e *env) errPrinter() *console.Printer {
	return &console.Printer{Out: e.err, Color: e.dialogue && e.colored(), Width: e.width, Whole: !e.dialogue}
}

// colored reports whether colours are wanted where there is a terminal.
func (e *env) colored() bool {
	return !e.noColor && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"
}

// binary is how git calls cortex from this clone.
func (e *env) binary() gitops.Binary { return process.Program(e.exe) }

// home is the user's home folder, "" when it is not known.
func (e *env) home() string { return process.Home(e.getenv) }

// watched reports whether somebody looks at how far a command is.
func (e *env) watched() bool { return e.dialogue && !e.quiet && !e.json }

// progress draws a bar on a terminal for what takes longer than a second; nil
// elsewhere.
func (e *env) progress(what string) func(done, total int) {
	if !e.watched() {
		return nil
	}
	return e.errPrinter().Progress(what, e.now)
}
