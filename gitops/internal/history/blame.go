package history

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

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
	args := []string{
		"-c", "core.quotePath=false", "blame", "--porcelain", "-w", "-L",
		fmt.Sprintf("%d,%d", first, last),
	}
	if rev != "" {
		args = append(args, rev)
	}
	out, err := h.git.Ask(ctx, "asking who wrote "+path, append(args, "--", path)...)
	if err != nil {
		return nil, blameError(err, path)
	}
	return parseBlame(out), nil
}

// blameError tells by git's words why it could not say who wrote some lines.
func blameError(err error, path string) error {
	switch said := gitcmd.Said(err); {
	case strings.Contains(said, "has only"):
		return fmt.Errorf("%w: %s", ErrNoLines, strings.TrimPrefix(said, "fatal: file "))
	case strings.Contains(said, "no such path"), strings.Contains(said, "cannot stat path"):
		return fmt.Errorf("%s: %w", path, ErrNoFile)
	}
	return err
}

// parseBlame reads git's porcelain format (git-blame(1)): what a commit says of itself
// stands at its first line only.
func parseBlame(out string) []Blamed {
	b := blame{commits: map[string]*Blamed{}}
	for text := range strings.Lines(out) {
		b.add(strings.TrimSuffix(text, "\n"))
	}
	return b.all
}

// blame is the reading of git's porcelain format.
type blame struct {
	all     []Blamed
	commits map[string]*Blamed // by the ids that git prints
	now     *Blamed            // whose lines are read; nil before the first
	line    int
}

func (b *blame) add(text string) {
	key, value, _ := strings.Cut(text, " ")
	switch {
	case gitobject.IsID(key):
		b.begin(key, strings.Fields(value))
	case b.now == nil:
	case strings.HasPrefix(text, "\t"):
		b.addLine()
	default:
		b.now.set(key, value)
	}
}

// set takes what a header of the porcelain format says of a commit.
func (b *Blamed) set(key, value string) {
	switch key {
	case "author":
		b.Commit.Author = value
	case "author-time":
		b.Commit.Time = unixTime(value)
	case "summary":
		b.Commit.Subject = value
	case "filename":
		b.Path = value
	}
}

// begin begins a line of a commit. Fields are its number there, and its number here.
func (b *blame) begin(id string, fields []string) {
	if b.now = b.commits[id]; b.now == nil {
		b.now = &Blamed{Commit: Commit{ID: existing(id)}}
		b.commits[id] = b.now
	}
	if len(fields) > 1 {
		b.line, _ = strconv.Atoi(fields[1])
	}
}

// addLine adds the line to those before it if they are of one commit.
func (b *blame) addLine() {
	if n := len(b.all); n > 0 {
		last := &b.all[n-1]
		if last.Commit.ID == b.now.Commit.ID && last.Path == b.now.Path && last.Last == b.line-1 {
			last.Last = b.line
			return
		}
	}
	b.all = append(b.all, Blamed{b.now.Commit, b.now.Path, b.line, b.line})
}
