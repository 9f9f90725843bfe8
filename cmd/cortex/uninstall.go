package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/setup"
)

func newUninstallCommand(e *env) *cobra.Command {
	var opt setup.Options
	c := &cobra.Command{
		Use: "uninstall", Short: "Remove exactly what init added", Args: args(0, 0),
		Long: `Remove exactly what "cortex init" added. Files that nobody changed since are
restored byte for byte; from others, only Cortex's part is removed. Generated
pages go with the merge rules that they need, unless you edited them. Memories,
the journal and your own settings stay: they are yours. If Cortex's part cannot
be removed from a file, the file is named, everything else is removed, and the
exit code is 3.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runUninstall(cmd.Context(), e, opt) },
	}
	c.Flags().BoolVar(&opt.DryRun, "dry-run", false, "show what would change, and change nothing")
	return c
}

func runUninstall(ctx context.Context, e *env, opt setup.Options) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		steps, err := setup.Uninstall(ctx, w, opt)
		if err != nil {
			return err
		}
		if e.json {
			err = answer.Write(e.out, answer.NewSteps(steps, opt.DryRun, ""))
		} else {
			printSteps(e, steps, opt.DryRun)
		}
		left := slices.ContainsFunc(steps, setup.Step.Left)
		switch {
		case err != nil:
		case left:
			for _, s := range steps {
				if s.Left() {
					w.Notice("Cortex's part of %s could not be removed: %s", s.Path, s.Why)
				}
			}
			w.Notice("everything else was removed; correct what is named above, then run again: cortex uninstall")
			return errProblems
		case !e.json && !e.quiet && !opt.DryRun && len(steps) > 0:
			e.printer().Printf("\nWhat you had committed of these files is deleted now: commit that too.\n" +
				"The memories in .cortex/memories, the journal (all of refs/cortex) and your own\n" +
				"settings stay; cortex reset --project removes memories and journal.\n" +
				"To set up the clone again: cortex init\n")
		}
		return err
	})
}
