package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
)

// maxBrief bounds a briefing, in tokens.
const maxBrief = 6000

type briefArguments struct {
	Tokens int `json:"tokens,omitempty"`
	scope
}

// briefAnswer has the members of a briefing.
type briefAnswer struct {
	Left   int        `json:"left"`
	Shown  []string   `json:"shown"`
	Text   string     `json:"text"`
	Tokens int        `json:"tokens"`
	View   viewAnswer `json:"view"`
}

func addBrief(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_brief", Title: "Briefing",
		Description:  "Briefing for a new session: traps, rules, decisions, recent work.",
		InputSchema:  input[briefArguments](),
		OutputSchema: output[briefAnswer](),
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
