package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/demo"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/workspace"
)

func newDemoCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "See it all in a throwaway repository", Args: args(0, 0),
		Long: `Replay two recorded agent sessions in a throwaway repository: what is captured
and what is not, a commit that carries memories, a second branch, a merge, a
search and a briefing. Nothing outside a new temporary folder is touched;
delete that when you like.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd.Context(), e) },
	}
}

func runDemo(ctx context.Context, e *env) error {
	return demo.Play(ctx,
		demo.Stage{Printer: e.printer(), Environ: e.environ, Now: e.now, Version: version(), Binary: e.binary()})
}

func newTryCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "try [PATH...]", Short: "See what your own past sessions would have left", Args: args(0, -1),
		Long: `Read the past sessions of this repository, those of every supported agent or the
files and folders given, in a throwaway clone, and show what would have been
kept, what the next session would be told, and what that costs. Nothing in the
repository changes, and it need not be set up.`,
		RunE: func(cmd *cobra.Command, paths []string) error { return runTry(cmd.Context(), e, paths) },
	}
}

func runTry(ctx context.Context, e *env, paths []string) error {
	return e.with(ctx, opening{reads: true}, func(w *workspace.Workspace) error {
		in := e.past(paths, true)
		env := workspace.Env{Environ: e.environ, Now: e.now, Version: version(), Program: e.exe}
		out, err := demo.Try(ctx, w, env, in)
		return e.show(err, out, func(p *console.Printer) { output.Tried(p, out) })
	})
}
