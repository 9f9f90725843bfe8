// Package gitops is the one seam between cortex and git. It speaks paths,
// bytes and object ids; no other package runs git or imports go-git.
//
// Call [Open] first. It costs at most one git process and works in linked worktrees,
// sha256 and sparse repositories, on an unborn branch and with a detached HEAD.
// From the [Repo] come
//
//   - the journal ([Repo.Journal]): what was captured and has not landed yet,
//     kept on refs/cortex/journal, one commit for one capture;
//   - landing ([Repo.LandBlocked], [StagingArea.Land], [StagingArea.Unland]): files into
//     the working tree and the index, exactly those and nothing else;
//   - reading states without a checkout ([Repo.Tree], [Repo.Blobs]);
//   - the exchange with remotes ([Repo.Remotes]);
//   - the user's configuration ([Repo.Config], [Repo.LocalConfig]), hooks ([Repo.Hooks]),
//     merge drivers ([Repo.Drivers]) and index ([Repo.StagingArea]).
//
// Promises: refs, index and status are touched by the git binary only, and what is
// written into git's configuration is what git would write, read back by it;
// inherited GIT_* variables cannot lead into another repository; nothing
// prompts, uses the network or takes optional locks, but the exchange with
// remotes, which is asked for; every update of the journal is
// under a file lock and a compare-and-swap, synced to disk before it is
// acknowledged, and spooled when the ref cannot be written; an unreadable
// journal is never taken for an absent one.
//
// It implements "Journal" of FORMAT.md and "Git rules" of docs/behaviour.md.
package gitops

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcache"
	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/gitops/internal/staging"
)

// Sentinels on which callers branch.
var (
	ErrNoGit         = gitcmd.ErrNoGit
	ErrNotRepository = errors.New("not inside a git repository")
	ErrNoWorktree    = staging.ErrNoWorktree
	ErrLineBreak     = errors.New("the path of the repository has a line break")
	ErrPartial       = gitcmd.ErrPartial // an object that a partial clone left at its remote
)

// GitError is a git process that failed, and OldGitError a git that lacks what
// cortex needs.
type (
	GitError    = gitcmd.Error
	OldGitError = gitcmd.OldError
)

// UnsafeError says that git refuses a repository because another user owns it
// (git's safe.directory). Nothing is changed on the user's behalf.
type UnsafeError struct {
	Dir string
	Err error
}

func (e *UnsafeError) Error() string {
	return fmt.Sprintf("git does not trust %s: it belongs to another user", e.Dir)
}

func (e *UnsafeError) Unwrap() error { return e.Err }

// Hint returns the command with which the user says that they trust the repository.
func (e *UnsafeError) Hint() string {
	return "git config --global --add safe.directory " + gitcmd.Quote(e.Dir)
}

// Quote makes s one word of a POSIX shell, for commands that people and agents are told to
// type: whoever names a file or a branch writes no command.
func Quote(s string) string { return gitcmd.Quote(s) }

// Options say how git is to be run. Env is required; the rest may be zero.
type Options struct {
	// Env is the environment of the calling process, as from os.Environ.
	Env []string
	// Git is an absolute path to the git binary; "" looks it up in the PATH of Env.
	Git string
	// InGitHook keeps the GIT_DIR, GIT_WORK_TREE, GIT_COMMON_DIR, GIT_INDEX_FILE
	// and configuration that git passed to the hook we run in. Otherwise they
	// are scrubbed.
	InGitHook bool
	// LockWait bounds the wait for the journal's lock; 0 is 5 seconds. What
	// cannot be written in that time is spooled.
	LockWait time.Duration
	// Settings reads the configuration while git is asked where the repository
	// is: for who needs it in any case. Else [Repo.Settings] reads it when called.
	Settings bool
	// Ident is the author of journal commits, "Name <mail>". "" is a fixed
	// "cortex <cortex@localhost>": the journal may be pushed, the people are
	// named by the memories, and asking git for the user costs a process.
	Ident string
}

// Repo is an opened repository. It holds no resources; its fields describe the
// repository as it was when it was opened. Methods may be called from several
// goroutines.
type Repo struct {
	Dir          string // physical path of the folder that was opened
	Root         string // top of the working tree; "" when there is none
	GitDir       string // absolute; per worktree
	CommonDir    string // absolute; shared by all worktrees
	ObjectsDir   string // absolute
	HooksDir     string // absolute: where git looks for hooks (core.hooksPath is followed)
	ObjectFormat string // "sha1" or "sha256"
	Branch       string // short name, also of an unborn branch; "" when HEAD is detached
	// the branch that work here is for: Branch, or the one that a rebase or bisection has left; "" when there is none
	Topic string
	Head  string // commit id; "" when unborn
	Bare  bool

	options   Options   // it was opened with
	opened    repoMarks // see Refresh; zero when it was not refreshed yet
	git       *gitcmd.Runner
	objects   *objects
	indexFile string // GIT_INDEX_FILE of the hook we run in
	lockWait  time.Duration
	ident     string
	settings  *settings
	setup     *sync.Mutex // held by whoever changes hooks or drivers
}

