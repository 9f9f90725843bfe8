package mcp

import (
	"context"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// maxListed is how many memories are listed at once.
const maxListed = 100

type listArguments struct {
	Types []memory.Type `json:"types,omitempty"`
	Stage string        `json:"stage,omitempty" says:"landed, pending or global"`
	Limit int           `json:"limit,omitempty"`
	After string        `json:"after,omitempty" says:"next of the page before"`
	scope
}

// listAnswer has the members of a page of memories.
type listAnswer struct {
	Memories []wholeMemory `json:"memories"`
	Problems []problemLine `json:"problems"`
	View     viewAnswer    `json:"view"`
	Next     string        `json:"next,omitempty"`
}

type problemLine struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

func addList(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_list", Title: "List memories",
		Description:  "List memories with their texts, newest first, a page at a time.",
		InputSchema:  input[listArguments](),
		OutputSchema: output[listAnswer](),
	}, reads, func(ctx context.Context, w caller, in listArguments) (any, error) {
		if !slices.Contains([]string{"", "landed", "pending", "global"}, in.Stage) {
			return nil, mistake("unknown stage", "landed, pending or global")
		}
		limit, err := limited(in.Limit, 20, maxListed)
		if err != nil {
			return nil, err
		}
		for i, t := range in.Types {
			if in.Types[i], err = memory.ParseType(string(t)); err != nil {
				return nil, mistake(err.Error(), "such as decision, gotcha, fix, preference or plan")
			}
		}
		return list(ctx, w, in.view(), in.After,
			workspace.ListOptions{Types: in.Types, Stage: in.Stage, Limit: limit, Code: true})
	})
}

// list answers with a page of memories.
func list(ctx context.Context, w caller, view workspace.ViewOptions, after string, opt workspace.ListOptions) (any,
	error,
) {
	v, err := w.View(ctx, view)
	if err != nil {
		return nil, err
	}
	entries, next, err := v.Page(ctx, opt, after)
	if err != nil {
		return nil, err
	}
	return listed{shortened(entries, maxTexts), answer.NewListing(v, next)}, nil
}
