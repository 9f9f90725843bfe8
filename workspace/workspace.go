// Package workspace is an opened project: what the command line and the MCP
// server both call, so that they cannot drift apart.
//
// Call [Open] first and [Workspace.Close] last. From the workspace come the
// view ([Workspace.View]: what a command sees), the ways in
// ([Workspace.Remember], and [journal.Journal.Update] of its Journal), the way into the working tree
// ([Workspace.Land]) and the answers ([Workspace.Search], [Workspace.Brief],
// [Workspace.Project]). Git hooks enter by [Workspace.PreCommit] and [Workspace.PostCommit].
// What only one kind of work needs is in a package below this one.
//
// The package wires capture, gitops, index and projection together and holds
// no algorithm of theirs. It promises that a broken cache, configuration file
// or memory file never stops a command: it becomes a problem that is reported.
package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/embedder"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/folder"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/pages"
	"github.com/git-cortex/cortex/workspace/internal/policy"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/worktree"
)

// Folders and files of a repository, relative to its root.
const (
	Dir         = folder.Dir
	MemoriesDir = hookstate.MemoriesDir
	ConfigPath  = hookstate.ConfigPath
)

// Env describes the process that opens a workspace.
type Env struct {
	Dir       string           // folder to start from
	Environ   []string         // environment of git children
	Now       func() time.Time // the clock
	Version   string           // of cortex, for records
	Program   string           // path of the file that runs
	InGitHook bool             // run by git, whose GIT_* variables are meant
	Once      bool             // the process ends with this workspace: what it reads may stay mapped
	Ahead     bool             // start reading memories while git locates the repository
	Named     bool             // answers show which tree they are from, which costs a git process once for each commit
	Lives     bool             // a long-running process: watch files instead of polling
	Settings  bool             // start reading git's configuration while git locates the repository
	Global    string           // folder of the user's own store, which need not be there; "" has none
	Agent     string           // that started this process; "" for a person or git
	Patience  time.Duration    // how long a hook may spend on trust checks; 0 has the usual limit
}

// Workspace is an opened project. It is safe for concurrent use.
//
// Repo, with the branch and the commit that are checked out, and Config are as
// they were when it was opened; [Workspace.Refresh] returns one for what is so
// now. Memories and the journal are read anew by every call.
//
// Each kind of work has a handle of its own, which holds what that work needs and no more.
type Workspace struct {
	Repo    *gitops.Repo
	Index   *index.Index
	Config  Config
	Journal *journal.Journal // session records, and what is pending
	Secrets *journal.Secrets // what must not be written
	Views   *view.Reader     // the memories of a state
	Diary   *diary.Diary     // what this clone notes of its own runs

	env        Env
	configFile policy.File // that Config was read from
	notices    *notices.List
	states     *states

	tree    *worktree.Tree
	global  *view.Global
	pages   *pages.Set
	vectors *embedder.Embedder

	lander   *lander
	keeper   *keeper
	searcher *searcher
	briefer  *briefer
}

// Open opens the project that env.Dir is in, at the cost of at most one git process.
// Errors are those of [gitops.Open], and [*gitops.CacheLinkError].
func Open(ctx context.Context, env Env) (*Workspace, error) {
	var early *early
	if env.Ahead && !env.InGitHook {
		early = warm(env)
	}
	repo, err := openRepo(ctx, env)
	if err != nil {
		early.drop()
		return nil, err
	}
	w := &Workspace{Repo: repo, Config: policy.Default(), env: env, notices: new(notices.List)}
	w.Index = early.take(indexOptions(env, repo.CacheDir(), repo.ObjectFormat == "sha256"))
	w.Journal = journal.New(repo, w.notices, func(ctx context.Context, what string) { w.Diary.Healed(ctx, what) })
	w.tree = worktree.New(repo, w.Journal.Refusal)
	w.global = view.NewGlobal(env.Global, repo.Root, w.Index, w.notices)
	w.setSettings()
	if repo.Root != "" {
		w.setConfig(policy.Read(repo.Root))
		w.noteLink()
	}
	w.furnish()
	w.states = &states{latest: w}
	return w, nil
}

func openRepo(ctx context.Context, env Env) (*gitops.Repo, error) {
	repo, err := gitops.Open(ctx, env.Dir,
		gitops.Options{Env: env.Environ, InGitHook: env.InGitHook, Settings: env.Settings})
	if err != nil {
		return nil, err
	}
	return repo, repo.CheckCache()
}

