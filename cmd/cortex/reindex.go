package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
)

// reindexOptions are the flags of reindex.
type reindexOptions struct {
	verify bool
}

func newReindexCommand(e *env) *cobra.Command {
	var opt reindexOptions
	c := &cobra.Command{
		Use: "reindex", Short: "Rebuild the search index", Args: args(0, 0),
		Long: `Rebuild the search index from the memories. You never need to: the index is a
cache that repairs itself. --verify only reads all its files and reports
damage.`,
		Example: "  cortex reindex\n  cortex reindex --verify",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runReindex(cmd.Context(), e, opt) },
	}
	c.Flags().BoolVar(&opt.verify, "verify", false, "only read the index, and report damage")
	return c
}

func runReindex(ctx context.Context, e *env, opt reindexOptions) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		if opt.verify {
			return verifyIndex(ctx, e, w)
		}
		v, err := w.Reindex(ctx, e.progress("indexing"))
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, answer.NewIndexed(v))
		}
		if !e.quiet {
			e.printer().Printf("Indexed %s.\n", console.Plural(len(v.Items), "memory", "memories"))
		}
		return nil
	})
}

// verifyIndex reads every file of the index.
func verifyIndex(ctx context.Context, e *env, w *workspace.Workspace) error {
	problems := w.VerifyIndex(ctx)
	if e.json {
		if err := answer.Write(e.out, answer.NewIndexState(problems)); err != nil {
			return err
		}
	} else {
		p := e.printer()
		for _, problem := range problems {
			p.Printf("%s %s\n", console.Bad("damaged"), problem.Error())
		}
		if len(problems) == 0 && !e.quiet {
			p.Printf("The index is intact.\n")
		}
	}
	if len(problems) > 0 {
		return errProblems
	}
	return nil
}
