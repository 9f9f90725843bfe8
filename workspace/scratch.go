package workspace

import (
	"context"

	"github.com/git-cortex/cortex/gitops"
)

// Scratch makes a new git repository in the existing folder env.Dir, with an
// author of its own, for demonstrations.
func Scratch(ctx context.Context, env Env) (*gitops.Repo, error) {
	return gitops.Scratch(ctx, env.Dir, gitops.Options{Env: env.Environ})
}
