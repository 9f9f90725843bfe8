// Command cortex-hub searches the memories of many repositories for callers who may read some of them. It
// is a program of its own: nothing of cortex needs it.
//
// Each command has a function of its own over package hub. Only this package reads the environment, the
// clock and the standard streams.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/git-cortex/cortex/memory"
)

const usage = `Usage: cortex-hub [-store DIR] COMMAND

  add FORGE NAME URL   put a repository into the hub
  serve                answer callers, and follow the repositories
  sweep [-all]         look at the repositories that are due, or at all, and end
  status               how far each repository is read
  rebuild NAME         read a repository again as if for the first time
  verify               compare what the hub holds with the mirrors
  login [URL]          say who you are at a hub, for cortex search --hub

The folder of the hub is that of -store, else $CORTEX_HUB_STORE, else ./hub. Its
settings are the file hub.json in it: see docs/hub.md.
Exit codes: 0 ok, 1 error, 2 wrong usage, 3 problems found.
`

// program is everything a command knows of the process it runs in.
type program struct {
	out, err io.Writer
	environ  []string
	now      func() time.Time
	store    string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := &program{
		out: os.Stdout, err: os.Stderr, environ: os.Environ(), now: time.Now, store: os.Getenv("CORTEX_HUB_STORE"),
	}
	code := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// Errors that decide about the exit code.
var (
	errUsage    = errors.New("wrong usage")
	errProblems = errors.New("problems were found")
)

// run executes one command line and returns the exit code.
func (p *program) run(ctx context.Context, args []string) int {
	err := p.command(ctx, args)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(p.out, usage)
		return 0
	case errors.Is(err, errUsage):
		fmt.Fprint(p.err, usage)
		return 2
	case errors.Is(err, errProblems):
		return 3
	}
	fmt.Fprintf(p.err, "cortex-hub: %s\n", oneLine(err.Error()))
	return 1
}

// note writes a line of the log.
func (p *program) note(line string) {
	fmt.Fprintf(p.err, "%s %s\n", p.now().UTC().Format(time.RFC3339), oneLine(line))
}

// oneLine is a text in which a server cannot have put anything that acts on a terminal or ends a line.
func oneLine(s string) string { return strings.Join(strings.Fields(memory.Clean(s)), " ") }

func (p *program) command(ctx context.Context, args []string) error {
	if p.store == "" {
		p.store = "hub"
	}
	f := flag.NewFlagSet("cortex-hub", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&p.store, "store", p.store, "")
	err := f.Parse(args)
	if errors.Is(err, flag.ErrHelp) || f.Arg(0) == "help" {
		return flag.ErrHelp
	}
	if err != nil || f.NArg() == 0 {
		return errUsage
	}
	if f.Arg(0) == "login" { // at a hub that is elsewhere
		return p.login(ctx, f.Args()[1:])
	}
	do, ok := commands()[f.Arg(0)]
	if !ok {
		return errUsage
	}
	h, err := p.open(ctx)
	if err != nil {
		return err
	}
	defer h.store.Close()
	return do(ctx, h, f.Args()[1:])
}

// command does the work of one command line behind its name.
type command func(ctx context.Context, h *opened, args []string) error

func commands() map[string]command {
	return map[string]command{
		"add": add, "serve": serve, "sweep": sweep, "status": status, "rebuild": rebuild, "verify": verify,
	}
}
