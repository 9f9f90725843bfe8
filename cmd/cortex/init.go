package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/setup"
)

// initAgents are the values of --agent.
func initAgents() []string { return []string{"claude-code", "none"} }

func newInitCommand(e *env) *cobra.Command {
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
		RunE: func(cmd *cobra.Command, _ []string) error { return runInit(cmd.Context(), e, opt) },
	}
	c.Flags().BoolVar(&opt.DryRun, "dry-run", false, "show what would change and change nothing")
	c.Flags().StringSliceVar(&opt.Agents, "agent", []string{"claude-code"}, "whose hooks and rules to write: claude-code, none")
	_ = c.RegisterFlagCompletionFunc("agent", fixed(initAgents()...))
	return c
}

func runInit(ctx context.Context, e *env, opt setup.Options) error {
	for _, name := range opt.Agents {
		if !slices.Contains(initAgents(), name) {
			return usagef("unknown agent %q: claude-code or none", name)
		}
	}
	opt.Binary = e.binary()
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		steps, err := setup.Init(ctx, w, opt)
		if err == nil {
			w, err = w.Refresh(ctx) // config.yaml may be new
		}
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, answer.NewSteps(steps, opt.DryRun, w.Config.Projections))
		}
		printSteps(e, steps, opt.DryRun)
		if !e.quiet && !opt.DryRun {
			printInitAdvice(e.printer(), steps, opt, projectionsAdvice(w.Config.Projections, setup.HostedRemotes(ctx, w)))
		}
		return nil
	})
}

func printSteps(e *env, steps []setup.Step, dry bool) {
	if e.quiet && !dry {
		return
	}
	p := e.printer()
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

// printInitAdvice says what follows from a set-up, and what to do next.
func printInitAdvice(p *printer, steps []setup.Step, opt setup.Options, pages string) {
	p.printf("\n%s\n", wrap(pages, p.width, ""))
	if opt.Binary.Name == "" {
		p.printf("%s", wrap("cortex is not on PATH under that name: git's hooks call "+opt.Binary.Path+
			", and the agent's hooks do nothing until `cortex` is found on PATH.", p.width, ""))
	}
	if slices.ContainsFunc(steps, func(s setup.Step) bool { return s.Action == "created" && !strings.HasPrefix(s.Path, "git ") }) {
		p.printf("Commit the new files when you like; teammates without cortex notice nothing.\n")
	}
	p.printf("Next: work with your agent as always, then see %s and %s.\n", bold("cortex status"), bold("cortex list"))
}

// projectionsAdvice says where the pages are kept up to date, and why. The
// settings may be older than this clone's remotes: then they are the reason.
func projectionsAdvice(projections string, hosted []string) string {
	mode := "(projections: " + projections + " in .cortex/config.yaml)"
	switch {
	case projections == "off":
		return "Generated pages are off. " + mode
	case projections == "default-branch" && len(hosted) > 0:
		return "Generated pages (decisions.md, active-plan.md) are kept up to date on the default branch only: " + hosted[0] + " is on a server, servers merge without merge drivers, and this way pull requests cannot conflict on the pages. " + mode
	case projections == "default-branch":
		return "Generated pages (decisions.md, active-plan.md) are kept up to date on the default branch only, as the team's settings say. " + mode
	case len(hosted) > 0:
		return "Generated pages (decisions.md, active-plan.md) are kept up to date on every branch, as the team's settings say. " + hosted[0] + " is on a server, which merges without merge drivers: with default-branch in the settings, pull requests could not conflict on the pages. " + mode
	}
	return "Generated pages (decisions.md, active-plan.md) are kept up to date on every branch: no remote is on a server, and the merge drivers of this clone merge them. " + mode
}
