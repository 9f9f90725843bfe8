// Package history asks git what the commits of a repository say: which there are and
// what they descend from, what each did to which files, who made them and whether their
// signature is good, and what the logs of refs remember of branches that are gone. Call
// [New] first. Nothing here writes, and what a revision is named by is never taken for
// an option; a revision that does not exist is an empty history or [ErrNoRevision].
package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// ErrNoRevision says that nothing in the repository has such a name.
var ErrNoRevision = errors.New("no such revision")

// Reader reads what commits of a repository say: what they changed, what they
// descend from. It is safe for concurrent use.
type Reader struct{ git *gitcmd.Runner }

// New returns a reader that asks a runner of git. It costs nothing.
func New(git *gitcmd.Runner) Reader { return Reader{git} }

// Commit resolves a revision to the id of the commit it names. A missing one,
// and what is no commit, is [ErrNoRevision].
func (h Reader) Commit(ctx context.Context, rev string) (gitobject.ID, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{"rev-parse", "-q", "--verify", "--end-of-options", rev + "^{commit}"}})
	id := strings.TrimSpace(string(out))
	if code := gitcmd.ExitCode(err); rev == "" || code == 1 || code == 128 {
		return "", fmt.Errorf("%q: %w", rev, ErrNoRevision)
	}
	if err == nil && !gitobject.IsID(id) {
		err = fmt.Errorf("git answered %q", id)
	}
	if err != nil {
		return "", fmt.Errorf("resolving %q: %w", rev, err)
	}
	return gitobject.ID(id), nil
}

// Before is the newest commit of rev, along first parents, that was made at a time
// or before it; "" for none, and for a missing revision.
func (h Reader) Before(ctx context.Context, rev string, t time.Time) (gitobject.ID, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{"rev-list", "-n", "1", "--first-parent", "--before=@" + strconv.FormatInt(t.Unix(), 10), "--end-of-options", rev, "--"}})
	if gitcmd.ExitCode(err) == 128 {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("looking for what %s was: %w", rev, err)
	}
	return gitobject.ID(strings.TrimSpace(string(out))), nil
}

// Parents are the parents of a commit, in order.
func (h Reader) Parents(ctx context.Context, commit gitobject.ID) ([]gitobject.ID, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{"rev-list", "--parents", "-n", "1", string(commit), "--"}})
	if err != nil {
		return nil, fmt.Errorf("reading the parents of %s: %w", commit, err)
	}
	ids := gitobject.IDs(out) // its own first
	return ids[min(1, len(ids)):], nil
}

// MergeBases are the best common ancestors of two commits: none for histories
// that share nothing, several after a criss-cross merge.
func (h Reader) MergeBases(ctx context.Context, a, b gitobject.ID) ([]gitobject.ID, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{"merge-base", "--all", string(a), string(b)}})
	if err != nil && gitcmd.ExitCode(err) != 1 { // 1: there is none
		return nil, fmt.Errorf("looking for the merge base of %s and %s: %w", a, b, err)
	}
	return gitobject.IDs(out), nil
}

// Commit is one entry of a history.
type Commit struct {
	ID      gitobject.ID
	Time    time.Time // of the author, UTC
	Author  string
	Subject string
}

// Log lists the newest commits of rev that touch a path matching one of the
// glob patterns (none: any path), newest first, at most limit. Renames are not
// followed. A missing revision has no history.
func (h Reader) Log(ctx context.Context, rev string, patterns []string, limit int) ([]Commit, error) {
	if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%s: %w", rev, ErrNoRevision)
	}
	args := []string{"-c", "log.showSignature=false", "log", "--no-color", "--no-show-signature", "-n", strconv.Itoa(limit), "--format=%H%x00%at%x00%an%x00%s%x00", rev, "--"}
	for _, p := range patterns {
		args = append(args, ":(top,glob)"+p)
	}
	out, err := h.git.Run(ctx, gitcmd.Command{Args: args})
	if err != nil {
		if gitcmd.ExitCode(err) == 128 {
			return nil, nil
		}
		return nil, fmt.Errorf("reading the history of %s: %w", rev, err)
	}
	fields := strings.Split(string(out), "\x00")
	var commits []Commit
	for i := 0; i+3 < len(fields); i += 4 {
		seconds, _ := strconv.ParseInt(fields[i+1], 10, 64)
		commits = append(commits, Commit{
			ID: gitobject.ID(strings.TrimSpace(fields[i])), Time: time.Unix(seconds, 0).UTC(), Author: fields[i+2], Subject: fields[i+3],
		})
	}
	return commits, nil
}

