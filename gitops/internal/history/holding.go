package history

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// Holding lists the newest commits of some revisions that added or removed one of some
// texts in a file that a pathspec of git names, at most limit. Merges count too.
func (h Reader) Holding(ctx context.Context, texts, revs []string, pathspec string, limit int) ([]gitobject.ID, error) {
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
	args = append(append(args, revs...), "--", pathspec)
	out, err := h.git.Run(ctx, gitcmd.Command{Args: args})
	if err != nil {
		return nil, fmt.Errorf("looking through the history: %w", err)
	}
	return gitobject.IDs(out), nil
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
