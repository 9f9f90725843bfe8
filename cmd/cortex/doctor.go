package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/doctor"
	"github.com/git-cortex/cortex/workspace/setup"
)

func (a *env) doctorCommand() *cobra.Command {
	fix := false
	c := &cobra.Command{
		Use: "doctor", Short: "Check what can be checked, and mend it with --fix", Args: args(0, 0),
		Long: `Check set-up, settings, journal, locks, memories, generated pages and index. Each
finding is one line of what is wrong and one of what to type. Exit code 3 says
that there was something. --fix mends what is cortex's own, or can be mended
without losing anything, and says what it did: it renders pages that a plain
merge left behind, and joins both sides of a memory with conflict markers.`,
		Example: `  cortex doctor
  cortex doctor --fix`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
				checks, err := doctor.Run(cmd.Context(), w, fix)
				if err != nil {
					return err
				}
				if w.Enabled(cmd.Context()) {
					opt := setup.Options{Agents: []string{"claude-code"}, Binary: a.binary()}
					more, err := setup.Check(cmd.Context(), w, opt, fix)
					if err != nil {
						return err
					}
					checks = append(checks, more...)
				}
				wrong := 0
				for _, c := range checks {
					if !c.OK && !c.Fixed {
						wrong++
					}
				}
				if a.json {
					err = writeJSON(a.out, map[string]any{"checks": checks, "problems": wrong})
				} else {
					a.printChecks(checks, wrong)
				}
				if err == nil && wrong > 0 {
					return errProblems
				}
				return err
			})
		},
	}
	c.Flags().BoolVar(&fix, "fix", false, "mend what can be mended without losing anything")
	return c
}

func (a *env) printChecks(checks []workspace.Check, wrong int) {
	p := a.printer()
	for _, c := range checks {
		switch {
		case c.OK && a.quiet:
		case c.OK && c.Note != "":
			p.printf("%s %s  %s\n", good("ok   "), c.Name, dim(c.Note))
		case c.OK:
			p.printf("%s %s\n", good("ok   "), c.Name)
		case c.Fixed:
			p.printf("%s %s: %s\n", good("fixed"), c.Name, c.Wrong)
			if c.Did != "" {
				p.printf("      %s\n", dim(c.Did))
			}
		default:
			p.printf("%s %s: %s\n", bad("wrong"), c.Name, c.Wrong)
			if c.Did != "" {
				p.printf("      %s\n", dim("done: "+c.Did))
			}
			for line := range strings.Lines(c.Hint) {
				p.printf("      %s\n", dim(strings.TrimRight(line, "\n")))
			}
		}
	}
	if wrong == 0 && !a.quiet {
		p.printf("Nothing is wrong.\n")
	}
}
