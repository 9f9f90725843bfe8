package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/doctor"
	"github.com/git-cortex/cortex/workspace/setup"
)

// doctorOptions are the flags of doctor.
type doctorOptions struct {
	fix bool
	all bool // show the checks that found nothing too
}

func newDoctorCommand(e *env) *cobra.Command {
	var opt doctorOptions
	c := &cobra.Command{
		Use: "doctor", Short: "Find problems in this clone, and repair them with --fix", Args: args(0, 0),
		Long: `Check the set-up, settings, journal, locks, memories, generated pages and
index. Each finding says what is wrong and what to type. Exit code 3 means that
there are findings. --fix repairs what belongs to Cortex, or can be repaired
without losing anything, and says what it did: for example, it renders pages
that a plain merge left behind, and combines both sides of a memory with
conflict markers.

Where the repository has a pre-commit hook that does more than call Cortex,
doctor runs it on a commit that brings a memory, for a minute at most, in a
clone of its own that is then removed, and names the tool that refuses or
changes such a commit.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), e, opt) },
	}
	c.Flags().BoolVar(&opt.all, "all", false, "list the checks that found nothing too")
	c.Flags().BoolVar(&opt.fix, "fix", false, "repair what can be repaired without losing anything")
	return c
}

func runDoctor(ctx context.Context, e *env, opt doctorOptions) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		checks, err := checksOf(ctx, e, w, opt.fix)
		if err != nil {
			return err
		}
		checks = append(checks, setup.TryCommit(ctx, w))
		all := answer.NewChecks(checks)
		err = e.show(nil, all, func(p *console.Printer) { output.Checks(p, checks, opt.all, e.quiet) })
		if err == nil && all.Problems > 0 {
			return errProblems
		}
		return err
	})
}

// checksOf looks at everything that can be wrong, and with fix repairs what it can.
func checksOf(ctx context.Context, e *env, w *workspace.Workspace, fix bool) ([]workspace.Check, error) {
	checks, err := doctor.Run(ctx, w, fix)
	if err != nil {
		return checks, err
	}
	if enabled, err := w.Enabled(ctx); err != nil || !enabled {
		return checks, nil //nolint:nilerr // the first of the checks says so
	}
	more, err := setup.Check(ctx, w, setup.Options{
		Binary: e.binary(), Found: process.FoundByAgents(e.home()), Home: setup.Home{Dir: e.home(), Getenv: e.getenv},
	}, fix)
	return append(checks, more...), err
}
