package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace/curate"
)

// curateInput is the schema of [curateArguments], as [input] reads it.
const curateInput = "session?:string"

type curateArguments struct {
	Session string `json:"session,omitempty"`
	scope
}

func curateSchema() schema {
	return object("sheet:string session:string agent:string branch:string title:string more:boolean received:boolean tokens:integer "+
		"candidates:[object] known:[object] passages:[object] text:string schema:object", nil)
}

func addCurate(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_curate", Title: "Worksheet",
		Description:  "A worksheet of captured candidates, with instructions; answer with cortex_curate_apply.",
		InputSchema:  input(curateInput),
		OutputSchema: curateSchema(),
	}, reads, func(ctx context.Context, w caller, in curateArguments) (any, error) {
		sheet, err := curate.Next(ctx, w.Workspace, curate.Options{Session: in.Session, Home: w.home, Branch: in.Branch})
		if err != nil {
			return nil, err
		}
		return framed{answer.NewSheet(sheet), fenced(sheet.Text())}, nil
	})
}

// applyInput is the schema of [applyArguments], as [input] reads it.
const applyInput = "answer:object"

type applyArguments struct {
	Answer map[string]any `json:"answer"`
	scope
}

func addApply(s *server, to *sdk.Server) {
	p := parts()
	p["added"] = object("id:string type:string title:string text:string confidence:number line:integer", nil)
	p["reason"] = object("reason:string", nil)
	add(s, to, sdk.Tool{
		Name: "cortex_curate_apply", Title: "Answer a worksheet",
		Description:  "Check the answer to a worksheet; what its evidence supports becomes pending memories.",
		InputSchema:  input(applyInput),
		OutputSchema: object("sheet:string session:string added:[added] became:integer dropped:[reason] left:integer refused:[reason] more:boolean", p),
	}, adds, func(ctx context.Context, w caller, in applyArguments) (any, error) {
		data, err := json.Marshal(in.Answer)
		if err != nil {
			return nil, fmt.Errorf("reading the answer: %w", err)
		}
		out, err := curate.Apply(ctx, w.Workspace, data)
		if err != nil {
			return nil, err
		}
		return answer.NewOutcome(out), nil
	})
}
