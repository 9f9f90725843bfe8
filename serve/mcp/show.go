package mcp

import (
	"context"
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// mostShown is how many memories one call may read.
const mostShown = 10

type showArguments struct {
	ID  string   `json:"id,omitempty"`
	IDs []string `json:"ids,omitempty"` // of several, in place of id

	Where string `json:"scope,omitempty" says:"hub: of another repository, by an id from a search there"`
	scope
}

// severalMemories has the members of an answer to several ids.
type severalMemories struct {
	Memories []any `json:"memories"` // each as for its id alone
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
	return schema{"type": "object", "anyOf": []schema{
		output[shownMemory](), output[tornMemory](),
		output[severalMemories](),
	}}
}

func addShow(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_show", Title: "Show a memory",
		Description:  "Read memories in full.",
		InputSchema:  scoped(input[showArguments](), s.host.Hub != nil),
		OutputSchema: outputOf(showSchema(), s.host.Hub != nil),
	}, reads, func(ctx context.Context, w caller, in showArguments) (any, error) {
		if in.Where != "" {
			return s.showHub(ctx, in)
		}
		return show(ctx, w, in)
	})
}

// show reads the memories that are asked for.
func show(ctx context.Context, w caller, in showArguments) (any, error) {
	v, err := w.View(ctx, in.view())
	if err != nil {
		return nil, err
	}
	if (in.ID == "") == (len(in.IDs) == 0) || len(in.IDs) > mostShown {
		return nil, mistake("show needs an id, or up to ten as ids", "an id from a search or a briefing")
	}
	if in.ID != "" {
		return showOne(ctx, w, v, in.ID, maxText)
	}
	var out severalMemories
	for _, id := range in.IDs {
		shown, err := showOne(ctx, w, v, id, maxText/len(in.IDs))
		if err != nil {
			return nil, err
		}
		out.Memories = append(out.Memories, shown)
	}
	return out, nil
}

// showOne reads one memory, or both sides of one that git left in conflict, with texts of at
// most so many bytes.
func showOne(ctx context.Context, w caller, v *workspace.View, id string, most int) (any, error) {
	entry, err := v.Find(ctx, id)
	if errors.Is(err, workspace.ErrNotFound) {
		if c, cerr := w.Views.FindConflicted(ctx, v, id); cerr == nil {
			c.Ours, c.Theirs = cutTo(most, c.Ours), cutTo(most, c.Theirs)
			return answer.NewConflict(c), nil
		}
	}
	if err != nil {
		return nil, err
	}
	w.NoteRecalled(ctx, entry)
	return explore.Show(ctx, w.Workspace, cutTo(most, entry)), nil
}

// cut is a memory whose text is not longer than an answer bears.
func cut(e workspace.Entry) workspace.Entry { return cutTo(maxText, e) }

// cutTo is a memory whose text has at most so many bytes.
func cutTo(most int, e workspace.Entry) workspace.Entry {
	return shortened([]workspace.Entry{e}, most)[0]
}
