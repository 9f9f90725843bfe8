package main

import (
	"context"

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
restored byte for byte; from others, only Cortex's part is removed. Memories
and the journal stay: they are yours.`,
		Example: `  cortex uninstall --dry-run
  cortex uninstall`,
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
			return answer.Write(e.out, answer.NewSteps(steps, opt.DryRun, ""))
		}
		printSteps(e, steps, opt.DryRun)
		if !e.quiet && !opt.DryRun {
			e.printer().Printf("\nThe memories in .cortex/memories and the journal (refs/cortex/journal) stay.\nTo set up the clone again: cortex init\n")
		}
		return nil
	})
}
