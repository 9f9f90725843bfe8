package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/workspace/explore"
)

// maxDepth is how far away memories are looked for.
const maxDepth = 4

// relatedInput is the schema of [relatedArguments], as [input] reads it.
const relatedInput = "id:string depth?:integer limit?:integer"

type relatedArguments struct {
	ID    string `json:"id"`
	Depth int    `json:"depth,omitempty"`
	Limit int    `json:"limit,omitempty"`
	scope
}

func relatedSchema() schema {
	p := parts()
	p["tie"] = object("rel:string from:string back:boolean name?:string entity?:string weight:number", nil)
	p["related"] = object(headFields+" distance:integer score:number via:[tie]", p)
	p["link"] = object("id:string title:string status:string", nil)
	return object("id:string title:string depth:integer chain:[link] related:[related] view:view", p)
}

func addRelated(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_related", Title: "Related memories",
		Description:  "Memories around one: linked, of the same session or files, similar; what replaced it.",
		InputSchema:  input(relatedInput),
		OutputSchema: relatedSchema(),
	}, reads, func(ctx context.Context, w caller, in relatedArguments) (any, error) {
		if in.Depth == 0 {
			in.Depth = 1
		}
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
