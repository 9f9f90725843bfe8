// Package history asks git what the commits of a repository say: which there are and
// what they descend from, what each did to which files, who made them and whether their
// signature is good, and what the logs of refs remember of branches that are gone. Call
// [New] first. Nothing here writes, and what a revision is named by is never taken for
// an option; a revision that does not exist is an empty history or [ErrNoRevision].
package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/internal/lists"
)

// ErrNoRevision says that nothing in the repository has such a name.
var ErrNoRevision = errors.New("no such revision")

// Reader reads what commits of a repository say: what they changed, what they
// descend from. It is safe for concurrent use.
type Reader struct{ git *gitcmd.Runner }

// New returns a reader that asks a runner of git. It costs nothing.
func New(git *gitcmd.Runner) Reader { return Reader{git} }

// askOf asks git about a revision or a log that need not be there: nothing is printed then.
func (h Reader) askOf(ctx context.Context, doing string, args ...string) (string, error) {
	return h.git.Text(ctx, gitcmd.Command{Doing: doing, Args: args, None: []int{gitcmd.NotThere}})
}

// log runs git log for what some revisions reach, as far as it is about some paths.
func (h Reader) log(ctx context.Context, doing string, options, revs, paths []string) (string, error) {
	for _, rev := range revs {
		if strings.HasPrefix(rev, "-") {
			return "", fmt.Errorf("%s: %w", rev, ErrNoRevision)
		}
	}
	log := []string{"-c", "log.showSignature=false", "log", "--no-color", "--no-show-signature", "--no-ext-diff"}
	return h.askOf(ctx, doing, slices.Concat(log, options, revs, []string{"--"}, paths)...)
}

// most is the option of git log and its kin that bounds the commits.
func most(limit int) string { return fmt.Sprintf("--max-count=%d", limit) }

// globs are pathspecs of patterns.
func globs(patterns []string) []string { return specs(":(top,glob)", patterns) }

// literals are pathspecs of files and folders by their names.
func literals(paths []string) []string { return specs(":(top,literal)", paths) }

func specs(magic string, paths []string) []string {
	all := make([]string, len(paths))
	for i, path := range paths {
		all[i] = magic + path
	}
	return all
}

func words(ids []gitobject.ID) []string {
	return lists.Map(ids, func(id gitobject.ID) string { return string(id) })
}

// Commit resolves a revision to the id of the commit it names. A missing one,
// and what is no commit, is [ErrNoRevision].
func (h Reader) Commit(ctx context.Context, rev string) (gitobject.ID, error) {
	out, err := h.git.Text(ctx, gitcmd.Command{
		Doing: fmt.Sprintf("resolving %q", rev), None: []int{1, gitcmd.NotThere},
		Args: []string{"rev-parse", "-q", "--verify", "--end-of-options", rev + "^{commit}"},
	})
	if err == nil && (rev == "" || out == "") {
		err = fmt.Errorf("%q: %w", rev, ErrNoRevision)
	}
	return gitobject.ID(strings.TrimSpace(out)), err
}

// Before is the newest commit of rev, along first parents, that was made at a time
// or before it; "" for none, and for a missing revision.
func (h Reader) Before(ctx context.Context, rev string, t time.Time) (gitobject.ID, error) {
	out, err := h.askOf(ctx, fmt.Sprintf("looking for what %s was", rev),
		"rev-list", "-n", "1", "--first-parent", fmt.Sprintf("--before=@%d", t.Unix()), "--end-of-options", rev, "--")
	return gitobject.ID(strings.TrimSpace(out)), err
}

// Parents are the parents of a commit, in order.
func (h Reader) Parents(ctx context.Context, commit gitobject.ID) ([]gitobject.ID, error) {
	out, err := h.git.Ask(ctx, fmt.Sprintf("reading the parents of %s", commit), "rev-list", "--parents", "-n", "1",
		string(commit), "--")
	ids := gitobject.IDs(out) // its own first
	return ids[min(1, len(ids)):], err
}

// MergeBases are the best common ancestors of two commits: none for histories
// that share nothing, several after a criss-cross merge.
func (h Reader) MergeBases(ctx context.Context, a, b gitobject.ID) ([]gitobject.ID, error) {
	out, err := h.git.Text(ctx, gitcmd.Command{
		Doing: fmt.Sprintf("looking for the merge base of %s and %s", a, b), None: []int{1},
		Args: []string{"merge-base", "--all", string(a), string(b)},
	})
	return gitobject.IDs(out), err
}

// Commit is one entry of a history.
type Commit struct {
	ID      gitobject.ID
	Time    time.Time // of the author, UTC
	Author  string
	Subject string
}

