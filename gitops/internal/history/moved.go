package history

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// renames are the options by which git prints renames, as far as it recognises them.
func renames() []string {
	return []string{"-z", "-M", "-l1000", "--no-ext-diff", "--no-color", "--name-status", "--diff-filter=R"}
}

// MovedSince says which of some files that HEAD does not have were renamed since a time, and to
// what, as far as git recognises it. Only the newest name is found that a commit gave to a file
// under one of these names.
func (h Reader) MovedSince(ctx context.Context, since time.Time, paths []string) (map[string]string, error) {
	args := []string{"--literal-pathspecs", "-c", "log.showSignature=false", "log", "--no-show-signature", "--full-diff", "--format="}
	args = append(args, renames()...)
	args = append(args, "--since="+since.UTC().Format(time.RFC3339), "HEAD", "--")
	out, err := h.git.Run(ctx, gitcmd.Command{Args: append(args, paths...)})
	if err != nil {
		return nil, fmt.Errorf("looking for files that were renamed: %w", err)
	}
	return renamed(string(out)), nil
}

// MovedStaged says which files of HEAD have another name in the index.
func (h Reader) MovedStaged(ctx context.Context) (map[string]string, error) {
	args := append([]string{"diff", "--cached", "--no-relative"}, renames()...)
	out, err := h.git.Run(ctx, gitcmd.Command{Args: append(args, "HEAD", "--")})
	if err != nil {
		return nil, fmt.Errorf("looking for files that were renamed and not committed: %w", err)
	}
	return renamed(string(out)), nil
}

// renamed reads R<score> NUL old NUL new NUL. Of a name that two commits took from a file
// the first one counts, which is the newer.
func renamed(out string) map[string]string {
	moved := map[string]string{}
	fields := strings.Split(out, "\x00")
	for i := 0; i+2 < len(fields); i++ {
		status := strings.TrimSpace(fields[i])
		if !strings.HasPrefix(status, "R") || strings.Trim(status[1:], "0123456789") != "" {
			continue
		}
		if _, newer := moved[fields[i+1]]; !newer {
			moved[fields[i+1]] = fields[i+2]
		}
		i += 2
	}
	return moved
}
