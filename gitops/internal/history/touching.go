package history

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
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
func (h Reader) Touching(ctx context.Context, rev string, files []string, limit int) ([]Touch, error) {
	if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%s: %w", rev, ErrNoRevision)
	}
	args := []string{
		"--literal-pathspecs", "-c", "log.showSignature=false", "log", "--no-color", "--no-show-signature", "--no-merges", "--no-renames", "-n", strconv.Itoa(limit),
		"--format=%H%x00%at%x00%an%x00%s%x00%ae%x00", "-z",
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
	return touchesIn(strings.Split(string(out), "\x00")), nil
}

// touchesIn reads what git printed. No value holds a NUL, and anything else may stand in
// the words of a commit.
func touchesIn(words []string) []Touch {
	var touches []Touch
	for len(words) > 0 {
		word := strings.TrimLeft(words[0], "\n")
		switch {
		case gitobject.IsID(word) && len(words) > 4:
			touches = append(touches, Touch{Commit: commitOf(append([]string{word}, words[1:4]...)), Mail: words[4]})
			words = words[5:]
		case strings.HasPrefix(word, ":") && len(words) > 1 && len(touches) > 0:
			last := &touches[len(touches)-1]
			last.Changes = append(last.Changes, rawDifferences(word+"\x00"+words[1])...)
			words = words[2:]
		default:
			words = words[1:]
		}
	}
	return touches
}
