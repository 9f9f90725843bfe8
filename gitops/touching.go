package gitops

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// Touch is a commit with its author's address and what it did to the files that were
// asked for.
type Touch struct {
	Commit
	Mail    string
	Changes []Difference
}

// Touching lists the newest commits of rev, or of a range such as A..B, that changed one
// of some files, or any file if none is named, newest first, at most limit. Merges are
// left out, renames not followed, and changes are listed for named files alone. A missing revision has none.
func (h History) Touching(ctx context.Context, rev string, files []string, limit int) ([]Touch, error) {
	if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%s: %w", rev, ErrNoRevision)
	}
	args := []string{
		"--literal-pathspecs", "-c", "log.showSignature=false", "log", "--no-color", "--no-show-signature", "--no-merges", "--no-renames", "-n", strconv.Itoa(limit),
		"--format=%x01%H%x00%at%x00%an%x00%s%x00%ae%x00", "-z",
	}
	if len(files) > 0 {
		args = append(args, "--raw", "--no-abbrev")
	}
	args = append(append(args, rev, "--"), files...)
	out, err := h.git.Run(ctx, gitcmd.Command{Args: args})
	if err != nil {
		if gitcmd.ExitCode(err) == 128 {
			return nil, nil
		}
		return nil, fmt.Errorf("reading the history of %s: %w", rev, err)
	}
	var touches []Touch
	for part := range strings.SplitSeq(string(out), "\x01") {
		fields := strings.SplitN(part, "\x00", 6)
		if len(fields) < 6 || !isHexID(fields[0]) {
			continue
		}
		t := Touch{Commit: commitOf(fields), Mail: fields[4]}
		if raw := strings.TrimLeft(fields[5], "\n\x00"); raw != "" {
			t.Changes = rawDifferences(raw)
		}
		touches = append(touches, t)
	}
	return touches, nil
}
