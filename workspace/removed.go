package workspace

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// removedTime is how long a history is searched for the end of a memory.
const removedTime = time.Second

// RemovedError is a memory that somebody removed with a commit. The same words do not bring it back.
type RemovedError struct {
	ID memory.ID
	By gitops.Commit
}

func (e *RemovedError) Error() string {
	id := e.ID.Short()
	return fmt.Sprintf("%s removed %s on %s, with %.7s (%s); to bring it back: cortex restore %s",
		memory.Clean(e.By.Author), id, e.By.Time.Format(time.DateOnly), e.By.ID,
		memory.OneLine(memory.Clean(e.By.Subject)), id)
}

// removed is a [*RemovedError] for a memory whose file a commit, or the review of a branch, took away. Among the
// user's own memories nobody else removes one.
func (k *keeper) removed(ctx context.Context, m *memory.Memory) error {
	ctx, stop := context.WithTimeout(ctx, removedTime)
	defer stop()
	all := k.views.Removed(ctx, "**/*"+m.ID.Short()+".md") // without its history it may come back
	i := slices.IndexFunc(all, func(gone view.Removed) bool { return gone.ID == m.ID })
	if i < 0 || k.global.Here() {
		return nil
	}
	return &RemovedError{m.ID, all[i].By}
}
