package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/curate"
	"github.com/git-cortex/cortex/workspace/exchange"
	"github.com/git-cortex/cortex/workspace/explore"
	"github.com/git-cortex/cortex/workspace/lifecycle"
	"github.com/git-cortex/cortex/workspace/setup"
	"github.com/git-cortex/cortex/workspace/tiers"
)

func newStatusCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show the state of this clone", Args: args(0, 0),
		Long: `Show the state of this clone: its memories, sessions, hooks and merge drivers,
how the hooks ran last, and any problems.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runStatus(cmd.Context(), e) },
	}
}

func runStatus(ctx context.Context, e *env) error {
	return e.with(ctx, opening{sweeps: true}, func(w *workspace.Workspace) error {
		s, err := statusOf(ctx, e, w)
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, s)
		}
		output.Status(e.printer(), s, e.now())
		if remotes := exchange.Unagreed(ctx, w); s.Enabled && len(remotes) > 0 {
			output.NeverAgreed(e.printer(), remotes)
		}
		return nil
	})
}

// statusOf is how a clone stands, once what is pending has come home.
func statusOf(ctx context.Context, e *env, w *workspace.Workspace) (*workspace.Status, error) {
	comeHome(ctx, w)
	s, err := w.Status(ctx, e.binary())
	if err != nil {
		return nil, err
	}
	s.Tier.Parts["mcp"] = setup.Served(w)
	tiers.Note(s)
	s.Unused = explore.Unused(ctx, w)
	if s.Overdue, err = lifecycle.Overdue(ctx, w); err != nil {
		return nil, err
	}
	if s.Curation = curate.StatusOf(ctx, w); s.Curation != nil && s.Curation.Command != "" {
		if program := strings.Fields(s.Curation.Command)[0]; !onPath(program) {
			s.Problems = append(s.Problems, "curation: "+program+", the program of cortex.llm, is not there")
		}
	}
	return s, nil
}
