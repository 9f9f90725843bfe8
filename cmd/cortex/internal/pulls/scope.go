package pulls

import (
	"cmp"
	"context"
	"errors"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/certify"
	"github.com/git-cortex/cortex/workspace/changes"
	"github.com/git-cortex/cortex/workspace/doctor"
)

// Scope is the state that a check is about, and the settings by which it judges.
type Scope struct {
	View     workspace.ViewOptions
	Accepted []string         // by the branch that the range is to go into
	Policy   []changes.Policy // what the range changes of the settings
	// Unreviewed are the memory files of the range that no reviewer committed, by the settings of the same branch.
	Unreviewed []changes.Unreviewed

	manual bool          // there nothing lands by itself
	rev    string        // whose pages are checked; "" for none
	at     changes.Range // whose merges are checked
}

// ScopeOf returns what a check is about: the range that words name, as it is committed; or else a view,
// with what it brings since it left the default branch. A global store has no history.
func ScopeOf(ctx context.Context, w *workspace.Workspace, words []string, view workspace.ViewOptions,
	global bool,
) (*Scope, error) {
	s := &Scope{View: view, Accepted: w.Config.CheckAccept}
	if global {
		return s, nil
	}
	s.rev = "HEAD"
	var err error
	switch {
	case len(words) > 0:
		if s.at, err = changes.Choose(ctx, w, words, false); err != nil {
			return nil, err
		}
		s.rev = string(s.at.Head)
		s.View.At = s.rev
	case view.At != "":
		if s.rev, err = w.Views.Revision(ctx, view.At, false); err != nil {
			return nil, err
		}
		s.View.At = s.rev
		s.at, err = changes.Since(ctx, w, s.rev)
	case view.Branch != "":
		s.rev = ""
		s.at, err = changes.Since(ctx, w, view.Branch)
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
	return s, s.judgeBy(ctx, w, len(words) > 0)
}

// judgeBy takes the settings from where the range began, and looks for what it changes in
// them. Where the default branch is checked out and nobody named a range, what is there
// holds.
func (s *Scope) judgeBy(ctx context.Context, w *workspace.Workspace, named bool) error {
	if s.at.Base == "" || !named && s.isSettled(ctx, w) {
		return nil
	}
	judge, err := changes.PolicyAt(ctx, w, cmp.Or(s.at.Tip, s.at.Base))
	if err != nil {
		return err
	}
	s.Accepted = judge.CheckAccept
	s.manual = judge.Land == "manual"
	s.Unreviewed, err = changes.UnreviewedOf(ctx, w, s.at)
	at := s.at
	at.Worktree = s.ofWorktree()
	policy, failed := changes.Policies(ctx, w, at)
	s.Policy = policy
	return errors.Join(err, failed)
}

// ofWorktree reports whether what is checked out is checked, and no other state.
func (s *Scope) ofWorktree() bool { return s.View.At == "" && s.View.Branch == "" }

// isSettled reports whether the working tree has no branch of its own that a policy could judge.
func (s *Scope) isSettled(ctx context.Context, w *workspace.Workspace) bool {
	return s.ofWorktree() && (s.at.Base == s.at.Head || changes.OnDefaultBranch(ctx, w))
}

// History looks at the pages of the commit and at the merges of the range.
func (s *Scope) History(ctx context.Context, w *workspace.Workspace) ([]doctor.Finding, error) {
	if s.rev == "" {
		return nil, nil
	}
	problems, err := certify.Pages(ctx, w, s.rev)
	if err != nil {
		return nil, err
	}
	merges, err := certify.LostBetween(ctx, w, s.at.Base, s.at.Head)
	return OfHistory(append(problems, merges...)), err
}
