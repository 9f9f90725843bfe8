package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

type planArguments struct {
	scope
}

func addPlan(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_get_plan", Title: "Current plan",
		Description:  "The active plan with its steps, which of them are done, and the other plans.",
		InputSchema:  input[planArguments](),
		OutputSchema: output[explore.PlanList](),
	}, reads, func(ctx context.Context, w caller, in planArguments) (any, error) {
		return plan(ctx, w, in.view())
	})
}

// plan has the plans of a view and how far they came.
func plan(ctx context.Context, w caller, view workspace.ViewOptions) (any, error) {
	return explore.Plans(ctx, w.Workspace, view)
}
