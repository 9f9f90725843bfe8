package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/doctor"
)

func newCheckCommand(e *env) *cobra.Command {
	var view viewOptions
	c := &cobra.Command{
		Use: "check", Short: "Check all memories, as a reviewer would", Args: args(0, 0),
		Long: `Check all memories, including pending ones: files that are not memories,
duplicate ids, possible secrets, hidden characters, text that poses as an
agent's harness, links that lead nowhere, decisions that contradict each other
and that nobody settled. Exit code 3 means that there are findings: use it in CI.`,
		Example: "  cortex check\n  cortex check --at origin/main --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runCheck(cmd.Context(), e, view) },
	}
	viewFlags(c, e, &view)
	return c
}

func runCheck(ctx context.Context, e *env, view viewOptions) error {
	return e.with(ctx, opening{global: view.global}, func(w *workspace.Workspace) error {
		found, v, err := doctor.Findings(ctx, w, view.ViewOptions)
		if err != nil {
			return err
		}
		if e.json {
			err = answer.Write(e.out, answer.NewFindings(found, v))
		} else {
			printFindings(e, found, len(v.Items))
		}
		if err == nil && len(found) > 0 {
			return errProblems
		}
		return err
	})
}

func printFindings(e *env, found []doctor.Finding, checked int) {
	p := e.printer()
	for _, f := range found {
		where := f.Path
		if f.Line > 0 {
			where = fmt.Sprintf("%s:%d", f.Path, f.Line)
		}
		p.Printf("%s\n  %s %s\n", where, console.Bad(f.Rule), f.Text)
	}
	if !e.quiet {
		p.Printf("%s in %s.\n", console.Plural(len(found), "finding", "findings"), console.Plural(checked, "memory", "memories"))
	}
}
