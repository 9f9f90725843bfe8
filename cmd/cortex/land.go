package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/branches"
)

// landOptions are the arguments and flags of land.
type landOptions struct {
	ids []string
	all bool
}

func newLandCommand(e *env) *cobra.Command {
	var opt landOptions
	c := &cobra.Command{
		Use: "land [ID...]", Short: "Copy pending memories into the working tree and stage them", Args: args(0, -1),
		Long: `Copy pending memories into the working tree and stage exactly those files.
Without IDs, those that land with your next commit: sure enough, and learned on
this branch or about what it changes; at most land_max with one commit,
land_branch_max with one branch, and land_share of its files. Where config.yaml
says land: branch, call it once before the branch is reviewed. --all lands every
one but those that a person should read first: what may not be for everybody,
and what would replace a person's memory.`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			opt.ids = ids
			return runLand(cmd.Context(), e, opt)
		},
		ValidArgsFunction: completeIDs(e, nil),
	}
	c.Flags().BoolVar(&opt.all, "all", false, "land every pending memory, sure or not")
	return c
}

func runLand(ctx context.Context, e *env, opt landOptions) error {
	if opt.all && len(opt.ids) > 0 {
		return usagef("--all and ids do not go together")
	}
	return e.with(ctx, opening{sweeps: true}, func(w *workspace.Workspace) error {
		comeHome(ctx, w)
		out, err := w.Land(ctx, opt.ids, opt.all)
		if err != nil {
			return err
		}
		return e.show(nil, answer.NewLanding(out), func(p *console.Printer) { output.LandingDone(p, out, e.quiet) })
	})
}

// comeHome lets what merged branches left behind move to where they were merged,
// before a command says what is pending. If that fails, it is tried the next time.
func comeHome(ctx context.Context, w *workspace.Workspace) {
	if _, err := branches.FollowMerges(ctx, w); err != nil {
		w.Notice("moving what is pending for merged branches: %v", err)
	}
}
