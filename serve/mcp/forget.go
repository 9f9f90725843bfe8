package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/internal/answer"
)

type forgetArguments struct {
	ID string `json:"id"`
	scope
}

// forgetAnswer has the members of what was forgotten.
type forgetAnswer struct {
	Forgotten wholeMemory `json:"forgotten"`
	Kept      string      `json:"kept"`
}

func addForget(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_forget", Title: "Forget a pending memory",
		Description:  "Remove one pending memory. Landed ones need a person.",
		InputSchema:  input[forgetArguments](),
		OutputSchema: output[forgetAnswer](),
	}, removes, func(ctx context.Context, w caller, in forgetArguments) (any, error) {
		out, err := w.ForgetPending(ctx, in.ID, in.view())
		if err != nil {
			return nil, err
		}
		out.Entry = cut(out.Entry)
		return answer.NewForgotten(out), nil
	})
}
