package gitops

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Version is one content that a path had.
type Version struct {
	Entry
	Commit ObjectID // that gave it this content
}

// LastVersion finds the newest commit that gave a path matching one of the glob
// patterns a content, on rev, or, when rev is "", on any branch, tag, remote or
// log of a ref: what a removed file said last. With text, only commits count
// that added or took a line matching that extended regular expression. ok is
// false when there is none.
func (h History) LastVersion(ctx context.Context, rev string, patterns []string, text string) (v Version, ok bool, err error) {
	scope := []string{"--first-parent", rev}
	if rev == "" {
		scope = []string{"--branches", "--tags", "--remotes", "--reflog", "HEAD"}
	} else if strings.HasPrefix(rev, "-") {
		return v, false, fmt.Errorf("%s: %w", rev, ErrNoRevision)
	}
	args := slices.Concat([]string{"-c", "log.showSignature=false", "log", "--no-color", "-n", "1", "-m"}, scope,
		[]string{"--raw", "-z", "--no-abbrev", "--no-renames", "--diff-filter=AM", "--format=%H"})
	if text != "" {
		args = append(args, "-G", text)
	}
	args = append(args, "--")
	for _, p := range patterns {
		args = append(args, ":(top,glob)"+p)
	}
	out, err := h.git.run(ctx, command{args: args})
	if err != nil {
		if exitCode(err) == 128 {
			return v, false, nil // no such revision: no history
		}
		return v, false, fmt.Errorf("looking through the history: %w", err)
	}
	// <commit> NUL LF ":" mode mode old new status NUL path NUL …
	fields := strings.Split(string(out), "\x00")
	for i := 1; i+1 < len(fields); i++ {
		change := strings.Fields(strings.TrimLeft(fields[i], "\n:"))
		if len(change) == 5 && isHexID(change[3]) && strings.HasPrefix(change[1], "100") {
			return Version{Entry{fields[i+1], ObjectID(change[3])}, ObjectID(strings.TrimSpace(fields[0]))}, true, nil
		}
	}
	return v, false, nil
}
