package main

import (
	"cmp"
	"context"
	"errors"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/serve/mcp"
	"github.com/git-cortex/cortex/workspace"
)

func newMCPCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Aliases: []string{"mcp-server"}, Short: "Serve an agent over the Model Context Protocol",
		Args: args(0, 0),
		Long: `Serve an agent over the Model Context Protocol, on standard input and output,
until the input ends. The agent starts this program by itself once it is
configured. Its tools search and show memories, give the briefing, and write
down what is worth keeping as pending memories. Nothing lands by them.

The repository is that of the current folder, or of -C DIR; calls may name
others by root.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd.Context(), e) },
	}
}

func runMCP(ctx context.Context, e *env) error {
	signal.Ignore(syscall.SIGPIPE) // a client that vanishes ends the input too
	hub, err := client.Open(ctx, e.environ)
	if err != nil && !errors.Is(err, client.ErrNoAddress) {
		e.errPrinter().Printf("cortex: %v\n", err)
	}
	return mcp.Serve(ctx, mcp.Host{
		In: e.in, Out: e.out, Dir: e.where(), Version: version(), Home: e.home(),
		Open: func(ctx context.Context, dir string) (*workspace.Workspace, error) {
			return workspace.Open(ctx, workspace.Env{
				Dir: dir, Environ: e.environ, Now: e.now, Version: version(),
				Named: true, Lives: true, Global: process.GlobalStore(e.getenv), Agent: cmp.Or(e.agent(), mcp.Agent),
			})
		},
		Status: func(ctx context.Context, w *workspace.Workspace) (*workspace.Status, error) {
			return statusOf(ctx, e, w)
		},
		Tags: process.Ctags(), Hub: hub,
		Note: func(line string) { e.errPrinter().Printf("cortex: %s\n", line) },
	})
}
