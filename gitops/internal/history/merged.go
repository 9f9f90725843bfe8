package history

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/internal/lists"
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
	return h.noted(ctx, "--branches")
}

func (h Reader) noted(ctx context.Context, options ...string) ([]Noted, error) {
	options = append([]string{"-g", most(maxLog), "--format=%gD%x00%H%x00%P%x00%gs"}, options...)
	out, err := h.log(ctx, "reading the logs of HEAD and branches", options, []string{"HEAD"}, nil)
	return notedIn(out), err
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
	log, err := h.noted(ctx)
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
		moved, switched := strings.CutPrefix(entry.Said, "checkout: moving from ")
		from, to, _ := strings.Cut(moved, " to ")
		_, name, renamed := strings.Cut(entry.Said, " to refs/heads/")
		switch {
		case switched:
			if at != "" {
				out[from] = Left{Tip: at, Own: out[from].Own}
			}
			branch = to
		case renamed && strings.HasPrefix(entry.Said, renaming):
			branch = name
		case branch != "" && works(entry.Said):
			out[branch] = Left{Tip: out[branch].Tip, Own: true}
		}
		at = entry.Commit
	}
	maps.DeleteFunc(out, func(_ string, l Left) bool { return l.Tip == "" }) // it is checked out
	return out
}

// renaming begins what git notes of a branch that was renamed.
const renaming = "Branch: renamed refs/heads/"

// Renames says what branches were renamed to, old name to new, as far as the
// logs of refs remember; where a name was used twice, its last renaming. A
// branch that was renamed twice is there under both of its old names, each with
// the name that came next.
func (h Reader) Renames(ctx context.Context) (map[string]string, error) {
	options := []string{"-g", "--branches", most(1000), "--grep-reflog=^" + renaming, "--format=%gs"}
	out, err := h.log(ctx, "reading the logs of branches", options, nil, nil)
	renames := make(map[string]string)
	for line := range strings.Lines(out) {
		from, to, ok := strings.Cut(strings.TrimSpace(line), " to refs/heads/")
		from, is := strings.CutPrefix(from, renaming)
		if _, newer := renames[from]; ok && is && !newer {
			renames[from] = to
		}
	}
	return renames, err
}

// Heads lists the commits that HEAD of this working tree has named, newest first, as
// far back as git's log of HEAD goes. Only ID and Time, since when, are set.
func (h Reader) Heads(ctx context.Context) ([]Commit, error) {
	// Without a log of HEAD git would show that of the branch.
	if _, err := h.git.Ask(ctx, "looking for the log of HEAD", "reflog", "exists", "HEAD"); gitcmd.ExitCode(err) == 1 {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	out, err := h.log(ctx, "reading the log of HEAD", []string{"-g", "--date=unix", "--format=%H%x00%gd"},
		[]string{"HEAD"}, nil)
	var heads []Commit
	for line := range strings.Lines(out) {
		id, since, _ := strings.Cut(strings.TrimSpace(line), "\x00")
		since = strings.TrimSuffix(strings.TrimPrefix(since, "HEAD@{"), "}")
		if at := unixTime(since); at.Unix() > 0 && gitobject.IsID(id) {
			heads = append(heads, Commit{ID: gitobject.ID(id), Time: at})
		}
	}
	return heads, err
}

// works reports whether an entry of the log of HEAD is about a commit that was made
// then, as against one that was gone to.
func works(said string) bool {
	kinds := []string{"commit", "cherry-pick", "revert", "rebase (pick)", "am:"}
	if slices.ContainsFunc(kinds, func(kind string) bool { return strings.HasPrefix(said, kind) }) {
		return true
	}
	return strings.HasPrefix(said, "merge ") && !strings.HasSuffix(said, "Fast-forward")
}

// Reachable reports whether a commit is rev or one of its ancestors, and whether it
// is one of those along first parents: then it may be where a branch only began.
func (h Reader) Reachable(ctx context.Context, commit, rev gitobject.ID) (reachable, first bool, err error) {
	_, err = h.git.Run(ctx, gitcmd.Command{Args: []string{"merge-base", "--is-ancestor", string(commit), string(rev)}})
	if code := gitcmd.ExitCode(err); slices.Contains([]int{1, 128}, code) { // it is not, or there is no such commit
		return false, false, nil
	}
	if err != nil {
		return false, false, fmt.Errorf("looking for %s in %s: %w", commit, rev, err)
	}
	out, err := h.git.Ask(ctx, fmt.Sprintf("looking for %s in %s", commit, rev),
		"rev-list", "--first-parent", string(rev), "^"+string(commit)+"^@", "--")
	return true, slices.Contains(gitobject.IDs(out), commit), err
}

// maxSquashes bounds how many commits are looked at for the work of a branch.
const maxSquashes = 12

// Squashed returns which commit, of rev and what it has since, holds the work of a
// branch with that tip as the branch left it: every file that it changed, of those
// that count. "" is none; a branch that changed none of them has no work.
func (h Reader) Squashed(ctx context.Context, rev, tip gitobject.ID, counts func(path string) bool) (gitobject.ID,
	error,
) {
	bases, err := h.MergeBases(ctx, rev, tip)
	if err != nil || len(bases) != 1 || bases[0] == tip {
		return "", err
	}
	changed, err := h.changed(ctx, bases[0], tip)
	changed = lists.Without(changed, func(p string) bool { return !counts(p) })
	if err != nil || len(changed) == 0 {
		return "", err
	}
	touching, err := h.git.Ask(ctx, fmt.Sprintf("looking for the work of %s", tip),
		"rev-list", "--first-parent", most(maxSquashes), string(rev), "^"+string(bases[0]), "--",
		":(top,literal)"+changed[0])
	if err != nil {
		return "", err
	}
	for _, at := range append(gitobject.IDs(touching), rev) {
		other, err := h.changed(ctx, tip, at)
		if err != nil {
			return "", err
		}
		differs := func(p string) bool { _, is := slices.BinarySearch(other, p); return is }
		if !slices.ContainsFunc(changed, differs) {
			return at, nil
		}
	}
	return "", nil
}
