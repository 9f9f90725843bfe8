package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// decided is the filter of what was settled.
const decided = "type:decision,rejected"

type decisionsArguments struct {
	Query string `json:"query,omitempty"`
	Limit int    `json:"limit,omitempty"`
	scope
}

func addDecisions(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_search_decisions", Title: "Search decisions",
		Description:  "cortex_search among decisions and rejected approaches; without query, all.",
		InputSchema:  input[decisionsArguments](),
		OutputSchema: output[searchAnswer](),
	}, reads, func(ctx context.Context, w caller, in decisionsArguments) (any, error) {
		return search(ctx, w, searchArguments{Limit: in.Limit, scope: in.scope},
			strings.TrimSpace(decided+" "+in.Query))
	})
}
