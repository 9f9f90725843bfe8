package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/doctor"
)

func (a *env) checkCommand() *cobra.Command {
	var view workspace.ViewOptions
	c := &cobra.Command{
		Use: "check", Short: "Look over all memories as a reviewer would", Args: args(0, 0),
		Long: `Look over all memories, pending ones too: files that are not memories, ids that
are there twice, what looks like a secret, hidden characters, text that poses as
an agent's harness, links that lead nowhere. Exit code 3 says that there was
something: use it in CI.`,
		Example: "  cortex check\n  cortex check --at origin/main --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
				found, v, err := doctor.Findings(cmd.Context(), w, view)
				if err != nil {
					return err
				}
				if a.json {
					err = writeJSON(a.out, map[string]any{"findings": found, "view": v.Shape()})
				} else {
					a.printFindings(found, len(v.Items))
				}
				if err == nil && len(found) > 0 {
					return errProblems
				}
				return err
			})
		},
	}
	a.viewFlags(c, &view)
	return c
}

func (a *env) printFindings(found []doctor.Finding, checked int) {
	p := a.printer()
	for _, f := range found {
		where := f.Path
		if f.Line > 0 {
			where = fmt.Sprintf("%s:%d", f.Path, f.Line)
		}
		p.printf("%s\n  %s %s\n", where, bad(f.Rule), f.Text)
	}
	if !a.quiet {
		p.printf("%s in %s.\n", plural(len(found), "finding", "findings"), plural(checked, "memory", "memories"))
	}
}
