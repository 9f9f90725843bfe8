package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/lifecycle"
)

// gcOptions are the flags of gc.
type gcOptions struct {
	dry, yes bool
	limit    int // 0 is all
}

func newGCCommand(e *env) *cobra.Command {
	var opt gcOptions
	c := &cobra.Command{
		Use: "gc", Short: "Propose to remove what faded, or is older than you keep it", Args: args(0, 0),
		Long: `List the memories that have been archived for 30 days: what they say was never
confirmed or used, and nobody looked at them. Then ask whether to remove them.
Without a terminal nothing is removed unless --yes is given, and an agent cannot
remove any. One that another memory relies on stays.

More than a fifth of all memories never goes at once; --limit takes the oldest.
Both figures are in .cortex/config.yaml. What was removed is brought back by
cortex restore, and a search or cortex show that finds an archived memory makes
it active again.

The settings retain.pending_days, retain.notes_days, retain.sessions_days and
retain.snapshots_days say how long this clone keeps what no commit holds; none
is set at first. No command brings back what is removed by them, but the history
of the journal still has it: to delete a text for good, run cortex purge. Pinned
memories stay, and so does what came from a remote.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runGC(cmd.Context(), e, opt)
		},
	}
	c.Flags().BoolVar(&opt.dry, "dry-run", false, "only list them")
	c.Flags().BoolVar(&opt.yes, "yes", false, "remove them without asking")
	c.Flags().IntVarP(&opt.limit, "limit", "n", 0, "take at most `N`, those archived the longest; 0 means all")
	return c
}

func runGC(ctx context.Context, e *env, opt gcOptions) error {
	return e.with(ctx, opening{reads: true, sweeps: !opt.dry}, func(w *workspace.Workspace) error {
		p, err := lifecycle.Propose(ctx, w)
		if err != nil {
			return err
		}
		if opt.limit > 0 {
			p.Oldest(opt.limit)
		}
		removed, err := removeOld(ctx, e, w, p, opt)
		if err != nil || !e.json {
			return err
		}
		return answer.Write(e.out, answer.NewCollection(p, removed))
	})
}

// removeOld lists a proposal and removes it at a person's word.
func removeOld(ctx context.Context, e *env, w *workspace.Workspace, p *lifecycle.Proposal,
	opt gcOptions,
) (removed bool, err error) {
	if !e.json {
		output.Expired(e.printer(), p)
	}
	if opt.dry || p.Empty() {
		return false, nil
	}
	if err := p.Check(); err != nil {
		hint := "cortex forget ID removes a single one"
		if p.Most > 0 {
			hint = fmt.Sprintf("cortex gc --limit %d", p.Most)
		}
		return false, answer.WithHint(err, hint)
	}
	sure, err := e.confirm(ctx, "Remove what is listed? [y/N] ", opt.yes)
	if err != nil || !sure {
		return false, err
	}
	if err := p.CarryOut(ctx, w); err != nil {
		return false, err
	}
	if !e.json {
		output.Collected(e.printer(), p, e.quiet)
	}
	return true, nil
}

// confirm asks a person, who may have said it already, before memories are removed. An
// agent is refused. Where nobody can be asked the answer is no.
func (e *env) confirm(ctx context.Context, question string, said bool) (bool, error) {
	switch {
	case e.agents():
		return false, answer.WithHint(errors.New("an agent does not remove several memories"),
			"show the list to the user and let them run the command")
	case said:
		return true, nil
	case e.json:
		return false, nil
	case !e.keyboard, e.quiet:
		e.errPrinter().Printf("hint: to remove them: --yes\n")
		return false, nil
	}
	e.errPrinter().Printf("%s", question)
	return e.yes(ctx), nil
}
