package mcp

import (
	"context"
	"errors"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/workspace/agents"
)

// recallInput is the schema of [recallArguments], as [input] reads it.
func recallInput() string {
	var fields []string
	for _, d := range agents.Moments() {
		fields = append(fields, d.Name()+"?:string")
	}
	return strings.Join(fields, " ")
}

type recallArguments struct {
	agents.Asked
	scope
}

func recallSchema() schema {
	p := parts()
	p["why"] = object("kind:string text:string weight:number", nil)
	p["hit"] = object("id:string type:string score:number threshold:number speaks:boolean why:[why] line:string", p)
	return object("moment:string threshold:number limit:integer off:boolean spent:boolean memories:[hit] left_out:object view:view", p)
}

func addRecall(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_recall", Title: "Recall for a moment",
		Description:  "What is known for one moment: before you run, open, search or ask, or of an error. Often nothing.",
		InputSchema:  input(recallInput()),
		OutputSchema: recallSchema(),
	}, reads, func(ctx context.Context, w caller, in recallArguments) (any, error) {
		in.View = in.view()
		said, err := agents.Recall(ctx, w.Workspace, in.Asked)
		if errors.Is(err, agents.ErrNoMoment) || errors.Is(err, agents.ErrMoments) {
			return nil, mistake(err.Error(), "give one of prompt, command, file, search and question; error may stand alone, or beside command or file")
		}
		return said, err
	})
}
