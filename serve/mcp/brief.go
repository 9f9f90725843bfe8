package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
)

// maxBrief bounds a briefing, in tokens.
const maxBrief = 6000

// briefInput is the schema of [briefArguments], as [input] reads it.
const briefInput = "tokens?:integer"

type briefArguments struct {
	Tokens int `json:"tokens,omitempty"`
	scope
}

func addBrief(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_brief", Title: "Briefing",
		Description:  "Briefing for a new session: traps, rules, decisions, recent work.",
		InputSchema:  input(briefInput),
		OutputSchema: object("left:integer shown:[string] text:string tokens:integer view:view", parts()),
	}, reads, func(ctx context.Context, w caller, in briefArguments) (any, error) {
		if in.Tokens < 0 || in.Tokens > maxBrief {
			return nil, mistake("tokens must be from 1 to 6000", "leave it out for the team's setting")
		}
		b, v, err := w.Brief(ctx, workspace.BriefOptions{View: in.view(), Tokens: in.Tokens})
		if err != nil {
			return nil, err
		}
		return framed{answer.NewBrief(b, v), b.Text}, nil
	})
}
