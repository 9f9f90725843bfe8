package history

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/internal/lists"
)

// Brought is one file that a commit gave a content.
type Brought struct {
	Commit    gitobject.ID
	Author    string         // mail addresses, as the commit names them: anyone can write any
	Committer string         //
	Written   string         // the author's time, in seconds since 1970
	Said      string         // what git's log says of how the commit came here; see [Reader.Acts]
	Path      string         //
	Blob      gitobject.ID   // the content
	Before    []gitobject.ID // the content in each parent, "" where it had none
}

// Merged reports whether the commit is a merge, whose content is that of no parent.
func (b *Brought) Merged() bool { return len(b.Before) > 1 }

// broughtFormat makes git log print this of a commit before its files.
const broughtFormat = "--format=%x00%x00%H%x00%ae%x00%ce%x00%at%x00%gs"

// brought lists contents below a path; of merges those that no parent had.
func (h Reader) brought(ctx context.Context, doing string, options, revs []string, path string) ([]Brought, error) {
	options = slices.Concat([]string{"-c", "-z", "--root", broughtFormat}, rawChanges(), options)
	out, err := h.log(ctx, doing, options, revs, []string{path})
	return parseBrought(out), err
}

// BroughtSince lists what commits of rev that none of the others reaches brought below
// a path, newest first. A missing revision brought nothing.
func (h Reader) BroughtSince(ctx context.Context, rev gitobject.ID, others []gitobject.ID, path string) ([]Brought,
	error,
) {
	revs := []string{string(rev)}
	for _, id := range others {
		revs = append(revs, "^"+string(id))
	}
	return h.brought(ctx, fmt.Sprintf("looking for what %s brought", rev), nil, revs, path)
}

// Acts lists what the commits that HEAD of this working tree and the local branches
// have named brought below a path, as far as git's logs of them go back. Said is what
// git noted then, such as "commit: subject", "commit (amend): subject" or "checkout:
// moving from main to pr".
func (h Reader) Acts(ctx context.Context, path string) ([]Brought, error) {
	return h.brought(ctx, "reading the logs of branches", []string{"-g", "--branches"}, []string{"HEAD"}, path)
}

// Worked reports whether git noted that a commit was made on a branch in this clone,
// as far as the log of the branch goes back.
func (h Reader) Worked(ctx context.Context, branch string) (bool, error) {
	options := []string{"-g", most(1), "--grep-reflog=^commit", "--format=%H"}
	out, err := h.log(ctx, "reading the log of "+branch, options, []string{"refs/heads/" + branch}, nil)
	return out != "", err
}

// Outside lists those of some commits that no other revision reaches.
func (h Reader) Outside(ctx context.Context, commits, others []gitobject.ID) (map[gitobject.ID]bool, error) {
	args := slices.Concat([]string{"rev-list"}, words(commits), []string{"--not"}, words(others), []string{"--"})
	out, err := h.git.Ask(ctx, "looking for commits on branches", args...)
	outside := lists.Set(gitobject.IDs(out))
	return outside, err
}

// Since returns the commits that a revision reaches and another does not. A missing
// revision reaches none.
func (h Reader) Since(ctx context.Context, rev, other gitobject.ID) (map[gitobject.ID]bool, error) {
	since, err := h.Outside(ctx, []gitobject.ID{rev}, []gitobject.ID{other})
	if gitcmd.ExitCode(err) == gitcmd.NotThere {
		return nil, nil
	}
	return since, err
}

// parseBrought reads what git log prints with [broughtFormat]: of each commit NUL NUL
// id NUL author NUL committer NUL time NUL note NUL, and for each file as many colons as there
// are parents, modes, ids and a status, NUL path NUL.
func parseBrought(out string) []Brought {
	var all []Brought
	var at Brought
	for fields := strings.Split(out, "\x00"); len(fields) > 1; {
		if fields[0] == "" && len(fields) > 5 && gitobject.IsID(fields[1]) {
			said := strings.TrimSuffix(fields[5], "\n")
			at = Brought{
				Commit: gitobject.ID(fields[1]), Author: fields[2], Committer: fields[3],
				Written: fields[4], Said: said,
			}
			fields = fields[6:]
			continue
		}
		change, ok := strings.CutPrefix(strings.TrimLeft(fields[0], "\n"), ":")
		if !ok {
			fields = fields[1:]
			continue
		}
		if b, ok := at.with(change, fields[1]); ok {
			all = append(all, b)
		}
		fields = fields[2:]
	}
	return all
}

// with is b with one of its files: a line of raw differences without its first colon.
func (b Brought) with(change, path string) (Brought, bool) {
	words := strings.Fields(strings.TrimLeft(change, ":"))
	parents := 1 + len(change) - len(strings.TrimLeft(change, ":"))
	if len(words) != 2*parents+3 || !strings.HasPrefix(words[parents], "100") {
		return b, false // removed, or no regular file
	}
	b.Path, b.Before = path, nil
	for i := range parents {
		before := gitobject.ID("")
		if strings.HasPrefix(words[i], "100") {
			before = gitobject.ID(words[parents+1+i])
		}
		b.Before = append(b.Before, before)
	}
	b.Blob = gitobject.ID(words[2*parents+1])
	return b, gitobject.IsID(string(b.Blob))
}
