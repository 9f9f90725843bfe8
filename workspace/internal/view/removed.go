package view

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
)

// removalSteps is how many commits that touch memories are searched for what was removed.
const removalSteps = 200

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

// Removed returns the memories that the latest commits of HEAD took away, of those whose paths match a pattern such as
// "**", and those without which branches of this working tree were squashed. Without its history none was.
func (r *Reader) Removed(ctx context.Context, pattern string) (out []Removed) {
	steps, _ := r.Repo.History().Steps(ctx, "HEAD", []string{MemoryPath(pattern)}, removalSteps)
	ends := r.reviewedAway(ctx)
	for _, s := range slices.Backward(steps) {
		for _, d := range s.Changes {
			delete(ends, d.Path)
			if d.New == "" {
				ends[d.Path] = end{d.Old, s.Commit}
			}
		}
	}
	by := map[gitops.ObjectID]gitops.Commit{}
	for _, e := range ends {
		by[e.blob] = e.by
	}
	_ = r.Repo.Blobs(ctx, slices.Collect(maps.Keys(by)), memory.MaxFile, func(id gitops.ObjectID, data []byte) error {
		if m, err := memory.Parse("", data); err == nil {
			out = append(out, Removed{m, by[id]})
		}
		return nil
	})
	return out
}

// end is the last content of a file, and the commit that took it away.
type end struct {
	blob gitops.ObjectID
	by   gitops.Commit
}

// reviewedAway are the memories, by path, that branches of this working tree had landed and without which they were
// squashed: what a review removed, no commit of HEAD does.
func (r *Reader) reviewedAway(ctx context.Context) map[string]end {
	h, ends := r.Repo.History(), map[string]end{}
	left, _ := h.Left(ctx)
	for name, branch := range left {
		added, _ := h.AddedBy(ctx, "HEAD", branch.Tip, hookstate.MemoriesDir)
		had, _ := r.Repo.PathsAt(ctx, string(branch.Tip), added)
		there, _ := r.Repo.PathsAt(ctx, "HEAD", added)
		maps.DeleteFunc(had, func(path string, _ gitops.ObjectID) bool { return there[path] != "" })
		if len(had) == 0 {
			continue
		}
		merge, _ := h.Squashed(ctx, "HEAD", branch.Tip, IsWork)
		commits, _ := h.Log(ctx, string(merge), nil, 1) // none of ""
		for _, c := range commits {
			c.Author = "the review of " + name
			for path, blob := range had {
				ends[path] = end{blob, c}
			}
		}
	}
	return ends
}

// IsWork reports whether a path is none of ours, so that a branch which changes it has work of its own.
func IsWork(name string) bool { return !strings.HasPrefix(name, path.Dir(hookstate.MemoriesDir)+"/") }
