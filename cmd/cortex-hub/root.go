package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/internal/usage"
	"github.com/git-cortex/cortex/internal/answer"
)

const rootLong = `cortex-hub follows the default branches of many repositories, and searches their
memories for callers, each of whom sees what their forge lets them read. Nothing
of cortex needs it. Git stays the store: the folder of a hub can be deleted, and
is made again from the repositories.

The folder is that of --store, else $CORTEX_HUB_STORE, else ./hub. Its settings
are the file hub.json in it; docs/hub.md has all of them.

Exit codes: 0 ok, 1 error, 2 wrong usage, 3 problems found.`

const rootExample = `  echo '{"forges": [{"name": "git"}]}' > hub/hub.json
  cortex-hub add git acme/web https://git.example.org/acme/web.git
  cortex-hub serve
  cortex-hub status --json`

// run executes one command line and returns the exit code.
func (p *program) run(ctx context.Context, args []string) int {
	p.json = slices.Contains(args, "--json") // also of a command line that is not understood
	root := newRoot(p)
	root.SetArgs(args)
	root.SetOut(p.out)
	root.SetErr(p.err)
	return p.report(root.ExecuteContext(ctx))
}

// newRoot returns the command of the program with all others.
func newRoot(p *program) *cobra.Command {
	root := &cobra.Command{
		Use: "cortex-hub", Short: "Search the memories of many repositories",
		Long: rootLong, Example: rootExample, Version: release, SilenceErrors: true, SilenceUsage: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{"a command is missing", "to see all: cortex-hub help"}
			}
			return unknown(cmd, args[0])
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	root.SuggestionsMinimumDistance = 2
	f := root.PersistentFlags()
	f.StringVar(&p.store, "store", cmp.Or(p.store, "hub"), "the folder of the hub is `DIR`")
	f.Lookup("store").DefValue = "" // it may be a folder of this machine, and help is the same on all
	f.BoolVar(&p.json, "json", false, "print one JSON object instead of text")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage.Flag(cmd, err, cmd.CommandPath()+" --help")
	})
	root.AddGroup(
		&cobra.Group{ID: "use", Title: "Set up and answer:"},
		&cobra.Group{ID: "check", Title: "Look after:"},
		&cobra.Group{ID: "ask", Title: "Ask a hub:"},
		&cobra.Group{ID: "govern", Title: "Govern:"})
	for _, c := range commands(p) {
		if c.ValidArgsFunction == nil {
			c.ValidArgsFunction = cobra.NoFileCompletions
		}
		root.AddCommand(c)
	}
	return root
}

// unknown is the mistake of a name that is no command.
func unknown(cmd *cobra.Command, name string) error {
	e := &usageError{fmt.Sprintf("unknown command %q", name), "to see all: cortex-hub help"}
	if close := cmd.SuggestionsFor(name); len(close) > 0 {
		e.hint = "did you mean: cortex-hub " + strings.Join(close, ", cortex-hub ")
	}
	return e
}

// exactly checks the number of arguments; a mistake is one of usage.
func exactly(least, most int) cobra.PositionalArgs { return usage.Args(least, most) }

// opening is a command that opens the hub before it does something.
type opening func(ctx context.Context, o *opened, args []string) error

// with opens the hub of the folder for a command, and closes it afterwards.
func (p *program) with(do opening) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		o, err := p.open(cmd.Context())
		if err != nil {
			return err
		}
		defer o.store.Close()
		return do(cmd.Context(), o, args)
	}
}

// plural is a number of things in words.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

func repositories(n int) string { return plural(n, "repository", "repositories") }

// say prints an answer: as JSON, or as the text that a function writes.
func (p *program) say(object any, text func()) error {
	if p.json {
		return answer.Write(p.out, object)
	}
	text()
	return nil
}

// printf prints a line of text that can hold what servers say.
func (p *program) printf(format string, args ...any) {
	fmt.Fprintf(p.out, "%s\n", strings.TrimRight(cleanLine(fmt.Sprintf(format, args...)), " "))
}
