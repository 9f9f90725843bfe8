package ui

import (
	"context"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
)

type health struct {
	Checks []workspace.Check
	Wrong  int
	Status *workspace.Status
	Beats  []beat
}

// health shows what cortex doctor finds, and repairs nothing.
func (v *visit) health(ctx context.Context) (*page, error) {
	checks, err := v.server.host.Checks(ctx, v.Workspace)
	if err != nil {
		return nil, err
	}
	status, err := v.server.host.Status(ctx, v.Workspace)
	if err != nil {
		return nil, err
	}
	all := answer.NewChecks(checks)
	return &page{
		Name: "health", Title: "Health", JSON: asJSON(all),
		Data: health{Checks: checks, Wrong: all.Problems, Status: status, Beats: v.beats(status)},
	}, nil
}
