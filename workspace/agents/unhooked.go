package agents

import (
	"context"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
)

// landsAt is the hook of git that lands memories.
const landsAt = "pre-commit"

// unhooked says that no commit on this branch lands what is pending, because git calls
// cortex at none. So it is where the lines of cortex are in a script that git tracks, as
// with husky, and a branch has another version of it. What cannot be told is not said here:
// `cortex doctor` has more time.
func (h *hooks) unhooked(ctx context.Context) []string {
	settings, err := h.w.Repo.Settings(ctx)
	if err != nil {
		return nil
	}
	states, err := h.w.Repo.Hooks().States(ctx, settings, gitops.Binary{})
	if err != nil {
		return nil
	}
	for _, s := range states {
		if s.Name == landsAt && !s.Installed && !workspace.HookCheck(s, h.w.Config).OK {
			return []string{"No commit on this branch lands what is pending: git does not call cortex at `" + s.Name +
				"`. `cortex init` adds the lines to the hook again; `cortex doctor` says more."}
		}
	}
	return nil
}
