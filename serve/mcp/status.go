package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/index"
)

type statusArguments struct {
	scope
}

// statusAnswer has the members of a status.
type statusAnswer struct {
	Root             string           `json:"root"`
	Branch           string           `json:"branch"`
	Enabled          bool             `json:"enabled"`
	Tier             map[string]any   `json:"tier"`
	Landed           int              `json:"landed"`
	Pending          int              `json:"pending"`
	Global           int              `json:"global"`
	Sessions         int              `json:"sessions"`
	Skipped          []map[string]any `json:"skipped"`
	Index            map[string]any   `json:"index"`
	Hooks            map[string]any   `json:"hooks"`
	Drivers          map[string]any   `json:"drivers"`
	Heartbeat        map[string]any   `json:"heartbeat"`
	Problems         []string         `json:"problems"`
	PendingElsewhere int              `json:"pending_elsewhere"`
	PendingGone      int              `json:"pending_gone"`
	PendingStray     int              `json:"pending_stray"`
	Received         int              `json:"received"`
	Unsent           map[string]any   `json:"unsent"`
}

func addStatus(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_get_status", Title: "Status",
		Description:  "Counts of memories, hooks and problems of this clone.",
		InputSchema:  input[statusArguments](),
		OutputSchema: output[statusAnswer](),
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
	out.Branch, out.Landed, out.Pending, out.Global = v.Branch, v.Count(index.Landed), v.Count(index.Pending),
		v.Count(index.Global)
	out.Elsewhere = max(0, pending-out.Pending)
	return out, nil
}
