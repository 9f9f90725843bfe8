// Package trust tells the memory files of a working tree that came with a branch of
// somebody else, which nobody here has reviewed, from those that this clone trusts.
//
// Call [Rule.Unreviewed]. It asks git alone, and only about this clone: branches as they
// were last seen, git's own logs of what was done here. What a commit says of itself
// counts only where no stranger can have put it. The promise is that what is trusted once
// stays so, and that an error trusts nothing. The rule is "Trust" of docs/behaviour.md, its
// reasons are in docs/design/0013-what-strangers-bring-waits.md.
package trust

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace/internal/facts"
)

// Rule says which branches a clone trusts.
type Rule struct {
	Repo     *gitops.Repo
	Folder   string     // of the files that it is about
	Note     facts.Kind // under which it keeps what it found out
	Settings func(context.Context) Settings
	Patience time.Duration // of a caller whose time is limited, see [Rule.Unreviewed]; 0 for that of a server
}

// Settings are the user's own words on what to trust.
type Settings struct {
	Standard string   // the default branch; "" where the user named none
	Patterns []string // branches that are trusted besides
	Alone    bool     // there is no remote
	Folds    bool     // the file system takes names that differ in case, or in how an accent is composed, for one
}

// homes are the remotes that count as the project's own by their name, besides the one
// that the default branch follows.
func homes() []string { return []string{"origin", "upstream"} }

// Unreviewed returns the contents of memory files that commits of HEAD brought and that
// this clone does not trust, those of files at paths that are not there any more too.
// Where nothing is, it costs one small file. A context with a deadline is that of a hook
// or a server: it waits no longer than its patience, and after so many of [tries] not at
// all, but goes by what was found out last: about this commit, else about the one before
// it, whose contents it trusts as far as they were trusted there. If nothing was, it is an
// error. One that is cancelled says nothing of how long it takes.
func (r *Rule) Unreviewed(ctx context.Context) (map[string]bool, error) {
	head := r.Repo.Head
	if head == "" {
		return nil, nil // before the first commit, everything is of this clone
	}
	last := parseVerdict(facts.Read(r.Repo, r.Note), head)
	if last.all {
		return nil, nil // what is trusted once stays so
	}
	if _, limited := ctx.Deadline(); limited {
		return r.withinPatience(ctx, last)
	}
	found, err := r.judge(ctx, last)
	if err != nil {
		return nil, err
	}
	r.note(found, last)
	return found.blobs()
}

// withinPatience is [Rule.Unreviewed] for a caller whose time is limited.
func (r *Rule) withinPatience(ctx context.Context, last verdict) (map[string]bool, error) {
	who := hook
	if r.Patience == 0 {
		who = server
	}
	if last.tried[who] >= tries {
		return last.blobs()
	}
	asking, cancel := context.WithTimeout(ctx, cmp.Or(r.Patience, leisure))
	defer cancel()
	found, err := r.judge(asking, last)
	if err != nil && errors.Is(asking.Err(), context.DeadlineExceeded) {
		found = r.follow(ctx, last)
		found.tried[who]++
		facts.Write(r.Repo, r.Note, found.words())
		return found.blobs()
	}
	if err != nil {
		return nil, err
	}
	r.note(found, last)
	return found.blobs()
}

// note keeps a verdict, unless it is the last one.
func (r *Rule) note(found, last verdict) {
	if !found.same(last) {
		facts.Write(r.Repo, r.Note, found.words())
	}
}

// judge asks git what of HEAD is trusted, unless the last verdict still holds.
func (r *Rule) judge(ctx context.Context, last verdict) (verdict, error) {
	q := &question{Rule: r, settings: r.Settings(ctx), rebases: map[rebase]bool{}}
	if q.settings.standardIs(r.Repo.Branch) {
		return verdict{head: last.head, all: true}, nil // and git need not be asked
	}
	if err := q.ask(ctx); err != nil {
		return verdict{}, fmt.Errorf("finding out which branches to trust: %w", err)
	}
	if q.all {
		return verdict{head: last.head, all: true}, nil
	}
	q.mail = r.Repo.History().Committer(ctx)
	state := q.state()
	if last.state == state {
		last.tried = [callers]int{}
		return last, nil
	}
	waits, err := q.unreviewed(ctx, gitops.ObjectID(r.Repo.Head))
	if err != nil {
		return verdict{}, fmt.Errorf("finding out what came with this branch: %w", err)
	}
	return verdict{head: last.head, state: state, waits: waits}, nil
}

// standardIs reports whether a branch is known to be the default one without asking git: by the
// user's word, or because there is no remote and it is called main.
func (s *Settings) standardIs(branch string) bool {
	if s.Standard == "" && s.Alone {
		return branch == "main"
	}
	return branch != "" && branch == s.Standard
}

