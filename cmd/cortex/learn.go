package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/pulls"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/changes"
	"github.com/git-cortex/cortex/workspace/threads"
)

func newLearnCommand(e *env) *cobra.Command {
	var dry, apply bool
	c := &cobra.Command{
		Use: "learn-from-review [BASE..HEAD]", Short: "Learn from the review of a pull request", Args: args(0, 1),
		Long: `Learn from the review of a pull request. A comment that was followed by a
change, and that speaks of more than its lines, becomes a proposed rule or
decision; a suggestion that was turned down with a reason becomes a rejection.
They are pending for this branch and wait for you: cortex review.

Standard input is JSON as the API of the forge gives it, one value after the
other: of GitHub the pull request, its review comments or review threads
(GraphQL) and its comments; of GitLab the merge request, its discussions and the
members of the project. Only who may write to the repository is heard as a
person.

--apply does what replies ask for, in the working tree: "cortex: no ID" removes
a memory that the pull request adds, "cortex: keep ID" writes a proposed one.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			return runLearn(cmd.Context(), e, words, dry, apply)
		},
		ValidArgsFunction: completeBranches(e),
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "write nothing, and say what would be proposed")
	c.Flags().BoolVar(&apply, "apply", false, "only do what replies ask for, in the files of the working tree")
	c.MarkFlagsMutuallyExclusive("dry-run", "apply")
	return c
}

func runLearn(ctx context.Context, e *env, words []string, dry, apply bool) error {
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		_, r, err := reviewed(ctx, w, e.in, words)
		switch {
		case err != nil:
			return err
		case apply:
			err = threads.Apply(ctx, w, r.Replies)
		case !dry:
			err = threads.Propose(ctx, w, r.Lessons)
		}
		return e.show(err, r, func(p *console.Printer) { pulls.Learned(p, r, pulls.Done{Dry: dry, Applied: apply}) })
	})
}

// reviewed reads what was said about a range, and what it adds.
func reviewed(ctx context.Context, w *workspace.Workspace, in io.Reader, words []string) (*changes.Report,
	*threads.Review, error,
) {
	at, err := changes.Choose(ctx, w, words, false)
	if err != nil {
		return nil, nil, err
	}
	report, err := changes.Read(ctx, w, at)
	if err != nil {
		return nil, nil, err
	}
	talk, err := threads.Read(in)
	if err != nil {
		return nil, nil, err
	}
	r, err := threads.Learn(ctx, w, talk, report.Added)
	return report, r, err
}
