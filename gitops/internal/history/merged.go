package history

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// Left describes a branch that was checked out, from git's log of HEAD.
type Left struct {
	Tip gitobject.ID // when HEAD left it last
	Own bool         // a commit was made on it, or merged into it
}

// maxLog bounds how many entries of git's logs are read.
const maxLog = 5000

// Noted is an entry of git's log of HEAD or of a branch: what was done, and the commit it
// led to.
type Noted struct {
	Log     string // "HEAD", or a full name such as "refs/heads/main"
	Commit  gitobject.ID
	Parents string // of the commit, as git prints them
	Said    string // such as "commit: subject"
}

// Noted returns git's logs of HEAD in this working tree and of the local branches, as far
// as they go back. Of each log the oldest entry is first.
func (h Reader) Noted(ctx context.Context) ([]Noted, error) {
	return h.noted(ctx, "HEAD", "--branches")
}

func (h Reader) noted(ctx context.Context, logs ...string) ([]Noted, error) {
	args := append([]string{
		"-c", "log.showSignature=false", "log", "-g", "--no-color", "-n", strconv.Itoa(maxLog), "--format=%gD%x00%H%x00%P%x00%gs",
	}, logs...)
	out, err := h.git.Run(ctx, gitcmd.Command{Args: append(args, "--")})
	if gitcmd.ExitCode(err) == 128 {
		return nil, nil // no commit, or no log
	}
	if err != nil {
		return nil, fmt.Errorf("reading the logs of HEAD and branches: %w", err)
	}
	return notedIn(string(out)), nil
}

func notedIn(logs string) []Noted {
	var all []Noted
	for _, line := range slices.Backward(strings.Split(strings.TrimSpace(logs), "\n")) {
		if fields := strings.SplitN(line, "\x00", 4); len(fields) == 4 {
			log, _, _ := strings.Cut(fields[0], "@{")
			all = append(all, Noted{log, gitobject.ID(fields[1]), fields[2], fields[3]})
		}
	}
	return all
}

// Left tells of the branches that this working tree has left, as far as git's log of
// HEAD goes back. They may be gone by now.
func (h Reader) Left(ctx context.Context) (map[string]Left, error) {
	log, err := h.noted(ctx, "HEAD")
	if err != nil || log == nil {
		return nil, err
	}
	return leftIn(log), nil
}

// leftIn goes through the log of HEAD.
func leftIn(log []Noted) map[string]Left {
	out := map[string]Left{}
	branch, at := "", gitobject.ID("")
	for _, entry := range log {
		said := entry.Said
		if moved, ok := strings.CutPrefix(said, "checkout: moving from "); ok {
			from, to, _ := strings.Cut(moved, " to ")
			if at != "" {
				l := out[from]
				l.Tip = at
				out[from] = l
			}
			branch = to
		} else if renamed, ok := strings.CutPrefix(said, "Branch: renamed refs/heads/"); ok {
			_, branch, _ = strings.Cut(renamed, " to refs/heads/")
		} else if branch != "" && works(said) {
			l := out[branch]
			l.Own = true
			out[branch] = l
		}
		at = entry.Commit
	}
	for name, l := range out {
		if l.Tip == "" {
			delete(out, name) // it is checked out
		}
	}
	return out
}

// works reports whether an entry of the log of HEAD is about a commit that was made
// then, as against one that was gone to.
func works(said string) bool {
	for _, kind := range []string{"commit", "cherry-pick", "revert", "rebase (pick)", "am:"} {
		if strings.HasPrefix(said, kind) {
			return true
		}
	}
	return strings.HasPrefix(said, "merge ") && !strings.HasSuffix(said, "Fast-forward")
}

// Reachable reports whether a commit is rev or one of its ancestors, and whether it
// is one of those along first parents: then it may be where a branch only began.
func (h Reader) Reachable(ctx context.Context, commit, rev gitobject.ID) (reachable, first bool, err error) {
	_, err = h.git.Run(ctx, gitcmd.Command{Args: []string{"merge-base", "--is-ancestor", string(commit), string(rev)}})
	if code := gitcmd.ExitCode(err); code == 1 || code == 128 { // it is not, or there is no such commit
		return false, false, nil
	}
	if err != nil {
		return false, false, fmt.Errorf("looking for %s in %s: %w", commit, rev, err)
	}
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{"rev-list", "--first-parent", string(rev), "^" + string(commit) + "^@", "--"}})
	if err != nil {
		return true, false, fmt.Errorf("looking for %s in %s: %w", commit, rev, err)
	}
	return true, slices.Contains(strings.Fields(string(out)), string(commit)), nil
}

// maxSquashes bounds how many commits are looked at for the work of a branch.
const maxSquashes = 12

// Squashed reports whether rev, or a commit that it has since, holds the work of a
// branch with that tip as the branch left it: every file that it changed, of those
// that count. A branch that changed none of them has no work.
func (h Reader) Squashed(ctx context.Context, rev, tip gitobject.ID, counts func(path string) bool) (bool, error) {
	bases, err := h.MergeBases(ctx, rev, tip)
	if err != nil || len(bases) != 1 || bases[0] == tip {
		return false, err
	}
	changed, err := h.changed(ctx, bases[0], tip)
	changed = slices.DeleteFunc(changed, func(p string) bool { return !counts(p) })
	if err != nil || len(changed) == 0 {
		return false, err
	}
	touching, err := h.git.Run(ctx, gitcmd.Command{Args: []string{
		"rev-list", "--first-parent", "-n", strconv.Itoa(maxSquashes), string(rev), "^" + string(bases[0]), "--", ":(top,literal)" + changed[0],
	}})
	if err != nil {
		return false, fmt.Errorf("looking for the work of %s: %w", tip, err)
	}
	for _, at := range append([]gitobject.ID{rev}, gitobject.IDs(touching)...) {
		other, err := h.changed(ctx, tip, at)
		if err != nil {
			return false, err
		}
		if !slices.ContainsFunc(changed, func(p string) bool { _, differs := slices.BinarySearch(other, p); return differs }) {
			return true, nil
		}
	}
	return false, nil
}

// changed lists the paths that differ between two commits, sorted.
func (h Reader) changed(ctx context.Context, a, b gitobject.ID) ([]string, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{
		"diff-tree", "-r", "--name-only", "--no-ext-diff", "--no-renames", "-z", string(a), string(b), "--",
	}})
	if err != nil {
		return nil, fmt.Errorf("comparing %s with %s: %w", a, b, err)
	}
	paths := strings.FieldsFunc(string(out), func(c rune) bool { return c == 0 })
	slices.Sort(paths)
	return paths, nil
}

// AddedBy lists the files below a path that a branch with that tip added since it
// left rev.
func (h Reader) AddedBy(ctx context.Context, rev, tip gitobject.ID, path string) ([]string, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{
		"diff", "--name-only", "--no-ext-diff", "--no-renames", "--diff-filter=A", "--no-relative", "-z", string(rev) + "..." + string(tip), "--", path,
	}})
	if gitcmd.ExitCode(err) == 128 {
		return nil, nil // they have nothing in common
	}
	if err != nil {
		return nil, fmt.Errorf("listing what %s added: %w", tip, err)
	}
	return strings.FieldsFunc(string(out), func(c rune) bool { return c == 0 }), nil
}
