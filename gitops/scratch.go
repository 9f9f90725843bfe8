package gitops

import (
	"context"
	"fmt"
	"strings"
)

// Scratch makes a new repository in the existing folder dir, with branch main
// and an author of its own, for demonstrations and tests.
func Scratch(ctx context.Context, dir string, opt Options) (*Repo, error) {
	git, err := findGit(opt)
	if err != nil {
		return nil, err
	}
	g := &runner{binary: git, dir: dir, env: gitEnv(opt.Env, false)}
	for _, args := range [][]string{
		{"init", "-q"},
		{"symbolic-ref", "HEAD", "refs/heads/main"},
		{"config", "user.name", "Cortex Demo"},
		{"config", "user.email", "demo@example.invalid"},
		{"config", "commit.gpgsign", "false"},
		{"config", "core.hooksPath", ".git/hooks"},
	} {
		if _, err := g.run(ctx, command{args: args}); err != nil {
			return nil, fmt.Errorf("making a repository in %s: %w", dir, err)
		}
	}
	return Open(ctx, dir, opt)
}

// AsUser runs git in the working tree as the user would, hooks and all, and
// returns what it printed on standard output and standard error.
func (r *Repo) AsUser(ctx context.Context, args ...string) (string, error) {
	cmd, _ := r.git.prepare(ctx, command{args: args})
	cmd.Stderr = nil
	out, err := cmd.CombinedOutput()
	text := strings.TrimRight(string(out), "\n")
	if err != nil {
		return text, fmt.Errorf("git %s: %w: %s", args[0], err, text)
	}
	return text, nil
}
