package main

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/answer"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/doctor"
	"github.com/git-cortex/cortex/workspace/setup"
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
		Dir: e.where(), Environ: e.environ, Now: e.now, Version: version(),
		InGitHook: as.forGit, Once: as.once(), Ahead: as.reads || as.forGit,
		Named: e.json || as.named, Settings: as.hook, Global: e.globalStore(), Agent: e.agent(),
		Patience: as.patience,
	}
	if as.global {
		return workspace.OpenGlobal(ctx, in, as.makes)
	}
	return workspace.Open(ctx, in)
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
	return []string{"diff", "list", "log", "related", "sessions", "show", "topics", "why"}
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

// show prints an answer: the object where JSON was asked for, else the text.
func (e *env) show(object any, text func(p *console.Printer)) error {
	if e.json {
		return answer.Write(e.out, object)
	}
	text(e.printer())
	return nil
}

// agents reports whether an agent has started this process.
func (e *env) agents() bool { return e.agent() != "" }

// agent names the agent that has started this process, by what the shells of agents
// have in their environment; "" for none. Some give their commands a terminal.
func (e *env) agent() string {
	for _, a := range [][2]string{
		{"CLAUDECODE", "claude-code"},
		{"CODEX_SANDBOX", "codex"},
		{"CODEX_SANDBOX_NETWORK_DISABLED", "codex"},
		{"CODEX_THREAD_ID", "codex"}, // outside of its sandbox too
		{"COPILOT_CLI", "copilot-cli"},
		{"COPILOT_AGENT", "copilot-cli"}, // in the terminals of an editor
		{"CURSOR_AGENT", "cursor"},
		{"GEMINI_CLI", "gemini-cli"},
		{"OPENCODE", "opencode"},
	} {
		if e.getenv(a[0]) != "" {
			return a[1]
		}
	}
	return ""
}

func (e *env) errPrinter() *console.Printer {
	return &console.Printer{Out: e.err, Color: e.dialogue && e.colored(), Width: e.width, Whole: !e.dialogue}
}

// colored reports whether colours are wanted where there is a terminal.
func (e *env) colored() bool {
	return !e.noColor && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"
}

// binary is how git calls cortex from this clone: by its name when that finds
// this very program, else by its path alone.
func (e *env) binary() gitops.Binary {
	if found, err := exec.LookPath("cortex"); err == nil && filepath.IsAbs(found) && sameFile(found, e.exe) {
		return gitops.Binary{Name: "cortex", Path: found}
	}
	return gitops.Binary{Path: e.exe}
}

// foundByAgents is where the hooks of agents find cortex: on PATH or in one of the
// usual folders; "" for nowhere.
func (e *env) foundByAgents() string {
	if found, err := exec.LookPath("cortex"); err == nil {
		return found
	}
	for _, dir := range setup.UsualFolders(e.home()) {
		if found, err := exec.LookPath(filepath.Join(filepath.FromSlash(dir), "cortex")); err == nil {
			return found
		}
	}
	return ""
}

func sameFile(x, y string) bool {
	rx, errX := filepath.EvalSymlinks(x)
	ry, errY := filepath.EvalSymlinks(y)
	return errX == nil && errY == nil && rx == ry
}

// home is the user's home folder, "" when it is not known.
func (e *env) home() string {
	if h := e.getenv("HOME"); h != "" {
		return h
	}
	return e.getenv("USERPROFILE")
}

// globalStore is the folder of the user's own store: below XDG_DATA_HOME, or
// where the system keeps such data; "" when not even a home folder is known.
func (e *env) globalStore() string {
	data := e.getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) { // the specification has it ignored then
		home := e.getenv("HOME")
		switch runtime.GOOS {
		case "windows":
			home, data = "", e.getenv("LOCALAPPDATA")
		case "darwin":
			data = filepath.Join(home, "Library", "Application Support")
		default:
			data = filepath.Join(home, ".local", "share")
		}
		if home == "" && runtime.GOOS != "windows" || !filepath.IsAbs(data) {
			return ""
		}
	}
	return filepath.Join(data, "cortex", "global")
}

// watched reports whether somebody looks at how far a command is.
func (e *env) watched() bool { return e.dialogue && !e.quiet && !e.json }

// progress draws a bar on a terminal for what takes longer than a second; nil
// elsewhere.
func (e *env) progress(what string) func(done, total int) {
	if !e.watched() {
		return nil
	}
	start, p, shown := e.now(), e.errPrinter(), false
	return func(done, total int) {
		switch {
		case total == 0 || e.now().Sub(start) < time.Second:
		case done < total:
			shown = true
			p.Printf("\r%s %s%d/%d", what, console.Bar(int64(done), int64(total)), done, total)
		case shown:
			p.Raw(console.LineBegin)
		}
	}
}
