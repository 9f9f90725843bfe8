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

// Copy makes a throwaway clone of what w has committed in the existing, empty folder dir, and opens it. What is done
// there reaches w in no way.
func Copy(ctx context.Context, w *Workspace, dir string, env Env) (*Workspace, error) {
	if err := w.Repo.Copy(ctx, dir); err != nil {
		return nil, err
	}
	env.Dir, env.Global = dir, ""
	return Open(ctx, env)
}