// Difference is a path at which two states differ. An object is "" where there is no
// regular file.
type Difference struct {
	Path     string
	Old, New gitobject.ID
}

// Step is a commit with the files that it changed against its first parent.
type Step struct {
	Commit
	Changes []Difference
}

// Steps is [Reader.Log] with what each commit did to the files that match.
func (h Reader) Steps(ctx context.Context, rev string, patterns []string, limit int) ([]Step, error) {
	commits, err := h.Log(ctx, rev, patterns, limit)
	if err != nil {
		return nil, err
	}
	steps := make([]Step, len(commits))
	for i, c := range commits {
		args := []string{"diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-commit-id", "--root", "-m", string(c.ID), "--"}
		for _, p := range patterns {
			args = append(args, ":(top,glob)"+p)
		}
		out, err := h.git.Run(ctx, gitcmd.Command{Args: args})
		if err != nil {
			return nil, fmt.Errorf("reading what %s changed: %w", c.ID, err)
		}
		steps[i] = Step{c, firstParent(rawDifferences(string(out)))}
	}
	return steps, nil
}

// rawDifferences reads ":100644 100644 OLD NEW M\0path\0…".
func rawDifferences(out string) []Difference {
	var list []Difference
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		head := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(head) != 5 {
			return list
		}
		list = append(list, Difference{Path: fields[i+1], Old: existing(head[2]), New: existing(head[3])})
	}
	return list
}

func existing(id string) gitobject.ID {
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return gitobject.ID(id)
}

// firstParent keeps the first difference of each path: a merge is compared with each of
// its parents, the first one first.
func firstParent(list []Difference) []Difference {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(d Difference) bool {
		again := seen[d.Path]
		seen[d.Path] = true
		return again
	})
}

// Heads lists the commits that HEAD of this working tree has named, newest first, as
// far back as git's log of HEAD goes. Only ID and Time, since when, are set.
func (h Reader) Heads(ctx context.Context) ([]Commit, error) {
	// Without a log of HEAD git would show that of the branch.
	if _, err := h.git.Run(ctx, gitcmd.Command{Args: []string{"reflog", "exists", "HEAD"}}); err != nil {
		if gitcmd.ExitCode(err) == 1 {
			return nil, nil
		}
		return nil, fmt.Errorf("looking for the log of HEAD: %w", err)
	}
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{
		"-c", "log.showSignature=false", "log", "-g", "--no-color", "--date=unix", "--format=%H%x00%gd", "HEAD", "--",
	}})
	if err != nil {
		if gitcmd.ExitCode(err) == 128 {
			return nil, nil // no commit
		}
		return nil, fmt.Errorf("reading the log of HEAD: %w", err)
	}
	var heads []Commit
	for line := range strings.Lines(string(out)) {
		id, since, _ := strings.Cut(strings.TrimSpace(line), "\x00")
		since = strings.TrimSuffix(strings.TrimPrefix(since, "HEAD@{"), "}")
		if seconds, err := strconv.ParseInt(since, 10, 64); err == nil && gitobject.IsID(id) {
			heads = append(heads, Commit{ID: gitobject.ID(id), Time: time.Unix(seconds, 0).UTC()})
		}
	}
	return heads, nil
}

// Merged lists the local branches whose tips are reachable from rev. A missing
// revision has none.
func (h Reader) Merged(ctx context.Context, rev string) ([]string, error) {
	return h.lines(ctx, rev, "for-each-ref", "--format=%(refname:lstrip=2)", "--merged="+rev, "refs/heads/")
}

// Lacking lists the newest commits that are reachable from a branch and not from
// rev, at most limit. A missing revision has none.
func (h Reader) Lacking(ctx context.Context, rev, branch string, limit int) ([]string, error) {
	return h.lines(ctx, rev, "rev-list", "-n", strconv.Itoa(limit), "refs/heads/"+branch, "^"+rev, "--")
}

func (h Reader) lines(ctx context.Context, rev string, args ...string) ([]string, error) {
	if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%s: %w", rev, ErrNoRevision)
	}
	out, err := h.git.Run(ctx, gitcmd.Command{Args: args})
	if code := gitcmd.ExitCode(err); code == 128 || code == 129 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for what %s holds: %w", rev, err)
	}
	return strings.Fields(string(out)), nil
}

// Upstream is the remote-tracking branch that a branch follows, as a full name of a
// ref, if it is there; "" for none.
func (h Reader) Upstream(ctx context.Context, branch string) (string, error) {
	lines, err := h.lines(ctx, branch, "for-each-ref", "--format=%(upstream)", "refs/heads/"+branch)
	if err != nil || len(lines) != 1 {
		return "", err
	}
	if _, err := h.Commit(ctx, lines[0]); err != nil {
		return "", nil
	}
	return lines[0], nil
}

