package view

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
)

// How far a history is searched for what was removed: so many commits that touch memories, and so long.
const (
	removalSteps = 200
	removalTime  = 300 * time.Millisecond
)

// Removed is a memory that a commit took away.
type Removed struct {
	*memory.Memory
	By gitops.Commit
}

// Text says who removed it, when, and with which commit.
func (r *Removed) Text() string {
	by := memory.OneLine(memory.Clean(r.By.Author))
	return fmt.Sprintf("%s removed it on %s, with %.7s", by, r.By.Time.Format(time.DateOnly), r.By.ID)
}

// Titled reports whether a memory has its type and title.
func (r *Removed) Titled(m *memory.Memory) bool { return m.Type == r.Type && m.Title == r.Title }

// Removed returns the memories that the latest commits of HEAD took away. Without its history none was.
func (r *Reader) Removed(ctx context.Context) (out []Removed) {
	ctx, stop := context.WithTimeout(ctx, removalTime)
	defer stop()
	steps, _ := r.Repo.History().Steps(ctx, "HEAD", []string{MemoryPath("**")}, removalSteps)
	by := map[gitops.ObjectID]gitops.Commit{}
	for _, s := range steps {
		for _, d := range s.Changes {
			if d.New == "" {
				by[d.Old] = s.Commit
			}
		}
	}
	_ = r.Repo.Blobs(ctx, slices.Collect(maps.Keys(by)), memory.MaxFile, func(id gitops.ObjectID, data []byte) error {
		if m, err := memory.Parse("", data); err == nil {
			out = append(out, Removed{m, by[id]})
		}
		return nil
	})
	return out
}
