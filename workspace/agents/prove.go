package agents

import (
	"context"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/places"
)

// unproven finds the pending memories that an agent wrote down itself, by a tool or a
// command: only the transcript of its session can tell whose words they are.
func (x *capturer) unproven(ctx context.Context, snap *gitops.Snapshot, branch, agent string) func() ([]*memory.Memory, error) {
	return func() ([]*memory.Memory, error) {
		entries, err := snap.List(ctx, gitops.PendingPrefix(branch))
		if err != nil {
			return nil, err
		}
		var out []*memory.Memory
		err = snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
			m, err := memory.Parse(e.Path, data)
			if err == nil && m.Source.Agent == agent && m.Source.Session == "" && m.Source.Claimed() == "" {
				out = append(out, m)
			}
			return nil
		})
		return out, err
	}
}

// prove writes down the origins that a session has established for such memories.
func (x *capturer) prove(
	ctx context.Context, snap *gitops.Snapshot, proved map[memory.ID]string, pending places.Finder, c *gitops.Change,
) error {
	for id, origin := range proved {
		paths, err := pending(id)
		if err != nil {
			return err
		}
		for _, path := range paths {
			data, _, err := fileAt(ctx, snap, path)
			if err != nil {
				return err
			}
			if m, err := memory.Parse(path, data); err == nil && m.Source.Claimed() == "" {
				m.Source.Origin = origin
				c.Put[path] = memory.Format(m)
			}
		}
	}
	return nil
}
