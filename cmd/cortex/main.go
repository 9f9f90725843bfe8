// Command cortex is memory as code for coding agents: it keeps what a session
// taught as Markdown files in the git repository, and finds it again.
//
// Each command has a file of its own; all of them are thin faces of package
// workspace. Only this package reads the environment, the clock and the
// standard streams.
package main

import (
	"context"
	"io"
	"os"
	"runtime/debug"
	"time"

	"golang.org/x/term"

	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
)

// streams is everything a command knows of the process it runs in.
type streams struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	environ  []string
	now      func() time.Time
	dir      string // the current directory
	exe      string // path of this program
	terminal bool   // standard output is one
	dialogue bool   // standard error is one: progress can be shown
	keyboard bool   // standard input is one too: a person can be asked
	width    int    // columns of the terminal
	alone    bool   // nothing else runs in the process, which ends after this
}

func main() {
	// A command lives for milliseconds: collecting garbage while it reads its
	// caches would cost it a fifth of them. The limit keeps long ones small.
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(96 << 20)
	os.Exit(mainCode(time.Now))
}

// mainCode runs the program by the given clock and returns its exit code.
func mainCode(now func() time.Time) int {
	process.AllowOwner()
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	exe, err := os.Executable()
	if err != nil {
		exe = "cortex"
	}
	s := &streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		getenv: os.Getenv, environ: os.Environ(), now: now, dir: dir, exe: exe,
		terminal: term.IsTerminal(int(os.Stdout.Fd())),
		dialogue: term.IsTerminal(int(os.Stderr.Fd())),
		width:    80,
		alone:    true,
	}
	s.keyboard = s.dialogue && term.IsTerminal(int(os.Stdin.Fd()))
	if s.terminal {
		if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w >= 40 {
			s.width = min(w, 120)
		}
	}
	return run(context.Background(), s, os.Args[1:])
}