// Step is a commit with the address of its author, and the files that it changed.
type Step struct {
	Commit
	Mail    string
	Changes []Difference
}

// Difference is a path at which two states differ. An object is "" where there is none.
type Difference struct {
	Path     string
	Old, New gitobject.ID
}

// stepFormat has git log print commits for [stepsIn].
func stepFormat() []string { return []string{"-z", "--format=%H%x00%at%x00%an%x00%s%x00%ae%x00"} }

// rawChanges has git print what commits did to files, for [stepsIn] and [rawDifferences].
func rawChanges() []string { return []string{"--raw", "--no-abbrev", "--no-renames"} }

// stepsIn reads what git log prints. No value holds a NUL, and anything else may stand in
// the words of a commit.
func stepsIn(out string) []Step {
	var steps []Step
	for words := strings.Split(out, "\x00"); len(words) > 1; {
		word := strings.TrimLeft(words[0], "\n")
		switch {
		case gitobject.IsID(word) && len(words) > 4:
			steps = append(steps, Step{Commit: commitOf(word, words[1:4]), Mail: words[4]})
			words = words[5:]
		case strings.HasPrefix(word, ":") && len(steps) > 0:
			last := &steps[len(steps)-1]
			last.Changes = append(last.Changes, rawDifferences(word+"\x00"+words[1])...)
			words = words[2:]
		default:
			words = words[1:]
		}
	}
	return steps
}

// commitOf is a commit with a time, an author and a subject.
func commitOf(id string, fields []string) Commit {
	return Commit{ID: gitobject.ID(id), Time: unixTime(fields[0]), Author: fields[1], Subject: fields[2]}
}

// unixTime reads seconds since 1970.
func unixTime(text string) time.Time {
	seconds, _ := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0).UTC()
}

// rawDifferences reads ":100644 100644 OLD NEW M\0path\0…".
func rawDifferences(out string) []Difference {
	var list []Difference
	for part := range slices.Chunk(strings.Split(out, "\x00"), 2) {
		head := strings.Fields(strings.TrimPrefix(part[0], ":"))
		if len(head) != 5 || len(part) < 2 {
			break
		}
		list = append(list, Difference{Path: part[1], Old: existing(head[2]), New: existing(head[3])})
	}
	return list
}

func existing(id string) gitobject.ID {
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return gitobject.ID(id)
}

// Log lists the newest commits of rev that touch a path matching one of the
// glob patterns (none: any path), newest first, at most limit. Renames are not
// followed. A missing revision has no history.
func (h Reader) Log(ctx context.Context, rev string, patterns []string, limit int) ([]Commit, error) {
	options := append(stepFormat(), most(limit))
	out, err := h.log(ctx, "reading the history of "+rev, options, []string{rev}, globs(patterns))
	return lists.Map(stepsIn(out), func(s Step) Commit { return s.Commit }), err
}

// Steps is [Reader.Log] with what each commit did to the files that match. A merge is
// compared with each of its parents, and of each path the first difference counts.
func (h Reader) Steps(ctx context.Context, rev string, patterns []string, limit int) ([]Step, error) {
	options := slices.Concat(stepFormat(), rawChanges(), []string{"-m", "--root", most(limit)})
	out, err := h.log(ctx, "reading the history of "+rev, options, []string{rev}, globs(patterns))
	return joined(stepsIn(out)), err
}

// joined makes one step of those that are one merge, compared with another parent each.
func joined(steps []Step) []Step {
	var out []Step
	for _, s := range steps {
		if n := len(out); n == 0 || out[n-1].ID != s.ID {
			out = append(out, s)
			continue
		}
		last := &out[len(out)-1]
		for _, d := range s.Changes {
			if !slices.ContainsFunc(last.Changes, func(have Difference) bool { return have.Path == d.Path }) {
				last.Changes = append(last.Changes, d)
			}
		}
	}
	return out
}

// Touching lists the newest commits of rev, or of a range such as A..B, that changed one
// of some files, or any file if none is named, newest first, at most limit. Merges are
// left out, renames not followed, and changes are listed for named files alone. A missing revision has none.
func (h Reader) Touching(ctx context.Context, rev string, files []string, limit int) ([]Step, error) {
	options := append(stepFormat(), "--no-merges", "--no-renames", most(limit))
	if len(files) > 0 {
		options = append(options, rawChanges()...)
	}
	out, err := h.log(ctx, "reading the history of "+rev, options, []string{rev}, literals(files))
	return stepsIn(out), err
}

