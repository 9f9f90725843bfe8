package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace/curate"
)

type curateArguments struct {
	Session string `json:"session,omitempty"`
	scope
}

// sheetAnswer has the members of a worksheet.
type sheetAnswer struct {
	Sheet      string           `json:"sheet"`
	Session    string           `json:"session"`
	Agent      string           `json:"agent"`
	Branch     string           `json:"branch"`
	Title      string           `json:"title"`
	More       bool             `json:"more"`
	Received   bool             `json:"received"`
	Tokens     int              `json:"tokens"`
	Candidates []map[string]any `json:"candidates"`
	Known      []map[string]any `json:"known"`
	Passages   []map[string]any `json:"passages"`
	Compare    []map[string]any `json:"compare,omitempty"`
	Text       string           `json:"text"`
	Schema     map[string]any   `json:"schema"`
}

func addCurate(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_curate", Title: "Worksheet",
		Description:  "A worksheet of captured candidates, with instructions; answer with cortex_curate_apply.",
		InputSchema:  input[curateArguments](),
		OutputSchema: output[sheetAnswer](),
	}, reads, func(ctx context.Context, w caller, in curateArguments) (any, error) {
		sheet, err := curate.Next(ctx, w.Workspace,
			curate.Options{Session: in.Session, Home: w.home, Branch: in.Branch})
		if err != nil {
			return nil, err
		}
		return framed{answer.NewSheet(sheet), fenced(sheet.Text())}, nil
	})
}

type applyArguments struct {
	Answer map[string]any `json:"answer"`
	scope
}

// appliedAnswer has the members of what came of an answer to a worksheet.
type appliedAnswer struct {
	Sheet   string           `json:"sheet"`
	Session string           `json:"session"`
	Added   []addedMemory    `json:"added"`
	Became  int              `json:"became"`
	Dropped []refusalCause   `json:"dropped"`
	Left    int              `json:"left"`
	Refused []refusalCause   `json:"refused"`
	Pairs   []map[string]any `json:"pairs"`
	More    bool             `json:"more"`
}

type addedMemory struct {
	ID         string  `json:"id"`
	Type       string  `json:"type"`
	Title      string  `json:"title"`
	Text       string  `json:"text"`
	Confidence float64 `json:"confidence"`
	Line       int     `json:"line"`
}

type refusalCause struct {
	Reason string `json:"reason"`
}

func addApply(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_curate_apply", Title: "Answer a worksheet",
		Description:  "Check the answer to a worksheet; what its evidence supports becomes pending memories.",
		InputSchema:  input[applyArguments](),
		OutputSchema: output[appliedAnswer](),
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
