package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/reset"
)

func newResetCommand(e *env) *cobra.Command {
	var opt reset.Options
	var undo, yes bool
	c := &cobra.Command{
		Use: "reset [SNAPSHOT]", Short: "Clear what is pending, or the whole project; can be undone", Args: args(0, 1),
		Long: `Clear the memories that are pending, on all branches, and how often memories
were recalled. With --project also remove the memory files of the working tree
(commit that like any other edit), what is known of sessions, and what was
refused. Sessions that were read are not read again. Set-up and settings stay.
The next "cortex sync" takes what was cleared from the remote and from other
clones too. What came from them stays here, unless --received says that it goes
everywhere; so do refusals that a remote has. You are told what would go and
asked first; without a terminal --yes says so. An agent cannot reset anything.

Everything is kept in a snapshot first, below refs/cortex/snapshots. --undo
brings it back from the newest one, or from SNAPSHOT; it only adds. To delete a
snapshot for good: git update-ref -d REF.`,
		RunE: func(cmd *cobra.Command, names []string) error {
			if len(names) > 0 && !undo {
				return &usageError{
					Err:  errors.New("reset: a snapshot is for --undo"),
					Hint: "cortex reset --undo " + names[0],
				}
			}
			if undo {
				return runResetUndo(cmd.Context(), e, append(names, "")[0], opt.DryRun)
			}
			return runReset(cmd.Context(), e, opt, yes)
		},
	}
	c.Flags().BoolVar(&opt.Project, "project", false, "also remove landed memories, session records and refusals")
	c.Flags().BoolVar(&opt.Received, "received", false, "also what other clones brought; a sync takes it from them")
	c.Flags().BoolVar(&opt.DryRun, "dry-run", false, "count what would go, and change nothing")
	c.Flags().BoolVar(&yes, "yes", false, "clear it without asking")
	c.Flags().BoolVar(&undo, "undo", false, "bring back what a reset took away")
	c.ValidArgsFunction = listed(e, reset.Snapshots)
	return c
}

func runReset(ctx context.Context, e *env, opt reset.Options, yes bool) error {
	asks := !yes && !opt.DryRun
	if e.agents() && !opt.DryRun {
		return answer.WithHint(errors.New("an agent does not remove several memories"),
			"show cortex reset --dry-run to the user and let them run the command")
	}
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		if asks {
			sure, err := e.sureToReset(ctx, w, opt)
			if err != nil || !sure {
				return err
			}
		}
		out, err := reset.Reset(ctx, w, opt)
		if err != nil {
			return err
		}
		return e.printReset(out, false)
	})
}

// sureToReset says what a reset would clear and asks a person. Where nobody can be asked it is an
// error. What would clear nothing needs no answer.
func (e *env) sureToReset(ctx context.Context, w *workspace.Workspace, opt reset.Options) (bool, error) {
	opt.DryRun = true
	would, err := reset.Reset(ctx, w, opt)
	if err != nil || would.Empty() {
		return err == nil, err
	}
	switch {
	case !e.keyboard, e.json, e.quiet:
		return false, answer.WithHint(errors.New("nothing was cleared, because nobody was asked"),
			"cortex reset --dry-run shows what would go; --yes clears it")
	}
	output.Reset(e.errPrinter(), would, false)
	e.errPrinter().Printf("Clear it? cortex reset --undo brings it back. [y/N] ")
	return e.yes(ctx), nil
}

// runResetUndo brings back what a snapshot holds, of the newest one for the name "".
func runResetUndo(ctx context.Context, e *env, name string, dry bool) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		out, err := reset.Undo(ctx, w, name, dry)
		if errors.Is(err, reset.ErrNoSnapshot) {
			return &usageError{Err: err, Hint: "git for-each-ref refs/cortex/snapshots lists them"}
		}
		if err != nil {
			return err
		}
		return e.printReset(out, true)
	})
}

// printReset says what was cleared or brought back.
func (e *env) printReset(out reset.Done, undo bool) error {
	return e.show(nil, out, func(p *console.Printer) {
		if !e.quiet {
			output.Reset(p, out, undo)
		}
	})
}