// Open finds the repository that dir is in. Errors: [ErrNoGit], [*OldGitError],
// [ErrNotRepository], [ErrLineBreak], [*UnsafeError], else a wrapped [*gitcmd.Error]. A bare
// repository opens with Bare set; what needs files then fails with [ErrNoWorktree].
func Open(ctx context.Context, dir string, opt Options) (*Repo, error) {
	binary, err := gitcmd.Find(opt.Env, opt.Git)
	if err != nil {
		return nil, err
	}
	physical, err := filepath.EvalSymlinks(dir)
	if err == nil {
		physical, err = filepath.Abs(physical)
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err // which names dir, or the part of it that is not there, once more
	}
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", dir, err)
	}
	finding := &gitcmd.Runner{
		Binary: binary, Dir: physical, Env: gitcmd.Env(opt.Env, opt.InGitHook),
		Environ: opt.Env, Asked: new(gitcmd.Asked),
	}
	r := &Repo{
		Dir: physical, options: opt, git: finding, settings: new(settings), setup: new(sync.Mutex),
		lockWait: opt.LockWait, ident: opt.Ident,
	}
	if opt.InGitHook {
		r.indexFile = gitcmd.LookupEnv(opt.Env, "GIT_INDEX_FILE")
	}
	r.lockWait = cmp.Or(r.lockWait, 5*time.Second)
	r.ident = cmp.Or(r.ident, "cortex <cortex@localhost>")
	before := knownOf(r)
	if opt.Settings {
		var ahead sync.WaitGroup
		// Whoever asks for the settings has the error.
		ahead.Go(func() { _, _ = r.settings.read(ctx, finding, func() *gitcache.Answers { return before }) })
		defer ahead.Wait()
	}
	if err := find(ctx, r, before); err != nil {
		return nil, err
	}
	if r.Topic = r.Branch; r.Topic == "" {
		r.Topic = r.leftBranch()
	}
	found := *finding
	if found.Dir = r.Root; found.Dir == "" {
		found.Dir = r.GitDir
	}
	r.git = &found
	r.objects = &objects{git: r.git, dir: r.ObjectsDir, format: gitobject.Format{SHA256: r.ObjectFormat == "sha256"}}
	return r, nil
}

// knownOf are the answers of git that still hold; nil where a hook has a view of its own.
func knownOf(r *Repo) *gitcache.Answers {
	environ, ok := gitcmd.Usual(r.git.Env)
	if !ok {
		return nil
	}
	return gitcache.Look(gitcache.Asker{
		Git: r.git.Binary, Dir: r.Dir, Environ: environ,
		Asks: map[gitcache.Question][]string{gitcache.Where: whereArgs(), gitcache.Settings: gitcmd.ConfigArgs()},
	})
}

// whereArgs ask where the repository is and what HEAD is. Everything before HEAD always
// prints one line; HEAD fails when unborn, after the other lines are out.
// --show-toplevel would fail when bare.
func whereArgs() []string {
	return []string{
		"rev-parse", "--absolute-git-dir", "--git-common-dir",
		"--git-path", "objects", "--git-path", "hooks", "--show-object-format",
		"--is-bare-repository", "--is-inside-work-tree", "--show-cdup",
		"HEAD", "--symbolic-full-name", "HEAD",
	}
}

// find fills in where the repository is and what HEAD is.
func find(ctx context.Context, r *Repo, before *gitcache.Answers) error {
	if r.findKnown(ctx, before) {
		return nil
	}
	r.Root, r.Head, r.Branch = "", "", ""
	out, failed := r.git.Run(ctx, gitcmd.Command{Args: whereArgs()})
	if err := r.parseOpen(ctx, out, failed); err != nil {
		return err
	}
	if failed != nil || before == nil {
		return nil
	}
	if rest, ok := bytes.CutSuffix(out, []byte("\n"+before.Said+"\n")); ok {
		before.Keep(gitcache.Where, append(rest, '\n'))
	}
	return nil
}

// findKnown is find by what git said before. It reports whether that still fits.
func (r *Repo) findKnown(ctx context.Context, before *gitcache.Answers) bool {
	out, ok := before.Get(gitcache.Where)
	if !ok || r.parseOpen(ctx, append(out, before.Said...), nil) != nil {
		return false
	}
	return r.Head != "" && r.Worktree() == before.Worktree && r.ObjectsDir == filepath.Join(r.CommonDir, "objects")
}

