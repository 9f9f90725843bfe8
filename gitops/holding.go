package gitops

import (
	"context"
	"fmt"
	"strconv"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// Holding lists the newest commits of some revisions that added or removed a text in a
// file below a path ("" for any), at most limit. Merges count too.
func (h History) Holding(ctx context.Context, text string, revs []string, path string, limit int) ([]ObjectID, error) {
	args := []string{"-c", "log.showSignature=false", "log", "--no-color", "--no-ext-diff", "-m", "-n", strconv.Itoa(limit), "--format=%H", "--text", "-S" + text}
	args = append(append(args, revs...), "--")
	if path != "" {
		args = append(args, ":(top,literal)"+path)
	}
	out, err := h.git.Run(ctx, gitcmd.Command{Args: args})
	if err != nil {
		return nil, fmt.Errorf("looking through the history: %w", err)
	}
	return idsIn(out), nil
}

// RefsWith lists the refs below some prefixes that hold one of some commits, or with none
// all of them.
func (h History) RefsWith(ctx context.Context, commits []ObjectID, prefixes ...string) ([]string, error) {
	args := []string{"for-each-ref", "--format=%(refname)"}
	for _, id := range commits[:min(len(commits), maxContained)] {
		args = append(args, "--contains="+string(id))
	}
	return h.lines(ctx, "", append(args, prefixes...)...)
}

// maxContained bounds the commits that are named to git at once.
const maxContained = 500
