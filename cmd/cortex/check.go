package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/pulls"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/certify"
	"github.com/git-cortex/cortex/workspace/changes"
	"github.com/git-cortex/cortex/workspace/doctor"
)

// checkOptions are the argument and the flags of check.
type checkOptions struct {
	words  []string // a range whose merges are checked; none for those since the default branch
	view   viewOptions
	format string
}

func newCheckCommand(e *env) *cobra.Command {
	var opt checkOptions
	c := &cobra.Command{
		Use: "check [BASE..HEAD]", Short: "Check all memories, as a reviewer would", Args: args(0, 1),
		Long: `Check all memories, including pending ones: files that are not memories,
duplicate ids, possible secrets, hidden characters, text that poses as an
agent's harness or gives it orders, links that lead nowhere, texts that are too
long, decisions that contradict each other and that nobody settled, and
memories that a merge or two branches left contested. Also check the pages of
the commit, and the merges that HEAD brings since it left the default branch, or
those of a range. Exit code 3 means that there are findings: use it in CI.`,
		Example: "  cortex check\n  cortex check origin/main..HEAD --format github\n  cortex check --at origin/main --json",
		RunE: func(cmd *cobra.Command, words []string) error {
			opt.words = words
			return runCheck(cmd.Context(), e, opt)
		},
	}
	viewFlags(c, e, &opt.view)
	c.Flags().StringVar(&opt.format, "format", "text", "print as `FORMAT`: text, github (annotations of a workflow) or sarif")
	_ = c.RegisterFlagCompletionFunc("format", fixed(pulls.Formats()...))
	return c
}

func runCheck(ctx context.Context, e *env, opt checkOptions) error {
	if !slices.Contains(pulls.Formats(), opt.format) {
		return usagef("unknown format %q: %s", opt.format, strings.Join(pulls.Formats(), ", "))
	}
	return e.with(ctx, opening{reads: true, global: opt.view.global}, func(w *workspace.Workspace) error {
		found, v, err := doctor.Findings(ctx, w, opt.view.ViewOptions)
		if err != nil {
			return err
		}
		history, err := checkHistory(ctx, w, opt)
		if err != nil {
			return err
		}
		found = append(found, history...)
		if e.json {
			err = answer.Write(e.out, answer.NewFindings(found, v))
		} else {
			err = pulls.Findings(e.printer(), opt.format, pulls.Checked{Findings: found, Memories: len(v.Items), Quiet: e.quiet, Version: version()})
		}
		if err == nil && len(found) > 0 {
			return errProblems
		}
		return err
	})
}

// checkHistory looks at the pages of the commit and at the merges of the range. Without
// a range, one that cannot be told is none.
func checkHistory(ctx context.Context, w *workspace.Workspace, opt checkOptions) ([]doctor.Finding, error) {
	if opt.view.global || opt.view.Branch != "" {
		return nil, nil
	}
	rev := "HEAD"
	if opt.view.At != "" {
		var err error
		if rev, err = workspace.Revision(ctx, w.Repo, opt.view.At, w.Now(), false); err != nil {
			return nil, err
		}
	}
	problems, err := certify.Pages(ctx, w, rev)
	if err != nil {
		return nil, err
	}
	at, err := changes.Choose(ctx, w, opt.words, false)
	switch {
	case err == nil:
		merges, err := certify.Since(ctx, w, at.Base, at.Head)
		if err != nil {
			return nil, err
		}
		problems = append(problems, merges...)
	case len(opt.words) > 0:
		return nil, err
	case errors.Is(err, changes.ErrShallow):
		w.Notice("%v: merges were not checked", err)
	}
	return pulls.OfHistory(problems), nil
}
