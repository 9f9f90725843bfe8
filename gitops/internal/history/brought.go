package history

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
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

// broughtArgs lists contents below a path; of merges those that no parent had.
func broughtArgs(more []string, path string) []string {
	args := []string{
		"-c", "log.showSignature=false", "log", "--no-color", "--no-show-signature", "--no-ext-diff", "--no-renames",
		"-c", "--raw", "-z", "--no-abbrev", "--root", broughtFormat,
	}
	return append(append(args, more...), "--", path)
}

// BroughtSince lists what commits of rev that none of the others reaches brought below
// a path, newest first. A missing revision brought nothing.
func (h Reader) BroughtSince(ctx context.Context, rev gitobject.ID, others []gitobject.ID, path string) ([]Brought, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: broughtArgs(append([]string{string(rev), "--not"}, words(others)...), path)})
	if gitcmd.ExitCode(err) == 128 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for what %s brought: %w", rev, err)
	}
	return parseBrought(string(out)), nil
}

// Acts lists what the commits that HEAD of this working tree and the local branches
// have named brought below a path, as far as git's logs of them go back. Said is what
// git noted then, such as "commit: subject", "commit (amend): subject" or "checkout:
// moving from main to pr".
func (h Reader) Acts(ctx context.Context, path string) ([]Brought, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: broughtArgs([]string{"-g", "HEAD", "--branches"}, path)})
	if gitcmd.ExitCode(err) == 128 {
		return nil, nil // no commit, or no log
	}
	if err != nil {
		return nil, fmt.Errorf("reading the logs of branches: %w", err)
	}
	return parseBrought(string(out)), nil
}

// Worked reports whether git noted that a commit was made on a branch in this clone,
// as far as the log of the branch goes back.
func (h Reader) Worked(ctx context.Context, branch string) (bool, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{
		"-c", "log.showSignature=false", "log", "-g", "--no-color", "-n", "1", "--grep-reflog=^commit", "--format=%H", "refs/heads/" + branch, "--",
	}})
	if gitcmd.ExitCode(err) == 128 {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the log of %s: %w", branch, err)
	}
	return len(out) > 0, nil
}

// Outside lists those of some commits that no other revision reaches.
func (h Reader) Outside(ctx context.Context, commits, others []gitobject.ID) (map[gitobject.ID]bool, error) {
	args := append(append([]string{"rev-list"}, words(commits)...), "--not")
	out, err := h.git.Run(ctx, gitcmd.Command{Args: append(append(args, words(others)...), "--")})
	if err != nil {
		return nil, fmt.Errorf("looking for commits on branches: %w", err)
	}
	outside := map[gitobject.ID]bool{}
	for _, id := range gitobject.IDs(out) {
		outside[id] = true
	}
	return outside, nil
}

// Since returns the commits that a revision reaches and another does not. A missing
// revision reaches none.
func (h Reader) Since(ctx context.Context, rev, other gitobject.ID) (map[gitobject.ID]bool, error) {
	since, err := h.Outside(ctx, []gitobject.ID{rev}, []gitobject.ID{other})
	if gitcmd.ExitCode(err) == 128 {
		return nil, nil
	}
	return since, err
}

func words(ids []gitobject.ID) []string {
	var out []string
	for _, id := range ids {
		out = append(out, string(id))
	}
	return out
}

// parseBrought reads what git log prints with [broughtFormat]: of each commit NUL NUL
// id NUL author NUL committer NUL time NUL note NUL, and for each file as many colons as there
// are parents, modes, ids and a status, NUL path NUL.
func parseBrought(out string) []Brought {
	var all []Brought
	var at Brought
	fields := strings.Split(out, "\x00")
	for i := 0; i < len(fields); i++ {
		if fields[i] == "" && i+5 < len(fields) && gitobject.IsID(fields[i+1]) {
			at = Brought{Commit: gitobject.ID(fields[i+1]), Author: fields[i+2], Committer: fields[i+3], Written: fields[i+4], Said: strings.TrimSuffix(fields[i+5], "\n")}
			i += 5
			continue
		}
		change, ok := strings.CutPrefix(strings.TrimLeft(fields[i], "\n"), ":")
		if !ok || i+1 >= len(fields) {
			continue
		}
		if b, ok := at.with(change, fields[i+1]); ok {
			all = append(all, b)
		}
		i++
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

// Tip is a branch, local or of a remote, and its commit.
type Tip struct {
	Ref      string // its full name
	Commit   gitobject.ID
	Upstream string // of a local branch: the ref of a remote that it follows, "" for none
	Remote   string // and that remote
	Points   string // of a symbolic ref: the full name of the ref that it stands for
}

// Tips lists the branches here and those of remotes, as they were last seen.
func (h Reader) Tips(ctx context.Context) ([]Tip, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{
		"for-each-ref", "--format=%(refname) %(objectname) %(objecttype) %(upstream) %(upstream:remotename) %(symref)", "refs/heads/", "refs/remotes/",
	}})
	if err != nil {
		return nil, fmt.Errorf("listing branches: %w", err)
	}
	var tips []Tip
	for line := range strings.Lines(string(out)) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(words) == 6 && words[2] == "commit" && gitobject.IsID(words[1]) {
			tips = append(tips, Tip{Ref: words[0], Commit: gitobject.ID(words[1]), Upstream: words[3], Remote: words[4], Points: words[5]})
		}
	}
	return tips, nil
}

// Committer is the mail address of whoever makes commits here, by git's settings and
// the environment; "" where git knows none.
func (h Reader) Committer(ctx context.Context) string {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{"var", "GIT_COMMITTER_IDENT"}})
	if err != nil {
		return ""
	}
	_, mail, _ := strings.Cut(string(out), "<")
	mail, _, _ = strings.Cut(mail, ">")
	return mail
}
