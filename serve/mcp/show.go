package mcp

import (
	"context"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

type showArguments struct {
	ID string `json:"id"`
	scope
}

// shownMemory has the members of a memory that is shown.
type shownMemory struct {
	wholeMemory
	Kinds map[string]any `json:"kinds,omitempty"`
}

// tornMemory has the members of a file with a conflict in it.
type tornMemory struct {
	ID       string `json:"id"`
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Conflict struct {
		Ours       wholeMemory `json:"ours"`
		Theirs     wholeMemory `json:"theirs"`
		OursName   string      `json:"ours_name"`
		TheirsName string      `json:"theirs_name"`
	} `json:"conflict"`
}

func showSchema() schema {
	return schema{"type": "object", "anyOf": []schema{output[shownMemory](), output[tornMemory]()}}
}

func addShow(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_show", Title: "Show a memory",
		Description:  "Read one memory in full, and where it came from.",
		InputSchema:  input[showArguments](),
		OutputSchema: showSchema(),
	}, reads, show)
}

// show reads one memory, or both sides of one that git left in conflict.
func show(ctx context.Context, w caller, in showArguments) (any, error) {
	v, err := w.View(ctx, in.view())
	if err != nil {
		return nil, err
	}
	entry, err := v.Find(ctx, in.ID)
	if errors.Is(err, workspace.ErrNotFound) {
		if c, cerr := w.Views.FindConflicted(ctx, v, in.ID); cerr == nil {
			c.Ours, c.Theirs = cut(c.Ours), cut(c.Theirs)
			return answer.NewConflict(c), nil
		}
	}
	if err != nil {
		return nil, err
	}
	w.NoteRecalled(ctx, entry)
	return explore.Show(ctx, w.Workspace, cut(entry)), nil
}

// cut is a memory whose text is not longer than an answer bears.
func cut(e workspace.Entry) workspace.Entry {
	return shortened([]workspace.Entry{e}, maxText)[0]
}
