package mcp

import (
	"cmp"
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/workspace/explore"
)

// maxDepth is how far away memories are looked for.
const maxDepth = 4

type relatedArguments struct {
	ID    string `json:"id"`
	Depth int    `json:"depth,omitempty"`
	Limit int    `json:"limit,omitempty"`
	scope
}

// relatedAnswer has the members of what is around a memory.
type relatedAnswer struct {
	ID      string          `json:"id"`
	Title   string          `json:"title"`
	Depth   int             `json:"depth"`
	Chain   []chainLink     `json:"chain"`
	Related []relatedMemory `json:"related"`
	View    viewAnswer      `json:"view"`
}

type chainLink struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Status string `json:"status"`
}

type relatedMemory struct {
	memoryHead
	Distance int          `json:"distance"`
	Score    float64      `json:"score"`
	Via      []relatedTie `json:"via"`
}

type relatedTie struct {
	Rel    string  `json:"rel"`
	From   string  `json:"from"`
	Back   bool    `json:"back"`
	Name   string  `json:"name,omitempty"`
	Entity string  `json:"entity,omitempty"`
	Weight float64 `json:"weight"`
}

func addRelated(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_related", Title: "Related memories",
		Description:  "Memories around one: linked, of the same session or files, similar; what replaced it.",
		InputSchema:  input[relatedArguments](),
		OutputSchema: output[relatedAnswer](),
	}, reads, func(ctx context.Context, w caller, in relatedArguments) (any, error) {
		in.Depth = cmp.Or(in.Depth, 1)
		if in.Depth < 1 || in.Depth > maxDepth {
			return nil, mistake("depth must be from 1 to 4", "leave it out for 1")
		}
		limit, err := limited(in.Limit, 10, maxResults)
		if err != nil {
			return nil, err
		}
		return explore.Related(ctx, w.Workspace, in.ID, in.Depth, limit, in.view())
	})
}
