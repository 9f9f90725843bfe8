// Command cortex-hub searches the memories of many repositories for callers who may read some of them. It
// is a program of its own: nothing of cortex needs it.
//
// Each command has a function of its own over package hub. Only this package reads the environment, the
// clock and the standard streams.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// release is the version of the next release, as that of cortex.
const release = "0.1.0"

// program is everything a command knows of the process it runs in.
type program struct {
	in       io.Reader
	out, err io.Writer
	environ  []string
	now      func() time.Time
	store    string
	dir      string // where it was started; "" is the working folder
	json     bool
	serving  bool // the log is for programs
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := &program{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, environ: os.Environ(), now: time.Now,
		store: os.Getenv("CORTEX_HUB_STORE"),
	}
	code := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// oneLine is a text in which a server cannot have put anything that acts on a terminal or ends a line.
func oneLine(s string) string { return strings.Join(strings.Fields(memory.Clean(s)), " ") }

// cleanLine is a line that can act on no terminal. Its spaces stay.
func cleanLine(s string) string {
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(memory.Clean(s))
}
