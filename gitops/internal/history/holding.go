package history

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// Holding lists the newest commits of some revisions that added or removed one of some
// texts in a file that pathspecs of git name, at most limit. Merges count too.
func (h Reader) Holding(ctx context.Context, texts, revs []string, limit int, pathspecs ...string) ([]gitobject.ID, error) {
	args := []string{"-c", "log.showSignature=false", "log", "--no-color", "--no-ext-diff", "-m", "-n", strconv.Itoa(limit), "--format=%H", "--text"}
	if len(texts) == 1 {
		args = append(args, "-S"+texts[0])
	} else {
		var quoted []string
		for _, text := range texts {
			quoted = append(quoted, regexp.QuoteMeta(text))
		}
		args = append(args, "--pickaxe-regex", "-S"+strings.Join(quoted, "|"))
	}
	args = append(append(append(args, revs...), "--"), pathspecs...)
	out, err := h.git.Run(ctx, gitcmd.Command{Args: args})
	if err != nil {
		return nil, fmt.Errorf("looking through the history: %w", err)
	}
	return gitobject.IDs(out), nil
}

// Saying lists the newest commits of some revisions whose message holds one of some texts,
// at most limit.
func (h Reader) Saying(ctx context.Context, texts, revs []string, limit int) ([]gitobject.ID, error) {
	args := []string{"-c", "log.showSignature=false", "log", "-z", "--no-color", "--no-notes", "--fixed-strings", "-n", strconv.Itoa(limit), "--format=%H%n%B"}
	for _, text := range texts {
		args = append(args, "--grep="+text)
	}
	out, err := h.git.Run(ctx, gitcmd.Command{Args: append(append(args, revs...), "--")})
	if err != nil {
		return nil, fmt.Errorf("looking through the messages of commits: %w", err)
	}
	var ids []gitobject.ID
	for commit := range strings.SplitSeq(string(out), "\x00") {
		id, message, _ := strings.Cut(commit, "\n")
		if says(message, texts) { // git takes each line of a text for one
			ids = append(ids, gitobject.ID(id))
		}
	}
	return ids, nil
}

// TagsSaying lists the refs of annotated tags whose message holds one of some texts.
func (h Reader) TagsSaying(ctx context.Context, texts []string) ([]string, error) {
	out, err := h.git.Run(ctx, gitcmd.Command{Args: []string{"for-each-ref", "--format=%(refname)%00%(objecttype)%00%(contents)%00", "refs/tags/"}})
	if err != nil {
		return nil, fmt.Errorf("looking through the messages of tags: %w", err)
	}
	var refs []string
	for parts := strings.Split(string(out), "\x00"); len(parts) > 3; parts = parts[3:] {
		if parts[1] == "tag" && says(parts[2], texts) {
			refs = append(refs, strings.TrimSpace(parts[0]))
		}
	}
	return refs, nil
}

func says(message string, texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(message, text) })
}

// RefsWith lists the refs below some prefixes that hold one of some commits, or with none
// all of them.
func (h Reader) RefsWith(ctx context.Context, commits []gitobject.ID, prefixes ...string) ([]string, error) {
	args := []string{"for-each-ref", "--format=%(refname)"}
	for _, id := range commits[:min(len(commits), maxContained)] {
		args = append(args, "--contains="+string(id))
	}
	return h.lines(ctx, "", append(args, prefixes...)...)
}

// maxContained bounds the commits that are named to git at once.
const maxContained = 500
