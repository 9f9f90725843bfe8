package ui

import (
	"context"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
)

type health struct {
	Checks []workspace.Check
	Wrong  int
}

// health shows what cortex doctor finds, and repairs nothing.
func (v *visit) health(ctx context.Context) (*page, error) {
	checks, err := v.server.host.Checks(ctx, v.Workspace)
	if err != nil {
		return nil, err
	}
	all := answer.NewChecks(checks)
	return &page{Name: "health", Title: "Health", Data: health{checks, all.Problems}, JSON: asJSON(all)}, nil
}
