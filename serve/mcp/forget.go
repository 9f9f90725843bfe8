package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/internal/answer"
)

// forgetInput is the schema of [forgetArguments], as [input] reads it.
const forgetInput = "id:string"

type forgetArguments struct {
	ID string `json:"id"`
	scope
}

func addForget(s *server, to *sdk.Server) {
	p := parts()
	add(s, to, sdk.Tool{
		Name: "cortex_forget", Title: "Forget a pending memory",
		Description:  "Remove one pending memory. Landed ones need a person.",
		InputSchema:  input(forgetInput),
		OutputSchema: object("forgotten:memory kept:string", p),
	}, removes, func(ctx context.Context, w caller, in forgetArguments) (any, error) {
		out, err := w.ForgetPending(ctx, in.ID, in.view())
		if err != nil {
			return nil, err
		}
		out.Entry = cut(out.Entry)
		return answer.NewForgotten(out), nil
	})
}
