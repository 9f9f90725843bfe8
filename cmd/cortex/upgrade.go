package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/setup"
	"github.com/git-cortex/cortex/workspace/tiers"
)

// upgradeOptions are the flags of upgrade.
type upgradeOptions struct {
	to     int // 0: the next
	dryRun bool
}

func newUpgradeCommand(e *env) *cobra.Command {
	var opt upgradeOptions
	c := &cobra.Command{
		Use: "upgrade", Short: "Explain the next tier, and switch it on", Args: args(0, 0),
		Long: `Explain the tier above the one that "cortex status" names, and switch it on:
0 files only, 1 index, 2 vectors and recall at prompts, 3 MCP and pages. Each
tier works without those above it. Tier 2 is switched on by "cortex embed
FOLDER", with a model; to go without one, --tier 3 switches on that tier alone.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opt.to < 0 || opt.to > tiers.Highest || cmd.Flags().Changed("tier") && opt.to == 0 {
				return usagef("--tier must be from 1 to %d", tiers.Highest)
			}
			return runUpgrade(cmd.Context(), e, opt)
		},
	}
	c.Flags().BoolVar(&opt.dryRun, "dry-run", false, "explain the tier and what would change, and change nothing")
	c.Flags().IntVar(&opt.to, "tier", 0, "switch on tier `N` instead of the next one")
	_ = c.RegisterFlagCompletionFunc("tier", fixed("1", "2", "3"))
	return c
}

func runUpgrade(ctx context.Context, e *env, opt upgradeOptions) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		s, err := statusOf(ctx, e, w)
		if err != nil {
			return err
		}
		out := answer.Upgraded{
			From: s.Tier.Level, To: s.Tier.Level, DryRun: opt.dryRun, Steps: []setup.Step{},
			Left: []string{},
		}
		opt.to = cmp.Or(opt.to, s.Tier.Level+1)
		if opt.to <= tiers.Highest {
			out.Tier = &tiers.All()[opt.to]
			if !e.json && !e.quiet {
				output.Tier(e.printer(), *out.Tier, tiers.Missing(*out.Tier, s.Tier.Parts))
			}
			if err := switchOn(ctx, e, w, opt, s, &out); err != nil {
				return err
			}
			if !opt.dryRun {
				if w, err = w.Refresh(ctx); err != nil {
					return err
				}
				if s, err = statusOf(ctx, e, w); err != nil {
					return err
				}
				out.To = s.Tier.Level
			}
		}
		return reportUpgrade(e, &out, s)
	})
}

// switchOn does what a tier needs, as far as a program may.
func switchOn(ctx context.Context, e *env, w *workspace.Workspace, opt upgradeOptions, s *workspace.Status,
	out *answer.Upgraded,
) (err error) {
	install := setup.Options{
		DryRun: opt.dryRun, Binary: e.binary(), Agents: setup.Named(setup.Detect(w, e.home())),
		Found: process.FoundByAgents(e.home()),
	}
	switch opt.to {
	case 1:
		if out.Steps, err = setup.Init(ctx, w, install); err != nil || opt.dryRun {
			return err
		}
		_, err = w.Reindex(ctx, e.progress("indexing"))
		return err
	case 2:
		if !s.Tier.Parts["anticipation"] {
			out.Left = append(out.Left,
				"the team's settings leave prompts out: add prompt to recall in "+workspace.ConfigPath)
		}
		if !s.Tier.Parts["vectors"] {
			out.Left = append(out.Left,
				"vectors need a model, and Cortex has none of its own: "+
					"cortex embed FOLDER, or an address (cortex help embed)",
				"to go on without one: cortex upgrade --tier 3")
		}
		return nil
	}
	install.Server = true
	if !s.Tier.Parts["pages"] {
		out.Left = append(out.Left,
			"the team's settings turn the pages off: set projections to branch or default-branch in "+
				workspace.ConfigPath)
	}
	if out.Steps, err = setup.Init(ctx, w, install); err != nil || opt.dryRun {
		return err
	}
	return w.RefreshPages(ctx)
}

func reportUpgrade(e *env, out *answer.Upgraded, s *workspace.Status) error {
	err := e.show(nil, out, func(p *console.Printer) { output.Upgraded(p, out, s, e.quiet) })
	if err == nil && len(out.Left) > 0 && !out.DryRun {
		return errProblems
	}
	return err
}