// Beside lists the newest commits of rev, "" for HEAD, that changed a file, newest first, at most
// limit, each with all that it changed. Merges are left out, renames not followed. A missing
// revision has none.
func (h Reader) Beside(ctx context.Context, rev, file string, limit int) ([]Step, error) {
	options := slices.Concat(stepFormat(), rawChanges(), []string{"--no-merges", "--full-diff", most(limit)})
	out, err := h.log(ctx, "reading what changed together with "+file, options, []string{cmp.Or(rev, "HEAD")},
		literals([]string{file}))
	return stepsIn(out), err
}

// Version is the change that one commit made to a path. Blob is the content since
// then, "" if the commit removed the path.
type Version struct {
	Path   string
	Blob   gitobject.ID
	Before gitobject.ID // the content before, "" if there was none
	Commit gitobject.ID
	Time   time.Time
}

// Versions lists what the newest commits did to paths matching one of the glob
// patterns, newest commit first, of at most limit commits: on rev, or, when rev is
// "", on any branch, tag, remote or log of a ref. With text, only files count in
// which a commit added or took a line matching that extended regular expression. A
// missing revision has no history.
func (h Reader) Versions(ctx context.Context, rev string, patterns []string, text string, limit int) ([]Version,
	error,
) {
	options := slices.Concat(stepFormat(), rawChanges(), []string{"-m", "--diff-filter=AMD", most(limit)})
	if text != "" {
		options = append(options, "-G", text)
	}
	if rev == "" {
		rev, options = "HEAD", append(options, "--branches", "--tags", "--remotes", "--reflog")
	} else {
		options = append(options, "--first-parent")
	}
	out, err := h.log(ctx, "looking through the history", options, []string{rev}, globs(patterns))
	var versions []Version
	for _, s := range stepsIn(out) {
		versions = append(versions, lists.Map(s.Changes, func(d Difference) Version {
			return Version{Path: d.Path, Blob: d.New, Before: d.Old, Commit: s.ID, Time: s.Time}
		})...)
	}
	return versions, err
}

// OfPath lists the newest commits that changed a file or what is below a folder, at most
// limit, and the names that a file had before it was renamed, newest first.
func (h Reader) OfPath(ctx context.Context, rev, path string, limit int) (commits []Commit, before []string,
	err error,
) {
	options := append(stepFormat(), "--follow", "--name-status", "--diff-filter=ACMRT", most(limit))
	var revs []string
	if rev != "" {
		revs = []string{rev}
	}
	out, err := h.log(ctx, "reading the history of "+path, options, revs, literals([]string{path}))
	for words := strings.Split(out, "\x00"); len(words) > 4; {
		switch word := strings.TrimLeft(words[0], "\n"); {
		case gitobject.IsID(word):
			commits = append(commits, commitOf(word, words[1:4]))
			words = words[5:]
		case strings.HasPrefix(word, "R"), strings.HasPrefix(word, "C"):
			before = append(before, words[1])
			words = words[3:]
		case word != "":
			words = words[2:]
		default:
			words = words[1:]
		}
	}
	return commits, before, err
}

// Brought lists the files below a path that commits of HEAD added themselves: not by
// a merge. They are those since another revision or, where that is "", those made
// after a time. Of the same path added twice it is there twice.
func (h Reader) Brought(ctx context.Context, since string, after time.Time, path string) ([]string, error) {
	options := []string{
		"--first-parent", "--no-merges", "--no-renames", "--name-only", "--diff-filter=A",
		"--format=", "-z",
	}
	revs := []string{"HEAD", "^" + since}
	if since == "" {
		options, revs = append(options, fmt.Sprintf("--since=@%d", after.Unix())), revs[:1]
	}
	out, err := h.log(ctx, "looking for what HEAD brought", options, revs, []string{path})
	return strings.FieldsFunc(out, func(c rune) bool { return strings.ContainsRune("\x00\n", c) }), err
}

// OldestBrought returns the time of the oldest of the commits of which [Reader.Brought] tells after a
// time, or of one before it that HEAD leads to; the zero time where there is none.
func (h Reader) OldestBrought(ctx context.Context, after time.Time, path string) (oldest time.Time, err error) {
	options := []string{
		"--first-parent", "--no-merges", "--no-patch", fmt.Sprintf("--since=@%d", after.Unix()), "--format=%ct",
	}
	out, err := h.log(ctx, "looking for what HEAD brought", options, []string{"HEAD"}, []string{path})
	times := strings.Fields(out)
	if err != nil || len(times) == 0 {
		return oldest, err
	}
	seconds, err := strconv.ParseInt(slices.Min(times), 10, 64) // of ten digits each
	return time.Unix(seconds, 0), err
}
