package history

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// Blamed is lines of a file that one commit wrote.
type Blamed struct {
	Commit      Commit // without an id for lines that are not committed yet
	Path        string // of the file in that commit
	First, Last int    // of the lines, from 1
}

// Errors of asking for the history of a file.
var (
	ErrNoFile  = errors.New("git knows no such file")
	ErrNoLines = errors.New("the file has no such lines")
)

// Blame returns which commits wrote the lines first to last of a file, in their order.
// Changes of white space count as none, and renames are followed. With rev "" it is the
// file of the working tree. Path has slashes and is relative to the working tree.
func (h Reader) Blame(ctx context.Context, rev, path string, first, last int) ([]Blamed, error) {
	if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%s: %w", rev, ErrNoRevision)
	}
	args := []string{"-c", "core.quotePath=false", "blame", "--porcelain", "-w", "-L", fmt.Sprintf("%d,%d", first, last)}
	if rev != "" {
		args = append(args, rev)
	}
	out, err := h.git.Run(ctx, gitcmd.Command{Args: append(args, "--", path)})
	if err != nil {
		var failed *gitcmd.Error
		switch {
		case !errors.As(err, &failed):
		case strings.Contains(failed.Stderr, "has only"):
			return nil, fmt.Errorf("%w: %s", ErrNoLines, strings.TrimPrefix(failed.Stderr, "fatal: file "))
		case strings.Contains(failed.Stderr, "no such path"), strings.Contains(failed.Stderr, "cannot stat path"):
			return nil, fmt.Errorf("%s: %w", path, ErrNoFile)
		}
		return nil, fmt.Errorf("asking who wrote %s: %w", path, err)
	}
	return parseBlame(string(out)), nil
}

// parseBlame reads git's porcelain format (git-blame(1)): what a commit says of itself
// stands at its first line only.
func parseBlame(out string) []Blamed {
	var all []Blamed
	known := map[string]*Blamed{}
	var now *Blamed
	line := 0
	for text := range strings.Lines(out) {
		text = strings.TrimSuffix(text, "\n")
		key, value, _ := strings.Cut(text, " ")
		switch {
		case now == nil && !gitobject.IsID(key):
		case strings.HasPrefix(text, "\t"):
			if n := len(all); n > 0 && all[n-1].Commit.ID == now.Commit.ID && all[n-1].Path == now.Path && all[n-1].Last == line-1 {
				all[n-1].Last = line
			} else {
				all = append(all, Blamed{now.Commit, now.Path, line, line})
			}
		case gitobject.IsID(key):
			if now = known[key]; now == nil {
				now = &Blamed{}
				if strings.Trim(key, "0") != "" {
					now.Commit.ID = gitobject.ID(key)
				}
				known[key] = now
			}
			if fields := strings.Fields(value); len(fields) > 1 {
				line, _ = strconv.Atoi(fields[1])
			}
		case key == "author":
			now.Commit.Author = value
		case key == "author-time":
			seconds, _ := strconv.ParseInt(value, 10, 64)
			now.Commit.Time = time.Unix(seconds, 0).UTC()
		case key == "summary":
			now.Commit.Subject = value
		case key == "filename":
			now.Path = value
		}
	}
	return all
}

// OfPath lists the newest commits that changed a file or what is below a folder, at most
// limit, and the names that a file had before it was renamed, newest first.
func (h Reader) OfPath(ctx context.Context, rev, path string, limit int) (commits []Commit, before []string, err error) {
	if strings.HasPrefix(rev, "-") {
		return nil, nil, fmt.Errorf("%s: %w", rev, ErrNoRevision)
	}
	args := []string{
		"--literal-pathspecs", "-c", "log.showSignature=false", "log", "--no-color", "--no-show-signature", "--follow", "-n", strconv.Itoa(limit),
		"--format=%H%x00%at%x00%an%x00%s%x00", "--name-status", "--diff-filter=ACMRT", "-z",
	}
	if rev != "" {
		args = append(args, rev)
	}
	out, err := h.git.Run(ctx, gitcmd.Command{Args: append(args, "--", path)})
	if err != nil {
		if gitcmd.ExitCode(err) == 128 {
			return nil, nil, nil // no commit
		}
		return nil, nil, fmt.Errorf("reading the history of %s: %w", path, err)
	}
	for words := strings.Split(string(out), "\x00"); len(words) > 3; {
		switch word := strings.TrimLeft(words[0], "\n"); {
		case gitobject.IsID(word):
			commits = append(commits, commitOf(append([]string{word}, words[1:4]...)))
			words = words[4:]
		case strings.HasPrefix(word, "R"), strings.HasPrefix(word, "C"):
			before = append(before, words[1])
			words = words[3:]
		case word != "":
			words = words[2:]
		default:
			words = words[1:]
		}
	}
	return commits, before, nil
}

// commitOf reads an id, a time, an author and a subject.
func commitOf(fields []string) Commit {
	seconds, _ := strconv.ParseInt(fields[1], 10, 64)
	return Commit{ID: gitobject.ID(fields[0]), Time: time.Unix(seconds, 0).UTC(), Author: fields[2], Subject: fields[3]}
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
	var in strings.Builder
	for _, id := range commits {
		in.WriteString(string(id) + "\n")
	}
	out, err := h.git.Run(ctx, gitcmd.Command{Stdin: strings.NewReader(in.String()), Args: []string{
		"--literal-pathspecs", "diff-tree", "--stdin", "--always", "-r", "--root", "--no-renames", "--diff-filter=A", "--name-only", "-z",
		"--format=%H %P%x00", "--", folder,
	}})
	if err != nil {
		return nil, fmt.Errorf("reading what commits added: %w", err)
	}
	all := map[gitobject.ID]Made{}
	at := gitobject.ID("")
	for word := range strings.SplitSeq(string(out), "\x00") {
		word = strings.TrimLeft(word, "\n")
		if strings.HasPrefix(word, folder+"/") {
			all[at] = Made{all[at].Parents, append(all[at].Added, word)}
		} else if ids := gitobject.IDs([]byte(word)); len(ids) > 0 {
			at = ids[0]
			all[at] = Made{Parents: ids[1:]}
		}
	}
	return all, nil
}
