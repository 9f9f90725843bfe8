// Package scratch gives measuring tools a throwaway git repository with the real
// cortex program in it. Call [New], [Repository.Cortex] and, at the end,
// [Repository.Close]. It shuts out the host's git configuration, so that what is
// measured is the same on every machine.
package scratch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Repository is a git repository in a temporary folder.
type Repository struct {
	Dir string // its working tree
	Bin string // the cortex program
	env []string
}

// New makes a repository. Program is the cortex to measure; when it is empty,
// the one of this checkout is built, which needs the current folder to be tools. Environ is the process's.
func New(ctx context.Context, program string, environ []string) (*Repository, error) {
	root, err := os.MkdirTemp("", "cortex-scratch-*")
	if err != nil {
		return nil, fmt.Errorf("making a scratch folder: %w", err)
	}
	r := &Repository{Dir: filepath.Join(root, "repo"), Bin: program}
	r.env = append(slices.Clone(environ), "HOME="+root, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.invalid", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.invalid")
	if program == "" {
		r.Bin = filepath.Join(root, "cortex")
		build := exec.CommandContext(ctx, "go", "build", "-o", r.Bin, "github.com/git-cortex/cortex/cmd/cortex")
		build.Env = append(slices.Clone(environ), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building cortex: %w\n%s", err, out)
		}
	} else if r.Bin, err = filepath.Abs(program); err != nil {
		return nil, fmt.Errorf("finding %s: %w", program, err)
	}
	if err := os.Mkdir(r.Dir, 0o777); err != nil {
		return nil, fmt.Errorf("making a scratch folder: %w", err)
	}
	if err := r.Run(ctx, nil, nil, "git", "init", "-q", "-b", "main"); err != nil {
		return nil, err
	}
	return r, nil
}

// Close deletes the repository.
func (r *Repository) Close() { _ = os.RemoveAll(filepath.Dir(r.Dir)) }

// Cortex runs the program in the repository with in as its input, and writes its
// output to out; both may be nil.
func (r *Repository) Cortex(ctx context.Context, in io.Reader, out io.Writer, args ...string) error {
	return r.Run(ctx, in, out, r.Bin, args...)
}

// Run runs any program in the repository.
func (r *Repository) Run(ctx context.Context, in io.Reader, out io.Writer, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	var errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = r.Dir, r.env, in, out, &errs
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("running %s %s: %w\n%s", filepath.Base(program), strings.Join(args, " "), err, errs.Bytes())
	}
	return nil
}
