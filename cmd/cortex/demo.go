package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/demo"
)

func newDemoCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "See it all in a throwaway repository", Args: args(0, 0),
		Long: `Replay two recorded agent sessions in a throwaway repository: what is captured
and what is not, a commit that carries memories, a second branch, a merge, a
search and a briefing. Nothing outside a new temporary folder is touched.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd.Context(), e) },
	}
}

func runDemo(ctx context.Context, e *env) error {
	return demo.Play(ctx, demo.Stage{Printer: e.printer(), Environ: e.environ, Now: e.now, Version: version(), Program: e.exe})
}
