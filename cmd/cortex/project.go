package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
)

// projectOptions are the flags of project.
type projectOptions struct {
	check, force bool
}

func newProjectCommand(e *env) *cobra.Command {
	var opt projectOptions
	c := &cobra.Command{
		Use: "project", Short: "Generate decisions.md and active-plan.md", Args: args(0, 0),
		Long: `Generate .cortex/decisions.md, decisions-archive.md and active-plan.md, and what
"cortex init --surface" keeps in CLAUDE.md or AGENTS.md, from landed memories.
With --check, nothing is written, and exit code 3 means that something is out of
date. On a branch where the team's settings do not keep the pages, nothing is
generated unless --force is given.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runProject(cmd.Context(), e, opt) },
	}
	c.Flags().BoolVar(&opt.check, "check", false, "write nothing; exit with 3 if a page is out of date")
	c.Flags().BoolVar(&opt.force, "force", false,
		"generate the pages on any branch, and a surface that was edited by hand")
	return c
}

func runProject(ctx context.Context, e *env, opt projectOptions) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		pages, err := w.Project(ctx, opt.check, opt.force)
		all := answer.NewPages(pages, workspace.WherePages(ctx, w, w.Config.Projections))
		err = e.show(err, all, func(p *console.Printer) { output.Rendered(p, pages, all.Projections, e.quiet) })
		if err == nil && opt.check && !all.Current {
			return errProblems
		}
		return err
	})
}
