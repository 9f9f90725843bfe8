package workspace

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/notices"
)

// PostCommit does the work of git's post-commit hook: it takes the memories that the
// new commit holds off the journal. It returns how many there were.
func (w *Workspace) PostCommit(ctx context.Context) (int, error) {
	if enabled, err := w.Enabled(ctx); err != nil || !enabled {
		return 0, err
	}
	return w.Prune(ctx)
}

// Prune removes pending memories that HEAD holds as files, whatever was done
// to their text in review, from the journal. It returns how many there were.
func (w *Workspace) Prune(ctx context.Context) (int, error) { return w.lander.prune(ctx) }

func (l *lander) prune(ctx context.Context) (int, error) {
	snap, err := l.journal.Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	branch := l.secrets.Branch(ctx, l.repo.Branch)
	gone, err := l.landedAt(ctx, snap, gitops.PendingPrefix(branch))
	if err != nil || len(gone) == 0 {
		return 0, err
	}
	return len(gone), l.journal.Update(ctx, func(*gitops.Snapshot) (gitops.Change, error) {
		return gitops.Change{
			Message: fmt.Sprintf("land: %s (%s)", notices.Memories(len(gone)), branch),
			When:    l.now(), Trailers: journal.Trailers("", branch, l.repo.Head), Remove: gone,
		}, nil
	})
}

// landedAt are the journal paths of the memories pending below prefix that HEAD has as files, by
// name. That there are none is kept for as long as the memories of HEAD and what is pending stay
// as they are: most commits change neither.
func (l *lander) landedAt(ctx context.Context, snap *gitops.Snapshot, prefix string) ([]string, error) {
	pending, err := snap.FolderID(ctx, "", prefix)
	if err != nil || pending == "" {
		return nil, err
	}
	landed, err := l.landedFolder(ctx, snap)
	if err != nil || landed == "" {
		return nil, err
	}
	if none, _ := facts.Kept[gitops.ObjectID](l.repo, facts.Pruned, string(landed)); none == pending {
		return nil, nil
	}
	both, err := snap.Shared(ctx, pending, landed)
	if err != nil {
		return nil, err
	}
	if len(both) == 0 {
		facts.Keep(l.repo, facts.Pruned, string(landed), pending)
	}
	for i := range both {
		both[i] = prefix + "/" + both[i]
	}
	return both, nil
}

// landedFolder is the id of the folder of memories in HEAD; "" where there is none.
func (l *lander) landedFolder(ctx context.Context, snap *gitops.Snapshot) (gitops.ObjectID, error) {
	head, err := l.head(ctx)
	if err != nil || head == "" {
		return "", err
	}
	return snap.FolderID(ctx, head, MemoriesDir)
}

// head is the commit that HEAD is at by now; "" before the first one. It costs no git process where
// the branch has a file of its own, as after a commit.
func (l *lander) head(ctx context.Context) (gitops.ObjectID, error) {
	if at := l.repo.Worktree().HeadCommit(); at != "" {
		return gitops.ObjectID(at), nil
	}
	at, err := l.repo.History().Commit(ctx, "HEAD")
	if errors.Is(err, gitops.ErrNoRevision) {
		return "", nil
	}
	return at, err
}
