package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/workspace"
)

type recentArguments struct {
	Limit int `json:"limit,omitempty"`
	scope
}

func addRecent(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_get_recent", Title: "Recent memories",
		Description:  "The newest memories, with their texts.",
		InputSchema:  input[recentArguments](),
		OutputSchema: output[listAnswer](),
	}, reads, func(ctx context.Context, w caller, in recentArguments) (any, error) {
		limit, err := limited(in.Limit, 10, maxListed)
		if err != nil {
			return nil, err
		}
		return list(ctx, w, in.view(), "", workspace.ListOptions{Limit: limit, Code: true})
	})
}
