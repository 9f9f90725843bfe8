package history

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/internal/lists"
)

// renames are the options by which git prints renames, as far as it recognises them.
func renames() []string {
	return []string{"-z", "-M", "-l1000", "--no-ext-diff", "--no-color", "--name-status", "--diff-filter=R"}
}

// Moved says which files have another path at a newer commit than at an older one,
// old path to new, as far as git recognises them.
func (h Reader) Moved(ctx context.Context, older, newer gitobject.ID) (map[string]string, error) {
	args := slices.Concat([]string{"diff-tree", "-r"}, renames(), []string{string(older), string(newer), "--"})
	out, err := h.git.Ask(ctx, fmt.Sprintf("looking for files that moved between %s and %s", older, newer), args...)
	return renamed(out), err
}

// MovedSince says which of some files that HEAD does not have were renamed since a time, and to
// what, as far as git recognises it. Only the newest name is found that a commit gave to a file
// under one of these names.
func (h Reader) MovedSince(ctx context.Context, since time.Time, paths []string) (map[string]string, error) {
	options := append(renames(), "--full-diff", "--format=", "--since="+since.UTC().Format(time.RFC3339))
	out, err := h.log(ctx, "looking for files that were renamed", options, []string{"HEAD"}, literals(paths))
	return renamed(out), err
}

// MovedStaged says which files of HEAD have another name in the index.
func (h Reader) MovedStaged(ctx context.Context) (map[string]string, error) {
	args := slices.Concat([]string{"diff", "--cached", "--no-relative"}, renames(), []string{"HEAD", "--"})
	out, err := h.git.Ask(ctx, "looking for files that were renamed and not committed", args...)
	return renamed(out), err
}

// renamed reads R<score> NUL old NUL new NUL. Of a name that two commits took from a file
// the first one counts, which is the newer.
func renamed(out string) map[string]string {
	moved := map[string]string{}
	for fields := strings.Split(out, "\x00"); len(fields) > 2; {
		score, ok := strings.CutPrefix(strings.TrimSpace(fields[0]), "R")
		if !ok || strings.Trim(score, "0123456789") != "" {
			fields = fields[1:]
			continue
		}
		if _, newer := moved[fields[1]]; !newer {
			moved[fields[1]] = fields[2]
		}
		fields = fields[3:]
	}
	return moved
}

// Merges lists the merge commits that are reachable from one commit and not from
// another, newest first, at most limit, if they differ from one of their parents at
// or below a path.
func (h Reader) Merges(ctx context.Context, since, until gitobject.ID, path string, limit int) ([]gitobject.ID, error) {
	all, err := h.git.Ask(ctx, fmt.Sprintf("looking for merges since %s", since),
		"rev-list", "--merges", most(limit), string(until), "^"+string(since), "--")
	if err != nil || all == "" {
		return nil, err
	}
	out, err := h.git.Text(ctx, gitcmd.Command{
		Doing: fmt.Sprintf("looking for what merges since %s changed", since),
		Args:  []string{"diff-tree", "--stdin", "-m", "-r", "--no-ext-diff", "--no-renames", "--name-only", "--", path},
		Stdin: strings.NewReader(all),
	})
	// Of a merge there is a line for each parent from which it differs: its own id.
	differs := map[gitobject.ID]bool{}
	for line := range strings.Lines(out) {
		id, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		differs[gitobject.ID(id)] = true
	}
	return lists.Without(gitobject.IDs(all), func(id gitobject.ID) bool { return !differs[id] }), err
}

// Differing lists how the files that a pathspec names differ between two trees or commits.
func (h Reader) Differing(ctx context.Context, older, newer gitobject.ID, spec string) ([]Difference, error) {
	args := slices.Concat([]string{"diff-tree", "-r", "-z", "--no-ext-diff"}, rawChanges(),
		[]string{string(older), string(newer), "--", spec})
	out, err := h.git.Ask(ctx, fmt.Sprintf("comparing %s with %s", older, newer), args...)
	return rawDifferences(out), err
}

// changed lists the paths that differ between two commits, sorted.
func (h Reader) changed(ctx context.Context, a, b gitobject.ID) ([]string, error) {
	differences, err := h.Differing(ctx, a, b, ":(top)")
	paths := make([]string, len(differences))
	for i, d := range differences {
		paths[i] = d.Path
	}
	slices.Sort(paths)
	return paths, err
}

// AddedBy lists the files below a path that a branch with that tip added since it
// left rev. Where they have nothing in common there are none.
func (h Reader) AddedBy(ctx context.Context, rev, tip gitobject.ID, path string) ([]string, error) {
	out, err := h.askOf(ctx, fmt.Sprintf("listing what %s added", tip),
		"diff", "--name-only", "--no-ext-diff", "--no-renames", "--diff-filter=A", "--no-relative", "-z",
		string(rev)+"..."+string(tip), "--", path)
	return gitcmd.Parts(out), err
}

// Made says what a commit was made on, and which files it added.
type Made struct {
	Parents []gitobject.ID
	Added   []string
}

// Made returns that of each commit, as far as files below a folder go. A merge added
// nothing of its own.
func (h Reader) Made(ctx context.Context, commits []gitobject.ID, folder string) (map[gitobject.ID]Made, error) {
	if len(commits) == 0 {
		return nil, nil
	}
	out, err := h.git.Text(ctx, gitcmd.Command{
		Doing: "reading what commits added",
		Stdin: strings.NewReader(strings.Join(words(commits), "\n") + "\n"),
		Args: []string{
			"--literal-pathspecs", "diff-tree", "--stdin", "--always", "-r", "--root", "--no-renames",
			"--diff-filter=A", "--name-only", "-z",
			"--format=%H %P%x00", "--", folder,
		},
	})
	all := map[gitobject.ID]Made{}
	at := gitobject.ID("")
	for word := range strings.SplitSeq(out, "\x00") {
		word = strings.TrimLeft(word, "\n")
		if strings.HasPrefix(word, folder+"/") {
			all[at] = Made{all[at].Parents, append(all[at].Added, word)}
		} else if ids := gitobject.IDs(word); len(ids) > 0 {
			at = ids[0]
			all[at] = Made{Parents: ids[1:]}
		}
	}
	return all, err
}
