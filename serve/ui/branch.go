package ui

import (
	"context"
	"strings"

	"github.com/git-cortex/cortex/workspace/changes"
)

type branch struct {
	Range  string
	Report *changes.Report
}

// branch shows what a branch or a range does to memories.
func (v *visit) branch(ctx context.Context) (*page, error) {
	asked := v.req.URL.Query()
	data := branch{Range: asked.Get("q")}
	at, err := changes.Choose(ctx, v.Workspace, strings.Fields(data.Range), asked.Has("worktree"))
	if err != nil {
		return nil, err
	}
	if data.Report, err = changes.Read(ctx, v.Workspace, at); err != nil {
		return nil, err
	}
	return &page{Name: "branch", Title: "Branch", Data: data, JSON: asJSON(data.Report)}, nil
}
