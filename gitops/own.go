package gitops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// Create makes dir and a repository in it, with a first branch main and nothing of the user's templates. One that is
// there already stays as it is. Only the user can enter the folder.
func Create(ctx context.Context, dir string, opt Options) error {
	err, physical := os.MkdirAll(dir, 0o700), ""
	if err == nil {
		physical, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return fmt.Errorf("making %s: %w", dir, err)
	}
	return runIn(ctx, physical, opt, [][]string{{"-c", "init.defaultBranch=main", "init", "-q", "--template="}})
}

// runIn runs git in the folder of a repository that is being made.
func runIn(ctx context.Context, dir string, opt Options, commands [][]string) error {
	git, err := gitcmd.Find(opt.Env, opt.Git)
	if err != nil {
		return err
	}
	g := &gitcmd.Runner{Binary: git, Dir: dir, Env: gitcmd.Env(opt.Env, false)}
	for _, args := range commands {
		if _, err := g.Ask(ctx, "making a repository in "+dir, args...); err != nil {
			return err
		}
	}
	return nil
}

// CommitAll commits what is below path as it is now. It is for a repository that
// is cortex's own: no hook of the user's runs, nothing is signed, and where no
// author is configured the fixed one of the journal stands in. Nothing to commit
// is fine.
func (r *Repo) CommitAll(ctx context.Context, path, message string) error {
	if _, err := r.git.Ask(ctx, "staging "+path, "add", "-A", "--", path); err != nil {
		return err
	}
	if _, err := r.git.Ask(ctx, "", "diff", "--cached", "--quiet", "--", path); err == nil {
		return nil
	}
	own := []string{"-c", "core.hooksPath=" + os.DevNull, "-c", "commit.gpgSign=false"}
	if _, err := r.git.Ask(ctx, "", "var", "GIT_AUTHOR_IDENT"); err != nil {
		own = append(own, "-c", "user.name=cortex", "-c", "user.email=cortex@localhost")
	}
	_, err := r.git.Ask(ctx, "committing "+path,
		append(own, "commit", "-q", "--no-verify", "-m", message, "--", path)...)
	return err
}

// Copy makes a clone of what is committed in the existing, empty folder dir, which borrows the objects of this
// repository and changes nothing in it. No hook runs, and no network is used.
func (r *Repo) Copy(ctx context.Context, dir string) error {
	_, err := r.git.Text(ctx, gitcmd.Command{
		Doing: "copying " + r.Root, Env: []string{"GIT_LFS_SKIP_SMUDGE=1", "GIT_ALLOW_PROTOCOL=file"},
		Args: []string{
			"-c", "core.hooksPath=" + os.DevNull, "clone", "-q", "--shared", "--no-tags", "--template=",
			"--", r.Root, dir,
		},
	})
	return err
}

// Scratch makes a new repository in the existing folder dir, with branch main
// and an author of its own, for demonstrations and tests.
func Scratch(ctx context.Context, dir string, opt Options) (*Repo, error) {
	err := runIn(ctx, dir, opt, [][]string{
		{"init", "-q", "-b", "main"},
		{"config", "user.name", "Cortex Demo"},
		{"config", "user.email", "demo@example.invalid"},
		{"config", "commit.gpgsign", "false"},
		{"config", "core.hooksPath", ".git/hooks"},
	})
	if err != nil {
		return nil, err
	}
	return Open(ctx, dir, opt)
}

// AsUser runs git in the working tree as the user would, hooks and all, and
// returns what it printed on standard output and standard error.
func (r *Repo) AsUser(ctx context.Context, args ...string) (string, error) {
	out, err := r.git.Combined(ctx, gitcmd.Command{Args: args})
	text := strings.TrimRight(string(out), "\n")
	if err != nil {
		return text, fmt.Errorf("git %s: %w: %s", args[0], err, text)
	}
	return text, nil
}
