package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/pulls"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
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
		Long: `Check all memories, including pending ones and those in quarantine: files that
are not memories, duplicate ids, possible secrets, hidden characters, text that
poses as an agent's harness or gives it orders, links that lead nowhere, texts
that are too long, decisions that contradict each other and that nobody settled,
and memories that a merge or two branches left contested. Also check guards, the
pages of the commit, and the merges since HEAD left the default branch.

A note, which is no finding, names what nobody here is known to have said, or to
vouch for: memories that were read somewhere or have no origin, guards, and what
BASE..HEAD brings that none of the reviewers committed: a finding, if BASE says
land: manual.

BASE..HEAD checks what is committed at HEAD, whatever is checked out. What a
branch says of its own settings does not count: check_accept is read from BASE,
or where the branch left the default branch, and a setting, attribute or
template that it changes is a finding if that weakens what guards the memories.

Exit code 3 means that there are findings: use it in CI.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			opt.words = words
			return runCheck(cmd.Context(), e, opt)
		},
	}
	viewFlags(c, e, &opt.view)
	c.Flags().StringVar(&opt.format, "format", "text", "print as `FORMAT`: text or github (annotations of a workflow)")
	_ = c.RegisterFlagCompletionFunc("format", fixed(pulls.Formats()...))
	return c
}

func runCheck(ctx context.Context, e *env, opt checkOptions) error {
	if !slices.Contains(pulls.Formats(), opt.format) {
		return usagef("unknown format %q: %s", opt.format, strings.Join(pulls.Formats(), ", "))
	}
	if len(opt.words) > 0 && (opt.view.At != "" || opt.view.Branch != "" || opt.view.global) {
		return usagef("a range and --at, --branch or --global exclude each other")
	}
	return e.with(ctx, opening{reads: true, global: opt.view.global}, func(w *workspace.Workspace) error {
		s, err := pulls.ScopeOf(ctx, w, opt.words, opt.view.ViewOptions, opt.view.global)
		if err != nil {
			return err
		}
		report, err := doctor.Findings(ctx, w, s.View, s.Accepted)
		if err != nil {
			return err
		}
		history, err := s.History(ctx, w)
		if err != nil {
			return err
		}
		report.Findings = slices.Concat(report.Findings, s.OfPolicy(), history)
		if e.json {
			err = answer.Write(e.out, answer.NewFindings(report, s.Unreviewed))
		} else {
			err = pulls.Findings(e.printer(), opt.format, pulls.Checked{
				Findings: report.Findings, Unproven: report.Unproven, Unreviewed: s.Unreviewed, Idle: report.Idle,
				Memories: len(report.View.Items), Quarantined: len(report.View.Quarantine()), Quiet: e.quiet,
			})
		}
		if err == nil && len(report.Findings) > 0 {
			return errProblems
		}
		return err
	})
}
