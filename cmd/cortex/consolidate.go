package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/consolidate"
)

// consolidateOptions are the flags of consolidate.
type consolidateOptions struct {
	apply  bool
	answer string // file with what a reader worded, "-" for standard input
	limit  int    // 0 is all
}

func newConsolidateCommand(e *env) *cobra.Command {
	var opt consolidateOptions
	c := &cobra.Command{
		Use: "consolidate [GROUP...]", Short: "Bring memories together that say the same", Args: args(0, -1),
		Long: `List the memories of one type that say much the same, each group with a draft of
one memory that keeps every detail of theirs. --apply writes the drafts of the
groups that are named, or of all that were listed, and --answer what a reader
worded instead: with --json the list has the instructions and the schema for it.
An answer that leaves a name, number, path or quotation out is refused, and so
is one that names what no memory of the group says.

Nothing is deleted: the new memory links to the old ones, which stay where they
are, superseded. Everything is in a snapshot before, below
refs/cortex/snapshots. What an agent writes is pending, and where it replaces
what a person wrote it changes nothing before a person accepts it. Pinned
memories, plans and code stay by themselves.`,
		RunE: func(cmd *cobra.Command, groups []string) error {
			if opt.answer != "" && len(groups) > 0 {
				return &usageError{
					Err:  errors.New("consolidate: an answer names its groups itself"),
					Hint: "cortex consolidate --answer " + opt.answer,
				}
			}
			return runConsolidate(cmd.Context(), e, opt, groups)
		},
	}
	c.Flags().BoolVar(&opt.apply, "apply", false, "write the drafts")
	c.Flags().StringVar(&opt.answer, "answer", "",
		"check the answer in `FILE`, - for standard input, and write what passes")
	c.Flags().IntVarP(&opt.limit, "limit", "n", 20, "take at most `N` groups, the largest; 0 means all")
	c.MarkFlagsMutuallyExclusive("apply", "answer")
	return c
}

func runConsolidate(ctx context.Context, e *env, opt consolidateOptions, groups []string) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		if opt.answer != "" {
			data, err := readAnswer(e, opt.answer)
			if err != nil {
				return err
			}
			out, err := consolidate.Answer(ctx, w, data)
			return printConsolidated(e, out, err)
		}
		p, err := consolidate.Propose(ctx, w)
		if err != nil {
			return err
		}
		if err := p.Pick(groups); err != nil {
			return err
		}
		p.Limit(opt.limit)
		if opt.apply {
			out, err := consolidate.Apply(ctx, w, p)
			return printConsolidated(e, out, err)
		}
		w.LookedAtGroups()
		return e.show(nil, answer.NewGroups(p), func(out *console.Printer) { output.Groups(out, p) })
	})
}

func printConsolidated(e *env, out *consolidate.Outcome, err error) error {
	if err != nil {
		return err
	}
	return e.show(nil, answer.NewConsolidated(out), func(p *console.Printer) { output.Consolidated(p, out, e.quiet) })
}