// question is a rule with what git says of the branches of a clone.
type question struct {
	*Rule
	settings Settings
	all      bool              // HEAD is trusted, or no branch is known that is
	trusted  []gitops.ObjectID // the tips of trusted branches
	pushed   []gitops.ObjectID // the tips of all branches of the project's own remotes
	remotes  []string          // these
	mail     string            // of whoever commits here
	standard string            // the default branch

	held    map[gitops.ObjectID]bool // what the journal has had; nil before it was asked
	log     *clonelog                // what was done in this clone; nil before it was read
	rebases map[rebase]bool          // whether all that they moved is trusted
}

// ask finds the branches that are trusted.
func (q *question) ask(ctx context.Context) error {
	tips, err := q.Repo.History().Tips(ctx)
	if err != nil {
		return err
	}
	if q.all = q.findStandard(tips); q.all {
		return nil
	}
	specs, err := q.Repo.Remotes().Refspecs(ctx)
	if err != nil {
		return err
	}
	follows := q.follows(ctx, tips)
	for _, t := range tips {
		q.take(t, q.ofHome(t.Ref) && !proposed(specs, t.Ref), follows)
	}
	q.all = len(q.trusted) == 0 || slices.Contains(q.trusted, gitops.ObjectID(q.Repo.Head))
	return nil
}

// take takes in the tip of a branch, which may be one of the project's own remotes.
func (q *question) take(t gitops.Tip, home bool, follows string) {
	if home {
		q.pushed = append(q.pushed, t.Commit)
	}
	if home && t.Ref == follows || q.trusts(t.Ref, home) {
		q.trusted = append(q.trusted, t.Commit)
	}
}

// findStandard finds the default branch and the remotes of the project, and reports whether that
// settles the question: there is none, every branch is trusted, or HEAD is its tip.
func (q *question) findStandard(tips []gitops.Tip) (settled bool) {
	q.standard = cmp.Or(q.settings.Standard, standard(tips))
	if q.standard == "" || slices.Contains(q.settings.Patterns, "**") {
		return true
	}
	q.remotes = homes()
	own, ok := tipOf(tips, "refs/heads/"+q.standard)
	if own.Remote != "" {
		q.remotes = append(q.remotes, own.Remote)
	}
	return ok && string(own.Commit) == q.Repo.Head
}

// tipOf is the tip of a ref.
func tipOf(tips []gitops.Tip, ref string) (gitops.Tip, bool) {
	i := slices.IndexFunc(tips, func(t gitops.Tip) bool { return t.Ref == ref })
	if i < 0 {
		return gitops.Tip{}, false
	}
	return tips[i], true
}

// follows is the ref that the branch which is checked out follows, if somebody has worked on that
// branch here; "" for none.
func (q *question) follows(ctx context.Context, tips []gitops.Tip) string {
	t, ok := tipOf(tips, "refs/heads/"+q.Repo.Branch)
	if !ok || t.Upstream == "" {
		return ""
	}
	if worked, err := q.Repo.History().Worked(ctx, q.Repo.Branch); err != nil || !worked {
		return ""
	}
	return t.Upstream
}

// trusts reports whether a ref is the default branch, here or at home, or is named in the settings.
func (q *question) trusts(ref string, home bool) bool {
	return ref == "refs/heads/"+q.standard || home && q.isStandard(ref) || matches(q.settings.Patterns, ref)
}

// standard is the default branch: that of a remote which is the project's own by its
// name, else the usual ones; what another remote calls so does not count. "" is for none.
func standard(tips []gitops.Tip) string {
	for _, remote := range homes() {
		prefix := "refs/remotes/" + remote + "/"
		head, _ := tipOf(tips, prefix+"HEAD")
		if name, ok := strings.CutPrefix(head.Points, prefix); ok {
			return name
		}
	}
	for _, name := range []string{"main", "master", "trunk"} {
		if _, ok := tipOf(tips, "refs/heads/"+name); ok {
			return name
		}
	}
	return ""
}

func (q *question) ofHome(ref string) bool {
	return slices.ContainsFunc(q.remotes, func(r string) bool {
		return strings.HasPrefix(ref, "refs/remotes/"+r+"/")
	})
}

// proposed reports whether a ref is a [proposal] by a setting of any remote.
func proposed(specs []gitops.Refspec, ref string) bool {
	return slices.ContainsFunc(specs, func(s gitops.Refspec) bool { return proposal(s, ref) })
}

// proposal reports whether a setting of a remote keeps at a ref what is no branch of the
// remote, as what strangers propose.
func proposal(s gitops.Refspec, ref string) bool {
	if _, kept := s.Source(ref); !kept {
		return false
	}
	_, branch := s.Branch(ref)
	return !branch
}

