package gitops

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/staging"
)

// What the index and landing are described by.
type (
	StagingArea      = staging.Area
	File             = staging.File
	Refusal          = staging.Refusal
	IndexLockedError = staging.IndexLockedError
)

// InstructionFiles are the files at the top of a repository that may be landed.
func InstructionFiles() []string { return staging.InstructionFiles() }

// StagingArea returns the index of this working tree. It costs nothing.
func (r *Repo) StagingArea() *StagingArea {
	return &StagingArea{
		Git: r.git, Objects: r.objects, Format: r.objects.format, Root: r.Root, GitDir: r.GitDir,
		CommonDir: r.CommonDir,
		CacheDir:  r.CacheDir(), File: r.indexFile, LockWait: r.lockWait,
	}
}

// LandBlocked says in a few words why nothing may be landed now, "" when it
// may: a merge, cherry-pick, revert or rebase is under way, HEAD is detached,
// or the commit being made uses a temporary index (`git commit -- path`).
func (r *Repo) LandBlocked(ctx context.Context) (string, error) {
	if r.Root == "" {
		return "", ErrNoWorktree
	}
	if r.PartialCommit() {
		return "only some paths are being committed", nil
	}
	for _, state := range [][2]string{
		{"MERGE_HEAD", "a merge is under way"},
		{"CHERRY_PICK_HEAD", "a cherry-pick is under way"},
		{"REVERT_HEAD", "a revert is under way"},
		{"rebase-merge", "a rebase is under way"},
		{"rebase-apply", "a rebase is under way"},
		{"sequencer", "a cherry-pick or revert is under way"},
	} {
		if _, err := os.Lstat(filepath.Join(r.GitDir, state[0])); err == nil {
			return state[1], nil
		}
	}
	if r.Branch == "" {
		return "HEAD is detached", nil
	}
	return r.reftableState(ctx)
}

// PartialCommit reports whether we run in a hook of a commit of only some
// paths, whose index is thrown away after it.
func (r *Repo) PartialCommit() bool {
	return strings.HasPrefix(filepath.Base(r.indexFile), "next-index-")
}

// reftableState looks for the heads that a reftable keeps out of the file system.
func (r *Repo) reftableState(ctx context.Context) (string, error) {
	if _, err := os.Stat(filepath.Join(r.CommonDir, "reftable")); err != nil {
		return "", nil
	}
	answers, err := r.git.LookUp(ctx, "looking for a sequence under way", "%(objectname)",
		[]string{"CHERRY_PICK_HEAD", "REVERT_HEAD"})
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(answers, isHexID) {
		return "a cherry-pick or revert is under way", nil
	}
	return "", nil
}
