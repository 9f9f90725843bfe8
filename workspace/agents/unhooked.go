package agents

import "context"

// landsAt is the hook of git that lands memories.
const landsAt = "pre-commit"

// unhooked says that no commit on this branch lands what is pending, because git calls
// cortex at none. So it is where the lines of cortex are in a script that git tracks, as
// with husky, and a branch has another version of it. What cannot be told is not said here:
// `cortex doctor` has more time.
func (h *hooks) unhooked(ctx context.Context) []string {
	if h.w.Config.Land != "commit" {
		return nil
	}
	settings, err := h.w.Repo.Settings(ctx)
	if err != nil {
		return nil
	}
	missing, err := h.w.Repo.Hooks().Missing(ctx, settings, landsAt)
	if err != nil || !missing {
		return nil
	}
	return []string{"No commit on this branch lands what is pending: git does not call cortex at `" + landsAt +
		"`. `cortex init` adds the lines to the hook again; `cortex doctor` says more."}
}