// isStandard reports whether a ref of a home remote is the default branch there.
func (q *question) isStandard(ref string) bool {
	return slices.ContainsFunc(q.remotes, func(r string) bool { return ref == "refs/remotes/"+r+"/"+q.standard })
}

// matches reports whether a setting names a branch: as "release/*", "origin/release" or
// the name of a remote for all branches of it.
func matches(patterns []string, ref string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), "refs/remotes/")
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, name)
		return err == nil && ok || p != "" && strings.HasPrefix(name, p+"/")
	})
}

// state names everything that the answer for a commit depends on.
func (q *question) state() string {
	sum := sha256.New()
	fmt.Fprintln(sum, q.mail, q.trusted, q.pushed, q.settings.Folds)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// unreviewed lists the contents of a commit that wait. It goes from what costs least to
// what costs most, until nothing is left.
func (q *question) unreviewed(ctx context.Context, rev gitops.ObjectID) ([]string, error) {
	brought, err := q.Repo.History().BroughtSince(ctx, rev, q.trusted, spec(q.Folder, q.settings.Folds))
	brought = q.inFolder(brought)
	if err != nil || len(brought) == 0 {
		return nil, err
	}
	left := map[gitops.ObjectID][]gitops.Brought{}
	for _, b := range brought {
		left[b.Blob] = append(left[b.Blob], b)
	}
	for _, step := range []func(context.Context, map[gitops.ObjectID][]gitops.Brought) error{
		q.madeHere, q.reachedOtherwise, q.pushedByMe, q.combinedHere,
	} {
		if len(left) == 0 {
			break
		}
		if err := step(ctx, left); err != nil {
			return nil, err
		}
	}
	var blobs []string
	for blob := range left {
		blobs = append(blobs, string(blob))
	}
	slices.Sort(blobs)
	return blobs, nil
}

// madeHere takes out what somebody committed in this clone: git noted a commit, by
// whoever commits here, or the content was in this clone's journal. That also holds for
// what a rebase has written anew.
func (q *question) madeHere(ctx context.Context, left map[gitops.ObjectID][]gitops.Brought) error {
	if err := q.readLog(ctx); err != nil {
		return err
	}
	for i := range q.log.acts {
		act := &q.log.acts[i]
		if _, wanted := left[act.Blob]; wanted && q.committedByMe(ctx, act) {
			delete(left, act.Blob)
		}
	}
	return nil
}

// committedByMe reports whether whoever commits here committed by hand what a commit brought.
func (q *question) committedByMe(ctx context.Context, b *gitops.Brought) bool {
	return q.log.committed(b) && q.byMe(ctx, b)
}

// byMe reports whether whoever commits here made a commit that was made in this clone,
// or else Cortex had what it brought in the journal, as when an agent commits by a name
// of its own.
func (q *question) byMe(ctx context.Context, b *gitops.Brought) bool {
	if q.mail == "" || b.Committer == q.mail {
		return true
	}
	if q.held == nil {
		q.held = q.Repo.Journal().EverHeld(ctx) // once: it goes through the whole history
	}
	return q.held[b.Blob]
}

// reachedOtherwise takes out what a trusted branch has too, as after a squash or a
// cherry-pick.
func (q *question) reachedOtherwise(ctx context.Context, left map[gitops.ObjectID][]gitops.Brought) error {
	var paths []string
	for _, list := range left {
		for _, b := range list {
			paths = append(paths, b.Path)
		}
	}
	slices.Sort(paths)
	for _, tip := range q.trusted {
		there, err := q.Repo.PathsAt(ctx, string(tip), slices.Compact(paths))
		if err != nil {
			return err
		}
		for _, blob := range there {
			delete(left, blob)
		}
	}
	return nil
}

// pushedByMe takes out what bears the mail address of whoever commits here, where only
// somebody who may push can have put it: on a branch of the project's own remotes.
func (q *question) pushedByMe(ctx context.Context, left map[gitops.ObjectID][]gitops.Brought) error {
	if q.mail == "" || len(q.pushed) == 0 {
		return nil
	}
	var mine []gitops.ObjectID
	for _, list := range left {
		for i := range list {
			if q.signed(&list[i]) {
				mine = append(mine, list[i].Commit)
			}
		}
	}
	if len(mine) == 0 {
		return nil
	}
	outside, err := q.Repo.History().Outside(ctx, mine, q.pushed)
	if err != nil {
		return err
	}
	pushed := func(b gitops.Brought) bool { return q.signed(&b) && !outside[b.Commit] }
	maps.DeleteFunc(left, func(_ gitops.ObjectID, list []gitops.Brought) bool {
		return slices.ContainsFunc(list, pushed)
	})
	return nil
}

// signed reports whether a commit that is no merge bears the mail address of whoever commits here.
func (q *question) signed(b *gitops.Brought) bool {
	return !b.Merged() && (b.Author == q.mail || b.Committer == q.mail)
}
