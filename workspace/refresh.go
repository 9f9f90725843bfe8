package workspace

import (
	"context"
	"errors"
	"sync"

	"github.com/git-cortex/cortex/workspace/internal/embedder"
	"github.com/git-cortex/cortex/workspace/internal/policy"
)

// states are the states that a project has had since it was opened. They share the
// index, the journal, the working tree and the notices.
type states struct {
	mu     sync.Mutex
	latest *Workspace
	past   []*embedder.Embedder // of earlier settings
}

// Refresh returns the workspace as it is now: the one it returned last, at first w
// itself, while the branch, the commit, git's configuration and config.yaml are as
// they were, else a new one, which shares what w holds. It reads a few files, and
// runs git after a change.
//
// A long-running process calls it when an operation begins, and works with what
// it returns until that operation ends: within it branch and policy stay what
// they are. An earlier one may still be used, and goes on speaking of the branch
// that was checked out then. None is closed but by [Workspace.Close], once.
func (w *Workspace) Refresh(ctx context.Context) (*Workspace, error) {
	l := w.states
	l.mu.Lock()
	defer l.mu.Unlock()
	was := l.latest
	repo, err := was.Repo.Refresh(ctx)
	if err != nil {
		return nil, err
	}
	var file policy.File
	if repo.Root != "" {
		file = policy.Read(repo.Root)
	}
	if repo == was.Repo && file == was.configFile {
		return was, nil
	}
	now := *was
	now.Repo = repo
	if !repo.SameSettings(was.Repo) {
		l.past = append(l.past, was.vectors)
		now.setSettings()
	}
	if file != was.configFile {
		now.setConfig(file)
	}
	now.furnish()
	l.latest = &now
	return l.latest, nil
}

func (l *states) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.latest.Journal.Close()
	err := l.latest.vectors.Close()
	for _, v := range l.past {
		err = errors.Join(err, v.Close())
	}
	return errors.Join(err, l.latest.Index.Close())
}