// Brought lists the files below a path that commits of HEAD added themselves: not by
// a merge. They are those since another revision or, where that is "", those made
// after a time. Of the same path added twice it is there twice.
func (h Reader) Brought(ctx context.Context, since string, after time.Time, path string) ([]string, error) {
	args := []string{
		"-c", "log.showSignature=false", "log", "--no-color", "--first-parent", "--no-merges", "--no-ext-diff", "--no-renames",
		"--name-only", "--diff-filter=A", "--format=", "-z",
	}
	if since == "" {
		args = append(args, "--since=@"+strconv.FormatInt(after.Unix(), 10), "HEAD")
	} else {
		args = append(args, "HEAD", "^"+since)
	}
	out, err := h.git.Run(ctx, gitcmd.Command{Args: append(args, "--", path)})
	if gitcmd.ExitCode(err) == 128 {
		return nil, nil // no commit
	}
	if err != nil {
		return nil, fmt.Errorf("looking for what HEAD brought: %w", err)
	}
	return strings.FieldsFunc(string(out), func(c rune) bool { return c == 0 || c == '\n' }), nil
}

// Version is the change that one commit made to a path. Blob is the content since
// then, "" if the commit removed the path.
type Version struct {
	Path   string
	Blob   gitobject.ID
	Before gitobject.ID // the content before, "" if there was none
	Commit gitobject.ID
}

// Versions lists what the newest commits did to paths matching one of the glob
// patterns, newest commit first, of at most limit commits: on rev, or, when rev is
// "", on any branch, tag, remote or log of a ref. With text, only files count in
// which a commit added or took a line matching that extended regular expression. A
// missing revision has no history.
func (h Reader) Versions(ctx context.Context, rev string, patterns []string, text string, limit int) ([]Version, error) {
	scope := []string{"--first-parent", rev}
	if rev == "" {
		scope = []string{"--branches", "--tags", "--remotes", "--reflog", "HEAD"}
	} else if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%s: %w", rev, ErrNoRevision)
	}
	args := slices.Concat([]string{"-c", "log.showSignature=false", "log", "--no-color", "-n", strconv.Itoa(limit), "-m"}, scope,
		[]string{"--raw", "-z", "--no-abbrev", "--no-renames", "--diff-filter=AMD", "--format=%x00%H"})
	if text != "" {
		args = append(args, "-G", text)
	}
	args = append(args, "--")
	for _, p := range patterns {
		args = append(args, ":(top,glob)"+p)
	}
	out, err := h.git.Run(ctx, gitcmd.Command{Args: args})
	if err != nil {
		if gitcmd.ExitCode(err) == 128 {
			return nil, nil // no such revision: no history
		}
		return nil, fmt.Errorf("looking through the history: %w", err)
	}
	return parseVersions(string(out)), nil
}

// parseVersions reads what git log prints: NUL <commit> NUL LF, and for each file
// ":" mode mode old new status NUL path NUL.
func parseVersions(out string) []Version {
	var versions []Version
	var commit gitobject.ID
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i++ {
		change := strings.Fields(strings.TrimLeft(fields[i], "\n:"))
		switch {
		case len(change) == 1 && gitobject.IsID(change[0]):
			commit = gitobject.ID(change[0])
		case len(change) == 5 && gitobject.IsID(change[2]) && gitobject.IsID(change[3]):
			v := Version{Path: fields[i+1], Commit: commit}
			if strings.HasPrefix(change[0], "100") {
				v.Before = gitobject.ID(change[2])
			}
			if strings.HasPrefix(change[1], "100") {
				v.Blob = gitobject.ID(change[3])
			}
			versions = append(versions, v)
			i++
		}
	}
	return versions
}

// Renames says what branches were renamed to, old name to new, as far as the
// logs of refs remember; where a name was used twice, its last renaming. A
// branch that was renamed twice is there under both of its old names, each with
// the name that came next.
func (h Reader) Renames(ctx context.Context) (map[string]string, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{
		"-c", "log.showSignature=false", "log", "-g", "--branches", "-n", "1000", "--no-color",
		"--grep-reflog=^Branch: renamed refs/heads/", "--format=%gs",
	}})
	if err != nil {
		return nil, fmt.Errorf("reading the logs of branches: %w", err)
	}
	renames := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		from, to, ok := strings.Cut(strings.TrimSpace(line), " to refs/heads/")
		from, is := strings.CutPrefix(from, "Branch: renamed refs/heads/")
		if _, newer := renames[from]; ok && is && !newer {
			renames[from] = to
		}
	}
	return renames, nil
}
