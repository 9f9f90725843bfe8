package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// planListed is how many plans and steps are listed.
const planListed = 10

type planArguments struct {
	scope
}

func addPlan(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_get_plan", Title: "Current plan",
		Description:  "Plans and progress, newest first, with their texts.",
		InputSchema:  input[planArguments](),
		OutputSchema: output[listAnswer](),
	}, reads, func(ctx context.Context, w caller, in planArguments) (any, error) {
		return plan(ctx, w, in.view())
	})
}

// plan lists plans and what was done of them.
func plan(ctx context.Context, w caller, view workspace.ViewOptions) (any, error) {
	return list(ctx, w, view, "", workspace.ListOptions{
		Types: []memory.Type{memory.Plan, memory.Progress}, Limit: planListed, Code: true,
	})
}
