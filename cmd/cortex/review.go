package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/dialogue"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

// reviewOptions are the flags of review. With ids or branches in them it is a
// review without a dialogue.
type reviewOptions struct {
	dialogue.Named
	list                       bool
	acceptAll, rejectAll, undo bool
	group                      string
	limit                      int
}

func newReviewCommand(e *env) *cobra.Command {
	var opt reviewOptions
	c := &cobra.Command{
		Use: "review [FILTER…]", Short: "Accept, edit or reject pending memories, one by one or many",
		Args: args(0, 100),
		Long: `Go through the pending memories of this branch one by one. Those worth a look
come first: what lands with your next commits, what contradicts another memory,
what is about files of your branch, what several sessions met. What comes from
one session stands together; --group says otherwise.

A filter is written as in a search: type:gotcha, session:0b2c, since:7d, words;
and layer:pattern,user for the evidence that a memory rests on.

  a accept   write it as a file and stage that file, as cortex land ID does
  p replace  accept it, and let it supersede the memory that it contradicts
  g keep     it is about you: move it to your own store, for all repositories
  e edit     open it in the editor that git commit uses
  r reject   never capture it again; cortex restore ID brings it back
  o note     make it a note of its session: found by a search, never asked again
  s skip     leave it pending     b back   go back to the one before
  x z n      accept all that is left of this group, reject it, or go to the next
  u undo     take back the last decision, then the ones before it
  ? help     q quit               space    show more of a long text

Each decision is saved at once. Memories that wait for a branch that was
renamed or deleted come first of all: m moves them to another branch.

Without a terminal, the same letters are read from standard input, one per
line. With --accept, --reject, --replace or --rehome, nothing is asked, nor with
--accept-all and --reject-all, which decide about everything that the filters
choose, and which --undo takes back.`,
		RunE: func(cmd *cobra.Command, filters []string) error {
			return runReview(cmd.Context(), e, opt, filters)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&opt.Accept, "accept", nil, "accept memory `ID` (repeatable)")
	f.StringSliceVar(&opt.Replace, "replace", nil, "accept memory `ID`, superseding what it contradicts (repeatable)")
	f.StringSliceVar(&opt.Reject, "reject", nil, "reject memory `ID` (repeatable)")
	f.StringArrayVar(&opt.Rehome, "rehome", nil, "move what waits for branch OLD, which is gone, to NEW or this "+
		"branch, as in `OLD[:NEW]` (HEAD for a detached one)")
	f.BoolVar(&opt.acceptAll, "accept-all", false, "accept everything that the filters choose")
	f.BoolVar(&opt.rejectAll, "reject-all", false, "reject everything that the filters choose")
	f.BoolVar(&opt.undo, "undo", false, "take the last --accept-all or --reject-all back, or the last such key")
	f.StringVar(&opt.group, "group", "session",
		"show together what has the same `KIND`: session, topic, type, branch or none")
	f.IntVar(&opt.limit, "limit", 60, "list at most `N` memories, 0 for all; with --json all")
	f.BoolVar(&opt.list, "list", false, "only list what waits for review")
	f.BoolVar(&opt.Yes, "yes", false, "confirm rejecting more than a fifth of all memories")
	f.StringVar(&opt.Branch, "branch", "", "review what is pending for branch `NAME`")
	f.BoolVar(&opt.AllBranches, "all-branches", false, "review what is pending for any branch")
	for _, name := range []string{"accept", "replace", "reject", "rehome"} {
		c.MarkFlagsMutuallyExclusive("accept-all", "reject-all", name)
	}
	for _, name := range []string{"accept", "replace", "reject"} {
		_ = c.RegisterFlagCompletionFunc(name, completeReview(e))
	}
	_ = c.RegisterFlagCompletionFunc("branch", completeBranches(e))
	_ = c.RegisterFlagCompletionFunc("rehome", completeStrays(e))
	return c
}

func runReview(ctx context.Context, e *env, opt reviewOptions, filters []string) (err error) {
	if err := opt.check(); err != nil {
		return err
	}
	if opt.Filter, err = review.ParseFilter(filters, e.now()); err != nil {
		return &usageError{Err: err}
	}
	if opt.By, err = review.ParseGroup(opt.group); err != nil {
		return &usageError{Err: err}
	}
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		switch {
		case opt.undo:
			return undoReview(ctx, e, w)
		case opt.acceptAll || opt.rejectAll:
			out, err := dialogue.All(ctx, w, opt.Options, opt.rejectAll, opt.Yes)
			return reportVerdicts(e, out, err)
		case opt.Any():
			out, err := dialogue.Decide(ctx, w, opt.Named)
			return reportVerdicts(e, out, err)
		case opt.list || e.json:
			return listReview(ctx, e, w, opt)
		}
		return dialogue.Run(ctx, w, opt.Options, dialogue.Face{
			In: e.in, Out: e.out, Err: e.err, Printer: e.printer(), Now: e.now,
			Dumb: e.getenv("TERM") == "dumb", Quiet: e.quiet,
		})
	})
}

// check finds what contradicts itself.
func (o *reviewOptions) check() error {
	for _, id := range slices.Concat(o.Accept, o.Replace) {
		if slices.Contains(o.Reject, id) {
			return usagef("%s cannot be both accepted and rejected", id)
		}
		if id == "all" {
			return &usageError{
				Err:  errors.New("--accept takes ids"),
				Hint: "cortex land --all takes every pending memory",
			}
		}
	}
	return nil
}

// reportVerdicts prints what was decided.
func reportVerdicts(e *env, out *dialogue.Result, err error) error {
	switch {
	case err != nil:
		return err
	case e.json:
		err = answer.Write(e.out, out)
	default:
		out.Print(e.printer(), e.quiet)
	}
	if err == nil && len(out.Failed) > 0 {
		return errProblems
	}
	return err
}

// undoReview takes the last bulk decision back.
func undoReview(ctx context.Context, e *env, w *workspace.Workspace) error {
	verb, n, err := review.UndoLast(ctx, w)
	return e.show(err, map[string]any{"undone": verb, "count": n}, func(p *console.Printer) {
		p.Printf("Taken back: %s, %s.\n", console.Plural(n, "memory", "memories"), verb)
	})
}

// listReview prints what there is to review.
func listReview(ctx context.Context, e *env, w *workspace.Workspace, opt reviewOptions) error {
	items, v, err := review.List(ctx, w, opt.Options)
	if err != nil {
		return err
	}
	gone, err := w.Views.GoneBranches(ctx)
	return e.show(err, answer.NewReview(items, gone, v), func(p *console.Printer) {
		output.Pending(p, items, opt.limit)
		for _, s := range gone {
			said := console.Join(console.Warn("! "), console.Plain(output.GoneBranch(s)))
			p.Printf("%s\n", console.JoinLines(console.Fold(said, p.Width)))
			p.Printf("  %s\n", console.Dim("cortex review --rehome "+workspace.Quote(s.Branch)))
		}
	})
}