func (r *Repo) parseOpen(ctx context.Context, out []byte, failed error) error {
	text := strings.TrimSuffix(string(out), "\n")
	if runtime.GOOS == "windows" { // elsewhere a path may end in \r
		text = strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\r")
	}
	lines := strings.Split(text, "\n")
	if len(lines) < 7 {
		return r.openError(ctx, failed)
	}
	r.GitDir, r.CommonDir = r.abs(lines[0]), r.abs(lines[1])
	r.ObjectsDir, r.HooksDir = r.abs(lines[2]), r.abs(lines[3])
	r.ObjectFormat = lines[4]
	if strings.HasPrefix(r.ObjectFormat, "--") { // an old git repeats what it does not know
		if _, err := r.git.Version(ctx); err != nil {
			return err
		}
	}
	if !isBool(lines[5]) || !isBool(lines[6]) { // git prints one path a line, whatever is in it
		return fmt.Errorf("opening %q: %w", r.Dir, ErrLineBreak)
	}
	r.Bare = lines[5] == "true"
	// --show-cdup prints a relative line inside the working tree, and outside
	// of it an absolute line or none.
	rest := lines[7:]
	if len(rest) > 0 && (lines[6] == "true" || filepath.IsAbs(filepath.FromSlash(rest[0]))) {
		r.Root = r.abs(rest[0])
		rest = rest[1:]
	}
	if failed == nil && len(rest) == 2 {
		r.Head = rest[0]
		r.Branch = strings.TrimPrefix(rest[1], "refs/heads/")
		if rest[1] == "HEAD" {
			r.Branch = ""
		}
		return nil
	}
	return r.openUnborn(ctx)
}

func isBool(s string) bool { return slices.Contains([]string{"true", "false"}, s) }

// openUnborn names the branch that HEAD points to before its first commit. The
// file is enough except with reftable, where it is a stub.
func (r *Repo) openUnborn(ctx context.Context) error {
	data, err := os.ReadFile(filepath.Join(r.GitDir, "HEAD"))
	target, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "ref: ")
	if err != nil || !ok || strings.HasSuffix(target, "/.invalid") {
		out, err := r.git.Run(ctx, gitcmd.Command{Args: []string{"symbolic-ref", "HEAD"}})
		if err != nil {
			return fmt.Errorf("reading HEAD: %w", err)
		}
		target = strings.TrimSpace(string(out))
	}
	r.Branch = strings.TrimPrefix(target, "refs/heads/")
	return nil
}

// leftBranch is the branch that a rebase or a bisection under way has left and
// will come back to, "" when HEAD is detached for another reason.
func (r *Repo) leftBranch() string {
	for _, name := range []string{"rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"} {
		left := FirstLine(filepath.Join(r.GitDir, filepath.FromSlash(name)))
		if branch, ok := strings.CutPrefix(left, "refs/heads/"); ok {
			return branch
		}
		if name == "BISECT_START" && !isHexID(left) {
			return left
		}
	}
	return ""
}

func (r *Repo) openError(ctx context.Context, err error) error {
	if err == nil {
		_, err = r.git.Version(ctx)
	}
	if err == nil {
		err = errors.New("git answered too little")
	}
	said := strings.ToLower(gitcmd.Said(err))
	switch {
	case strings.Contains(said, "dubious ownership"), strings.Contains(said, "safe.directory"):
		return &UnsafeError{Dir: r.Dir, Err: err}
	case strings.Contains(said, "not a git repository"):
		return fmt.Errorf("%s: %w", r.Dir, ErrNotRepository)
	}
	return fmt.Errorf("opening %s: %w", r.Dir, err)
}

func (r *Repo) abs(path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(r.Dir, path)
}

// Worktree says where a working tree and its repository have their files.
type Worktree = gitcache.Worktree

// Worktree says where this one has them.
func (r *Repo) Worktree() Worktree { return Worktree{Root: r.Root, Git: r.GitDir, Common: r.CommonDir} }

// FindWorktree finds the working tree that a folder is in without git, if all of it belongs to the
// user of this process. Where git would look at more than the folder or file .git, none is found.
// The path of the folder is physical.
func FindWorktree(dir string) (Worktree, bool) { return gitcache.FindWorktree(dir) }

// FirstLine is a regular file of one line without its end, "" if it is none, and FileMark
// changes with a file or a folder that is written to.
func FirstLine(name string) string { return gitcache.Line(name) }

// FileMark see [FirstLine].
func FileMark(name string) string { return gitcache.Mark(name) }

// CacheDir is where cortex keeps what can be rebuilt, its locks and its spool:
// "cortex" in the common directory, shared by all worktrees.
func (r *Repo) CacheDir() string { return filepath.Join(r.CommonDir, "cortex") }
