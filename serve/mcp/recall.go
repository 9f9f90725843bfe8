package mcp

import (
	"context"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/workspace/agents"
)

type recallArguments struct {
	agents.Asked
	Where string `json:"scope,omitempty" says:"hub: who else met an error, in other repositories"`
	scope
}

// recallAnswer has the members of what is said at a moment.
type recallAnswer struct {
	Moment    string         `json:"moment"`
	Threshold float64        `json:"threshold"`
	Limit     int            `json:"limit"`
	Off       bool           `json:"off"`
	Spent     bool           `json:"spent"`
	Memories  []recallHit    `json:"memories"`
	LeftOut   map[string]any `json:"left_out"`
	View      viewAnswer     `json:"view"`
}

type recallHit struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Score     float64     `json:"score"`
	Threshold float64     `json:"threshold"`
	Speaks    bool        `json:"speaks"`
	Why       []recallWhy `json:"why"`
	Line      string      `json:"line"`
}

type recallWhy struct {
	Kind   string  `json:"kind"`
	Text   string  `json:"text"`
	Weight float64 `json:"weight"`
}

func addRecall(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_recall", Title: "Recall for a moment",
		Description: "What is known for one moment: before you run, open, search or ask, or of an error. Often " +
			"nothing.",
		InputSchema:  scoped(input[recallArguments](), s.host.Hub != nil),
		OutputSchema: outputOf(output[recallAnswer](), s.host.Hub != nil),
	}, reads, func(ctx context.Context, w caller, in recallArguments) (any, error) {
		if in.Where != "" {
			return s.recallHub(ctx, in)
		}
		in.View = in.view()
		said, err := agents.Recall(ctx, w.Workspace, in.Asked)
		if errors.Is(err, agents.ErrNoMoment) || errors.Is(err, agents.ErrMoments) {
			return nil, mistake(err.Error(), "give one of prompt, command, file, search and question; error may "+
				"stand alone, or beside command or file")
		}
		return said, err
	})
}
