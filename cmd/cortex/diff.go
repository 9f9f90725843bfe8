package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/pulls"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/changes"
)

// diffOptions are the arguments and the flags of diff.
type diffOptions struct {
	words              []string
	worktree, markdown bool
}

func newDiffCommand(e *env) *cobra.Command {
	var opt diffOptions
	c := &cobra.Command{
		Use: "diff [BASE..HEAD]", Short: "Show what commits do to memories, for a review", Args: args(0, 2),
		Long: `Show what a branch does to memories: which it adds, changes, removes, supersedes
or contests, and which its changes of code make stale. Without a range this is
what HEAD brings since it left the default branch; BASE..HEAD is what HEAD
brings since it left BASE. Two revisions OLD NEW are compared as they are.

--markdown prints a comment for a pull request, in which nothing of a memory is
a link, a mention or HTML. It needs no set-up and no network.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			opt.words = words
			return runDiff(cmd.Context(), e, opt)
		},
		ValidArgsFunction: completeBranches(e),
	}
	c.Flags().BoolVar(&opt.worktree, "worktree", false, "compare with the files that are checked out, instead of HEAD")
	c.Flags().BoolVar(&opt.markdown, "markdown", false, "print a comment for a pull request")
	return c
}

func runDiff(ctx context.Context, e *env, opt diffOptions) error {
	if opt.markdown && e.json {
		return &usageError{Err: errors.New("--markdown and --json exclude each other"), Hint: "cortex diff --help"}
	}
	return e.with(ctx, opening{reads: opt.worktree}, func(w *workspace.Workspace) error {
		at, err := changes.Choose(ctx, w, opt.words, opt.worktree)
		if err != nil {
			return err
		}
		r, err := pulls.Read(ctx, w, at)
		switch {
		case err != nil:
			return err
		case e.json:
			return answer.Write(e.out, r)
		case opt.markdown:
			_, err = e.out.Write([]byte(pulls.Markdown(r)))
			return err
		}
		pulls.Text(e.printer(), r)
		return nil
	})
}
