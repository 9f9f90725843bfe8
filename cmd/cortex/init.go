package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/setup"
)

func (a *env) initCommand() *cobra.Command {
	var opt setup.Options
	c := &cobra.Command{
		Use: "init", Short: "Set this clone up", Args: args(0, 0),
		Long: `Set this clone up: the .cortex folder, git's merge drivers and hooks, and the
hooks of your agent. Hooks, settings and attributes that are there stay as they
are; "cortex uninstall" takes out exactly what this put in. Running it again
changes nothing. Nothing is staged or committed.`,
		Example: `  cortex init --dry-run      show what would change
  cortex init                do it
  cortex init --agent none   git only, no agent's files`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range opt.Agents {
				if name != "claude-code" && name != "none" {
					return usagef("unknown agent %q: claude-code or none", name)
				}
			}
			opt.Binary = a.binary()
			return a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
				steps, err := setup.Init(cmd.Context(), w, opt)
				if err == nil {
					w, err = w.Refresh(cmd.Context()) // config.yaml may be new
				}
				if err != nil {
					return err
				}
				if a.json {
					return writeJSON(a.out, map[string]any{"steps": steps, "dry_run": opt.DryRun, "projections": w.Config.Projections})
				}
				a.printSteps(steps, opt.DryRun)
				a.printInitAdvice(cmd.Context(), w, steps, opt)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&opt.DryRun, "dry-run", false, "show what would change and change nothing")
	c.Flags().StringSliceVar(&opt.Agents, "agent", []string{"claude-code"}, "whose hooks and rules to write: claude-code, none")
	_ = c.RegisterFlagCompletionFunc("agent", cobra.FixedCompletions([]string{"claude-code", "none"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *env) printSteps(steps []setup.Step, dry bool) {
	if a.quiet && !dry {
		return
	}
	p := a.printer()
	width := 0
	for _, s := range steps {
		width = max(width, columns(s.Path))
	}
	width = min(width, p.width/2)
	for _, s := range steps {
		as := warn
		switch s.Action {
		case "unchanged":
			as = dim
		case "created", "changed":
			as = good
		}
		p.printf("  %s  %s  %s\n", as(pad(s.Action, 9)), pad(s.Path, width), dim(cut(s.What, max(20, p.width-width-15))))
	}
	if dry {
		p.printf("\nNothing was changed (--dry-run).\n")
	}
}

func (a *env) printInitAdvice(ctx context.Context, w *workspace.Workspace, steps []setup.Step, opt setup.Options) {
	if a.quiet || opt.DryRun {
		return
	}
	p := a.printer()
	p.printf("\n%s\n", wrap(projectionsAdvice(w, setup.HostedRemotes(ctx, w)), p.width, ""))
	if opt.Binary.Name == "" {
		p.printf("%s", wrap("cortex is not on PATH under that name: git's hooks call "+opt.Binary.Path+
			", and the agent's hooks do nothing until `cortex` is found on PATH.", p.width, ""))
	}
	var fresh []string
	for _, s := range steps {
		if s.Action == "created" && !strings.HasPrefix(s.Path, "git ") {
			fresh = append(fresh, s.Path)
		}
	}
	if len(fresh) > 0 {
		p.printf("Commit the new files when you like; teammates without cortex notice nothing.\n")
	}
	p.printf("Next: work with your agent as always, then see %s and %s.\n", bold("cortex status"), bold("cortex list"))
}

// projectionsAdvice says where the pages are kept up to date, and why. The
// settings may be older than this clone's remotes: then they are the reason.
func projectionsAdvice(w *workspace.Workspace, hosted []string) string {
	mode := "(projections: " + w.Config.Projections + " in .cortex/config.yaml)"
	switch {
	case w.Config.Projections == "off":
		return "Generated pages are off. " + mode
	case w.Config.Projections == "default-branch" && len(hosted) > 0:
		return "Generated pages (decisions.md, active-plan.md) are kept up to date on the default branch only: " + hosted[0] + " is on a server, servers merge without merge drivers, and this way pull requests cannot conflict on the pages. " + mode
	case w.Config.Projections == "default-branch":
		return "Generated pages (decisions.md, active-plan.md) are kept up to date on the default branch only, as the team's settings say. " + mode
	case len(hosted) > 0:
		return "Generated pages (decisions.md, active-plan.md) are kept up to date on every branch, as the team's settings say. " + hosted[0] + " is on a server, which merges without merge drivers: with default-branch in the settings, pull requests could not conflict on the pages. " + mode
	}
	return "Generated pages (decisions.md, active-plan.md) are kept up to date on every branch: no remote is on a server, and the merge drivers of this clone merge them. " + mode
}
