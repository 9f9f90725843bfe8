// Package scratch gives measuring tools a throwaway git repository with the real
// cortex program in it. Call [New], [Repository.Cortex] and, at the end,
// [Repository.Close]; [Repository.Measure] says what a process cost. It shuts out the host's git configuration, so that what is
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
	"time"
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
	_, err := r.Measure(ctx, in, out, program, args...)
	return err
}

// Cost holds the CPU and memory of a process and of those that it waited for.
type Cost struct {
	CPU  time.Duration
	Peak int64 // bytes of memory of the largest of them; 0 where the system does not say
}

// findings is the exit code of a check that found something.
const findings = 3

// Measure runs any program in the repository and says what it cost.
func (r *Repository) Measure(ctx context.Context, in io.Reader, out io.Writer, program string, args ...string) (Cost, error) {
	cmd := r.Command(ctx, program, args...)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, &errs
	var cost Cost
	err := cmd.Run()
	if cmd.ProcessState != nil {
		cost.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		cost.Peak = peak(cmd.ProcessState)
	}
	if err != nil && cmd.ProcessState.ExitCode() != findings {
		return cost, fmt.Errorf("running %s %s: %w\n%s", filepath.Base(program), strings.Join(args, " "), err, errs.Bytes())
	}
	return cost, nil
}

// Command is any program, ready to run in the repository.
func (r *Repository) Command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = r.Dir, r.env
	return cmd
}
