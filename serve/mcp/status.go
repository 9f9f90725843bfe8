package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/index"
)

type statusArguments struct {
	scope
}

func addStatus(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_get_status", Title: "Status",
		Description: "Counts of memories, hooks and problems of this clone.",
		InputSchema: input(""),
		OutputSchema: object("root:string branch:string enabled:boolean tier:object landed:integer pending:integer global:integer "+
			"sessions:integer skipped:[object] index:object hooks:object drivers:object heartbeat:object problems:[string] "+
			"pending_elsewhere:integer pending_gone:integer pending_stray:integer received:integer unsent:object", nil),
	}, reads, func(ctx context.Context, w caller, in statusArguments) (any, error) {
		return s.status(ctx, w, in.scope)
	})
}

// status is how a clone stands, seen from a branch.
func (s *server) status(ctx context.Context, w caller, about scope) (any, error) {
	out, err := s.host.Status(ctx, w.Workspace)
	if err != nil || about.Branch == "" {
		return out, err
	}
	v, err := w.View(ctx, about.view())
	if err != nil {
		return nil, err
	}
	pending := out.Pending + out.Elsewhere
	out.Branch, out.Landed, out.Pending, out.Global = v.Branch, v.Count(index.Landed), v.Count(index.Pending), v.Count(index.Global)
	out.Elsewhere = max(0, pending-out.Pending)
	return out, nil
}
