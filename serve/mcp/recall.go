package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/workspace/agents"
)

// recallInput is the schema of [recallArguments], as [input] reads it.
const recallInput = "prompt?:string command?:string file?:string error?:string"

type recallArguments struct {
	Prompt  string `json:"prompt,omitempty"`
	Command string `json:"command,omitempty"`
	File    string `json:"file,omitempty"`
	Error   string `json:"error,omitempty"`
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
		Description:  "What is known of a command or file about to be used, of an error, or for a prompt. Often nothing.",
		InputSchema:  input(recallInput),
		OutputSchema: recallSchema(),
	}, reads, func(ctx context.Context, w caller, in recallArguments) (any, error) {
		kinds := 0
		for _, text := range []string{in.Prompt, in.Command, in.File} {
			if text != "" {
				kinds++
			}
		}
		if kinds > 1 || kinds == 0 && in.Error == "" || in.Prompt != "" && in.Error != "" {
			return nil, mistake("recall needs one moment", "give prompt, command or file; error may stand alone or beside the last two")
		}
		return agents.Recall(ctx, w.Workspace, agents.Asked{
			Prompt: in.Prompt, Command: in.Command, File: in.File, Error: in.Error, View: in.view(),
		})
	})
}
