// Package workspace is an opened project: what the command line and the MCP
// server both call, so that they cannot drift apart.
//
// Call [Open] first and [Workspace.Close] last. From the workspace come the
// view ([Workspace.View]: what a command sees), the ways in
// ([Workspace.Remember], [Workspace.Update]), the way into the working tree
// ([Workspace.Land]) and the answers ([Workspace.Search], [Workspace.Brief],
// [Workspace.Project]). Git hooks enter by [Workspace.PreCommit] and [Workspace.PostCommit]. What only one kind of work
// needs is in a package below this one.
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
	"sync"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/embedder"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/folder"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
	"github.com/git-cortex/cortex/workspace/internal/pages"
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
type Workspace struct {
	Repo   *gitops.Repo
	Index  *index.Index
	Config Config
	Diary  *diary.Diary // what this clone notes of its own runs

	env        Env
	configFile configFile // that Config was read from
	notices    *notices
	lives      *lives

	// What the data goes through, in this order.
	journal  *journal
	lander   *lander
	views    *viewer
	searcher *searcher
	briefer  *briefer

	secrets  *secrets
	tree     *worktree
	global   *globalStore
	recalls  *recalls
	branches *branches
	pages    *pages.Set
	keeper   *keeper
	vectors  *embedder.Embedder
}

// Open opens the project that env.Dir is in, at the cost of at most one git process.
// Errors are those of [gitops.Open], and [*gitops.CacheLinkError].
func Open(ctx context.Context, env Env) (*Workspace, error) {
	var early *early
	if env.Ahead && !env.InGitHook {
		early = warm(env)
	}
	repo, err := gitops.Open(ctx, env.Dir, gitops.Options{Env: env.Environ, InGitHook: env.InGitHook, Settings: env.Settings})
	if err != nil {
		early.drop()
		return nil, err
	}
	if err := repo.CheckCache(); err != nil {
		early.drop()
		return nil, err
	}
	w := &Workspace{Repo: repo, Config: DefaultConfig(), env: env, notices: new(notices)}
	w.Index = early.take(indexOptions(env, repo.CacheDir(), repo.ObjectFormat == "sha256"))
	w.journal = &journal{repo: repo, notices: w.notices, healed: func(ctx context.Context, what string) { w.Diary.Healed(ctx, what) }}
	w.tree = &worktree{repo: repo, journal: w.journal}
	w.global = &globalStore{folder: env.Global, index: w.Index, notices: w.notices, here: sync.OnceValue(func() bool { return sameFolder(env.Global, repo.Root) })}
	w.recalls = &recalls{repo: repo, now: env.Now}
	w.setSettings()
	if repo.Root != "" {
		w.setConfig(readConfigFile(repo.Root))
		w.noteLink()
	}
	w.furnish()
	w.lives = &lives{latest: w}
	return w, nil
}

// noteLink says that the folder of memories is a symbolic link. For a link in place
// of all of [Dir] the settings say so.
func (w *Workspace) noteLink() {
	info, err := os.Lstat(filepath.Join(w.Repo.Root, filepath.FromSlash(MemoriesDir)))
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		w.notices.add("%s", folder.LinkRefused(MemoriesDir))
	}
}

// setSettings makes what depends on git's configuration.
func (w *Workspace) setSettings() {
	w.secrets = &secrets{repo: w.Repo, notices: w.notices}
	w.Diary = diary.New(w.Repo.CacheDir(), w.env.Now, w.secrets.without)
	w.vectors = embedder.New(embedder.Options{Repo: w.Repo, Index: w.Index, Diary: w.Diary, Environ: w.env.Environ, Notice: w.Notice})
}

// setConfig takes the policy from a file, or the defaults if it cannot be used.
func (w *Workspace) setConfig(f configFile) {
	var err error
	w.Config, err = f.parse()
	var newer *NewerError
	switch {
	case errors.As(err, &newer):
		w.notices.add("%v", newer)
		w.journal.setPolicy(newer)
	case err != nil:
		w.notices.add("%v; the defaults are used", err)
		w.journal.setPolicy(nil)
	default:
		w.journal.setPolicy(nil)
	}
	w.configFile = f
}

// furnish makes the parts that depend on the branch or on the policy.
func (w *Workspace) furnish() {
	repo, notices, now := w.Repo, w.notices, w.env.Now
	w.views = &viewer{repo: repo, index: w.Index, tree: w.tree, journal: w.journal, secrets: w.secrets, recalls: w.recalls, global: w.global, notices: notices, trust: trustRule(w, MemoriesDir, facts.Trust), decay: w.Config.decay(), tuning: w.Config.tuning(), now: now, named: w.env.Named}
	if w.env.Lives {
		w.views.fades = &keptFades{}
	}
	w.branches = &branches{repo: repo, journal: w.journal, secrets: w.secrets, views: w.views}
	w.pages = newPages(w)
	w.lander = &lander{repo: repo, journal: w.journal, secrets: w.secrets, tree: w.tree, views: w.views, pages: w.pages, branches: w.branches, policy: w.Config, agent: w.env.Agent, now: now}
	w.keeper = &keeper{repo: repo, journal: w.journal, secrets: w.secrets, tree: w.tree, views: w.views, pages: w.pages, global: w.global, pii: w.Config.PII, agent: w.env.Agent, now: now}
	w.searcher = &searcher{index: w.Index, tree: w.tree, journal: w.journal, views: w.views, vectors: w.vectors, notices: notices, now: now}
	w.briefer = &briefer{tree: w.tree, journal: w.journal, views: w.views, tokens: w.Config.BriefTokens, tuning: w.Config.tuning(), trust: trustRule(w, TemplatesDir, facts.Layout), notices: notices, dependencies: w.Config.Dependencies, triggers: w.Config.Consolidate, lookedAt: func() time.Time { return lookedAt(facts.Read(repo, facts.Groups)) }}
}

// ByAgent reports whether an agent started this process.
func (w *Workspace) ByAgent() bool { return w.env.Agent != "" }

// Close writes what the caches learned, if that needs no waiting. It also closes
// what [Workspace.Refresh] returned.
func (w *Workspace) Close() error {
	w.views.naming.Wait()
	return w.lives.close()
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

// MemoryPath returns the path in the working tree of a memory whose own path,
// such as "decision/2026-03/use-bluge-1f2e3d4.md", is rel.
func MemoryPath(rel string) string { return MemoriesDir + "/" + rel }
