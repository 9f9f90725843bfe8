package main

import (
	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/setup"
)

func (a *env) uninstallCommand() *cobra.Command {
	var opt setup.Options
	c := &cobra.Command{
		Use: "uninstall", Short: "Take out exactly what init put in", Args: args(0, 0),
		Long: `Take out exactly what "cortex init" put in. Files that nobody changed since are
restored byte for byte; from others only cortex's part is taken. Memories and
the journal stay: they are yours.`,
		Example: `  cortex uninstall --dry-run
  cortex uninstall`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
				steps, err := setup.Uninstall(cmd.Context(), w, opt)
				if err != nil {
					return err
				}
				if a.json {
					return writeJSON(a.out, map[string]any{"steps": steps, "dry_run": opt.DryRun})
				}
				a.printSteps(steps, opt.DryRun)
				if !a.quiet && !opt.DryRun {
					a.printer().printf("\nMemories in .cortex/memories and the journal (refs/cortex/journal) stay.\n`cortex init` sets the clone up again.\n")
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&opt.DryRun, "dry-run", false, "show what would change and change nothing")
	return c
}
