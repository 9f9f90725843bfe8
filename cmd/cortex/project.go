package main

import (
	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
)

func (a *env) projectCommand() *cobra.Command {
	check, force := false, false
	c := &cobra.Command{
		Use: "project", Short: "Generate decisions.md and active-plan.md from the memories", Args: args(0, 0),
		Long: `Generate the pages .cortex/decisions.md, decisions-archive.md and active-plan.md
from the landed memories. With --check nothing is written, and exit code 3 says
that a page is out of date. Pages that the team's settings leave to another
branch are passed over, unless --force is given.`,
		Example: "  cortex project\n  cortex project --check",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
				pages, err := w.Project(cmd.Context(), check, force)
				if err != nil {
					return err
				}
				old := 0
				for _, p := range pages {
					if !p.Current && !p.Written {
						old++
					}
				}
				if a.json {
					err = writeJSON(a.out, map[string]any{"pages": pageShapes(pages), "current": old == 0, "projections": w.Config.Projections})
				} else {
					a.printPages(pages, w.Config.Projections)
				}
				if err == nil && check && old > 0 {
					return errProblems
				}
				return err
			})
		},
	}
	c.Flags().BoolVar(&check, "check", false, "write nothing; exit with 3 when a page is out of date")
	c.Flags().BoolVar(&force, "force", false, "also where the settings leave pages to another branch")
	return c
}

func pageShapes(pages []workspace.Page) []map[string]any {
	out := []map[string]any{}
	for _, p := range pages {
		out = append(out, map[string]any{"path": p.Path, "current": p.Current, "missing": p.Missing, "written": p.Written})
	}
	return out
}

func (a *env) printPages(pages []workspace.Page, mode string) {
	p := a.printer()
	if len(pages) == 0 && !a.quiet {
		p.printf("This branch does not keep the pages (projections: %s).\n", mode)
	}
	for _, page := range pages {
		switch {
		case page.Written:
			p.printf("%s  %s\n", good("written "), page.Path)
		case page.Current && a.quiet:
		case page.Current:
			p.printf("%s  %s\n", dim("current "), page.Path)
		default:
			p.printf("%s  %s  %s\n", bad("outdated"), page.Path, dim("cortex project"))
		}
	}
}