// noteLink says that the folder of memories is a symbolic link. For a link in place
// of all of [Dir] the settings say so.
func (w *Workspace) noteLink() {
	info, err := os.Lstat(filepath.Join(w.Repo.Root, filepath.FromSlash(MemoriesDir)))
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		w.notices.Add("%s", folder.LinkRefused(MemoriesDir))
	}
}

// setSettings makes what depends on git's configuration.
func (w *Workspace) setSettings() {
	w.Secrets = journal.NewSecrets(w.Repo, w.notices)
	w.Diary = diary.New(w.Repo.CacheDir(), w.env.Now, w.Secrets.Without)
	w.vectors = embedder.New(embedder.Options{
		Repo: w.Repo, Index: w.Index, Diary: w.Diary, Environ: w.env.Environ, Notice: w.Notice,
	})
}

// setConfig takes the policy from a file, or the defaults if it cannot be used.
func (w *Workspace) setConfig(f policy.File) {
	var err error
	w.configFile = f
	w.Config, err = f.Parse()
	var newer *NewerError
	errors.As(err, &newer)
	w.Journal.SetPolicy(newer)
	if newer != nil {
		w.notices.Add("%v", newer)
	} else if err != nil {
		w.notices.Add("%v; the defaults are used", err)
	}
}

// furnish makes the handles, which depend on the branch or on the policy.
func (w *Workspace) furnish() {
	now, tuning := w.env.Now, w.Config.Tuning()
	w.Views = &view.Reader{
		Repo: w.Repo, Index: w.Index, Tree: w.tree, Journal: w.Journal, Secrets: w.Secrets, Global: w.global,
		Notices: w.notices, Trust: trustRule(w, MemoriesDir, facts.Trust), Fading: w.Config.Fading(),
		Weights: tuning.Rank, Now: now, Program: w.env.Program, Named: w.env.Named,
		Unused: tuning.Unused,
	}
	w.pages = newPages(w)
	w.lander = &lander{
		repo: w.Repo, journal: w.Journal, secrets: w.Secrets, views: w.Views, pages: w.pages, policy: w.Config,
		agent: w.env.Agent, version: w.env.Version, now: now,
	}
	w.keeper = &keeper{
		repo: w.Repo, journal: w.Journal, secrets: w.Secrets, tree: w.tree, views: w.Views, pages: w.pages,
		global: w.global, pii: w.Config.PII, agent: w.env.Agent, now: now,
	}
	w.searcher = &searcher{
		index: w.Index, journal: w.Journal, views: w.Views, vectors: w.vectors, notices: w.notices, now: now,
	}
	w.briefer = &briefer{
		tree: w.tree, journal: w.Journal, views: w.Views, tuning: tuning, policy: w.Config,
		trust: trustRule(w, TemplatesDir, facts.Layout), notices: w.notices, repo: w.Repo, diary: w.Diary,
		lookedAt: w.lookedAt,
	}
}

// ByAgent reports whether an agent started this process.
func (w *Workspace) ByAgent() bool { return w.env.Agent != "" }

// Close writes what the caches learned, if that needs no waiting. It also closes
// what [Workspace.Refresh] returned.
func (w *Workspace) Close() error {
	w.Views.Wait()
	return w.states.close()
}

// Enabled reports whether `cortex init` was run in this clone. Before that no
// hook speaks for the repository. An error is git's, and says neither.
func (w *Workspace) Enabled(ctx context.Context) (bool, error) {
	settings, err := w.Repo.Settings(ctx)
	return err == nil && settings.LocalValue("cortex.enabled") == "true", err
}

// Environ returns the environment of the process, for the programs that it starts.
func (w *Workspace) Environ() []string { return w.env.Environ }

// Now returns the time by the clock of the process.
func (w *Workspace) Now() time.Time { return w.env.Now() }

// Notice adds a line to what [Workspace.TakeNotices] returns.
func (w *Workspace) Notice(format string, args ...any) { w.notices.Add(format, args...) }

// TakeNotices returns what a person should hear once since it was called last: a
// policy file that could not be used, a journal that had to be healed.
func (w *Workspace) TakeNotices() []string { return w.notices.Take() }
