package main

import (
	"cmp"
	"context"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// logOptions are the argument and the flags of log.
type logOptions struct {
	id    string // "" for all memories
	limit int
}

func newLogCommand(e *env) *cobra.Command {
	var opt logOptions
	c := &cobra.Command{
		Use: "log [ID]", Short: "Show the history of memories", Args: args(0, 1),
		Long: `Show the history of memories, newest first: what was captured, landed,
forgotten. With an ID, show where that memory came from and every change of it:
what each commit edited, and which other memories superseded, contradicted or
answered it. Of a commit that was signed by SSH it says by whom, as far as your
gpg.ssh.allowedSignersFile knows.`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			opt.id = strings.Join(ids, "")
			opt.limit = cmp.Or(opt.limit, math.MaxInt32)
			return runLog(cmd.Context(), e, opt)
		},
		ValidArgsFunction: completeIDs(e, nil),
	}
	c.Flags().IntVarP(&opt.limit, "limit", "n", 20, "show at most `N` commits; 0 means all")
	return c
}

func runLog(ctx context.Context, e *env, opt logOptions) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		commits, of, err := explore.Log(ctx, w, opt.id, opt.limit)
		return e.show(err, answer.NewLog(commits, of), func(p *console.Printer) { output.Log(p, commits, of) })
	})
}
