package main

import (
	"cmp"
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
		Long: `Check all memories, including pending ones and those in quarantine: files that
are not memories, duplicate ids, possible secrets, hidden characters, text that
poses as an agent's harness or gives it orders, links that lead nowhere, texts
that are too long, decisions that contradict each other and that nobody settled,
and memories that a merge or two branches left contested. Also check the pages
of the commit, and the merges that HEAD brings since it left the default branch.

A note, which is no finding, names the memories that nobody here is known to
have said: their words were read somewhere, or no origin was established.

BASE..HEAD checks what is committed at HEAD, whatever is checked out. What a
branch says of its own settings does not count: check_accept is read from BASE,
or where the branch left the default branch, and a setting, attribute or
template that it changes is a finding if that weakens what guards the memories.

Exit code 3 means that there are findings: use it in CI.`,
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
	if len(opt.words) > 0 && (opt.view.At != "" || opt.view.Branch != "" || opt.view.global) {
		return usagef("a range and --at, --branch or --global exclude each other")
	}
	return e.with(ctx, opening{reads: true, global: opt.view.global}, func(w *workspace.Workspace) error {
		s, err := scopeOf(ctx, w, opt)
		if err != nil {
			return err
		}
		report, err := doctor.Findings(ctx, w, s.view, s.accepted)
		if err != nil {
			return err
		}
		history, err := s.history(ctx, w)
		if err != nil {
			return err
		}
		report.Findings = slices.Concat(report.Findings, pulls.OfPolicy(s.policy), history)
		if e.json {
			err = answer.Write(e.out, answer.NewFindings(report))
		} else {
			err = pulls.Findings(e.printer(), opt.format, pulls.Checked{
				Findings: report.Findings, Unproven: report.Unproven, Memories: len(report.View.Items),
				Quarantined: len(report.View.Quarantine()), Quiet: e.quiet, Version: version(),
			})
		}
		if err == nil && len(report.Findings) > 0 {
			return errProblems
		}
		return err
	})
}

// checkScope holds the state that a check is about, and the settings by which it judges.
type checkScope struct {
	view     workspace.ViewOptions
	rev      string           // whose pages are checked; "" for none
	at       changes.Range    // whose merges are checked
	accepted []string         // by the branch that the range is to go into
	policy   []changes.Policy // what the range changes of the settings
}

// scopeOf finds what a check is about: a range that is named, as it is committed; or else
// a state, with what it brings since it left the default branch.
func scopeOf(ctx context.Context, w *workspace.Workspace, opt checkOptions) (*checkScope, error) {
	s := &checkScope{view: opt.view.ViewOptions, accepted: w.Config.CheckAccept}
	if opt.view.global {
		return s, nil
	}
	s.rev = "HEAD"
	var err error
	switch {
	case len(opt.words) > 0:
		if s.at, err = changes.Choose(ctx, w, opt.words, false); err != nil {
			return nil, err
		}
		s.rev = string(s.at.Head)
		s.view.At = s.rev
	case opt.view.At != "":
		if s.rev, err = w.Views.Revision(ctx, opt.view.At, false); err != nil {
			return nil, err
		}
		s.at, err = changes.Since(ctx, w, s.rev)
	case opt.view.Branch != "":
		s.rev = ""
		s.at, err = changes.Since(ctx, w, opt.view.Branch)
	default:
		s.at, err = changes.Choose(ctx, w, nil, false)
	}
	if errors.Is(err, changes.ErrShallow) {
		w.Notice("%v: merges were not checked, and the settings are those of this branch", err)
	}
	if err != nil { // what it came from is not known
		s.at = changes.Range{}
		return s, nil
	}
	return s, s.judgeBy(ctx, w, len(opt.words) > 0)
}

// judgeBy takes the settings from where the range began, and looks for what it changes in
// them. Where the default branch is checked out and nobody named a range, what is there
// holds.
func (s *checkScope) judgeBy(ctx context.Context, w *workspace.Workspace, named bool) error {
	if s.at.Base == "" || !named && s.isSettled(ctx, w) {
		return nil
	}
	judge, err := changes.PolicyAt(ctx, w, cmp.Or(s.at.Tip, s.at.Base))
	if err != nil {
		return err
	}
	s.accepted = judge.CheckAccept
	at := s.at
	at.Worktree = s.ofWorktree()
	s.policy, err = changes.Policies(ctx, w, at)
	return err
}

// ofWorktree reports whether what is checked out is checked, and no other state.
func (s *checkScope) ofWorktree() bool { return s.view.At == "" && s.view.Branch == "" }

// isSettled reports whether the working tree has no branch of its own that a policy could judge.
func (s *checkScope) isSettled(ctx context.Context, w *workspace.Workspace) bool {
	return s.ofWorktree() && (s.at.Base == s.at.Head || changes.OnDefaultBranch(ctx, w))
}

// history looks at the pages of the commit and at the merges of the range.
func (s *checkScope) history(ctx context.Context, w *workspace.Workspace) ([]doctor.Finding, error) {
	if s.rev == "" {
		return nil, nil
	}
	problems, err := certify.Pages(ctx, w, s.rev)
	if err != nil {
		return nil, err
	}
	merges, err := certify.LostBetween(ctx, w, s.at.Base, s.at.Head)
	return pulls.OfHistory(append(problems, merges...)), err
}
