package gitops

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Renames says what branches were renamed to, old name to new, as far as the
// logs of refs remember; where a name was used twice, its last renaming. A
// branch that was renamed twice is there under both of its old names, each with
// the name that came next.
func (h History) Renames(ctx context.Context) (map[string]string, error) {
	out, err := h.git.run(ctx, command{args: []string{
		"-c", "log.showSignature=false", "log", "-g", "--branches", "-n", "1000", "--no-color",
		"--grep-reflog=^Branch: renamed refs/heads/", "--format=%gs",
	}})
	if err != nil {
		return nil, fmt.Errorf("reading the logs of branches: %w", err)
	}
	renames := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		from, to, ok := strings.Cut(strings.TrimSpace(line), " to refs/heads/")
		from, is := strings.CutPrefix(from, "Branch: renamed refs/heads/")
		if _, newer := renames[from]; ok && is && !newer {
			renames[from] = to
		}
	}
	return renames, nil
}

// Checkouts are the branches that the worktrees of the repository are on, also
// unborn ones; detached says that some worktree is on none.
func (r *Repo) Checkouts(ctx context.Context) (branches []string, detached bool, err error) {
	out, err := r.git.run(ctx, command{args: []string{"worktree", "list", "--porcelain"}})
	if err != nil {
		return nil, false, fmt.Errorf("listing worktrees: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "branch refs/heads/"); ok {
			branches = append(branches, name)
		}
		detached = detached || line == "detached"
	}
	return branches, detached, nil
}

// maxLookups bounds what Somewhere asks git for.
const maxLookups = 100_000

// Somewhere says which of paths are files at the tip of some branch, local or
// of a remote.
func (r *Repo) Somewhere(ctx context.Context, paths []string) (map[string]bool, error) {
	found := make(map[string]bool)
	if len(paths) == 0 {
		return found, nil
	}
	out, err := r.git.run(ctx, command{args: []string{"for-each-ref", "--format=%(objectname)", "refs/heads/", "refs/remotes/"}})
	if err != nil {
		return nil, fmt.Errorf("listing branches: %w", err)
	}
	var asked []string
	var in strings.Builder
	seen := make(map[string]bool)
	for tip := range strings.Lines(string(out)) {
		if tip = strings.TrimSpace(tip); seen[tip] || len(asked) > maxLookups {
			continue
		}
		seen[tip] = true
		for _, path := range paths {
			if !strings.ContainsAny(path, "\r\n") {
				asked = append(asked, path)
				in.WriteString(tip + ":" + path + "\n")
			}
		}
	}
	if out, err = r.git.run(ctx, command{args: []string{"cat-file", "--batch-check=%(objecttype)"}, stdin: strings.NewReader(in.String())}); err != nil {
		return nil, fmt.Errorf("looking for files on branches: %w", err)
	}
	lines := strings.Split(string(out), "\n")
	if len(lines) < len(asked) {
		return nil, errors.New("looking for files on branches: git answered too little")
	}
	for i, path := range asked {
		if lines[i] == "blob" {
			found[path] = true
		}
	}
	return found, nil
}
