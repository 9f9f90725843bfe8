// Package workspace is an opened project: what the command line and the MCP
// server both call, so that they cannot drift apart.
//
// Call [Open] first and [Workspace.Close] last. From the workspace come the
// view ([Workspace.View]: what a command sees), the ways in
// ([Workspace.Remember], [Workspace.Capture]), the way into the working tree
// ([Workspace.Land]) and the answers ([Workspace.Search], [Workspace.Brief],
// [Workspace.Project]). Agent and git hooks enter by [Workspace.AgentHook],
// [Workspace.PreCommit] and [Workspace.PostCommit]. What only one kind of work
// needs is in a package below this one.
//
// The package wires capture, gitops, index and projection together and holds
// no algorithm of theirs. It promises that a broken cache, configuration file
// or memory file never stops a command: it becomes a problem that is reported.
package workspace

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
)

// Folders and files of a repository, relative to its root.
const (
	Dir         = ".cortex"
	MemoriesDir = ".cortex/memories"
	ConfigPath  = ".cortex/config.yaml"
)

// Env is what a workspace knows of the process that opened it.
type Env struct {
	Dir       string           // folder to start from
	Environ   []string         // environment of git children
	Now       func() time.Time // the clock
	Version   string           // of cortex, for records
	InGitHook bool             // run by git, whose GIT_* variables are meant
	Ahead     bool             // a process that reads memories once and ends: begin while git is asked where
	Settings  bool             // git's configuration is asked for in any case: read it while git is asked where
	Global    string           // folder of the user's own store, which need not be there; "" has none
}

// Workspace is an opened project. Its methods are for one goroutine.
type Workspace struct {
	Repo   *gitops.Repo
	Index  *index.Index
	Config Config

	env      Env
	isGlobal func() bool // whether this is the global store itself
	notices  *notices
	journal  *journal
	secrets  *secrets
	vector   *index.Vectors // nil until asked for, and without an embedder
	// journaled is where a pending blob stands in the journal.
	journaled map[string]gitops.Entry
	rendered  *rendering // the last one, see rendering
}

// Open opens the project that env.Dir is in, at the cost of one git process.
// Errors are those of [gitops.Open].
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
	w := &Workspace{Repo: repo, Config: DefaultConfig(), env: env, notices: new(notices), journaled: map[string]gitops.Entry{}}
	w.journal = &journal{repo: repo, notices: w.notices}
	w.secrets = &secrets{repo: repo, notices: w.notices}
	w.Index = early.take(indexOptions(env, repo.CacheDir(), repo.ObjectFormat == "sha256"))
	w.isGlobal = sync.OnceValue(func() bool { return sameFolder(env.Global, repo.Root) })
	if repo.Root != "" {
		w.Config, err = LoadConfig(repo.Root)
		var newer *NewerError
		if errors.As(err, &newer) {
			w.journal.policy = newer
			w.Notice("%v", newer)
		} else if err != nil {
			w.Notice("%v; the defaults are used", err)
		}
	}
	return w, nil
}

// Close writes what the caches learned, if that needs no waiting.
func (w *Workspace) Close() error {
	w.journal.close()
	var err error
	if w.vector != nil {
		err = errors.Join(err, w.vector.Close())
	}
	return errors.Join(err, w.Index.Close())
}

// Enabled reports whether `cortex init` was run in this clone. Before that no
// hook speaks for the repository.
func (w *Workspace) Enabled(ctx context.Context) bool {
	settings, err := w.Repo.Settings(ctx)
	return err == nil && settings.LocalValue("cortex.enabled") == "true"
}

func (w *Workspace) worktree() (string, error) {
	if w.Repo.Root == "" {
		return "", gitops.ErrNoWorktree
	}
	return w.Repo.Root, nil
}

// RefreshJournal does nothing: [Workspace.Journal] sees what was written since.
func (w *Workspace) RefreshJournal() {}

// Environ returns the environment of the process, as the workspace was given it.
func (w *Workspace) Environ() []string { return w.env.Environ }

// Now returns the time by the clock of the process.
func (w *Workspace) Now() time.Time { return w.env.Now() }

// MemoryPath returns the path in the working tree of a memory whose own path,
// such as "decision/2026-03/use-bluge-1f2e3d4.md", is rel.
func MemoryPath(rel string) string { return MemoriesDir + "/" + rel }

func (w *Workspace) abs(rel string) string {
	return filepath.Join(w.Repo.Root, filepath.FromSlash(rel))
}
