package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// maxCompletions is the bound that the protocol sets.
const maxCompletions = 100

// complete offers values for an argument of a prompt or of an address.
func (s *server) complete(ctx context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	ref, arg := req.Params.Ref, req.Params.Argument
	find, known := completers()[ref.Type+" "+arg.Name]
	var found []string
	_, err := s.call(ctx, scope{}, func(w *workspace.Workspace) (_ any, err error) {
		if known {
			found, err = find(ctx, w)
		}
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	found = lists.Without(found, func(v string) bool { return !completes(v, arg.Value) })
	shown := append([]string{}, found[:min(len(found), maxCompletions)]...)
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{
		Values: shown, Total: len(found), HasMore: len(found) > len(shown),
	}}, nil
}

// completers find the values for each kind of argument.
func completers() map[string]func(context.Context, *workspace.Workspace) ([]string, error) {
	return map[string]func(context.Context, *workspace.Workspace) ([]string, error){
		"ref/resource id":   ids,
		"ref/prompt branch": values("branch"),
		"ref/prompt topic":  topics,
		"ref/prompt type":   types,
	}
}

// completes reports whether a value can be shown, and begins with what was typed.
func completes(value, typed string) bool {
	return memory.Defang(value) == value && strings.HasPrefix(strings.ToLower(value), strings.ToLower(typed))
}

// ids are those of the view, newest first.
func ids(ctx context.Context, w *workspace.Workspace) ([]string, error) {
	v, err := w.View(ctx, workspace.ViewOptions{})
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range v.List(ctx, workspace.ListOptions{TextLess: true}) {
		out = append(out, string(e.Memory.ID))
	}
	return out, nil
}

// values are those that a filter of a search can have.
func values(key string) func(context.Context, *workspace.Workspace) ([]string, error) {
	return func(ctx context.Context, w *workspace.Workspace) ([]string, error) {
		return explore.FilterValues(ctx, w, key), nil
	}
}

// topics are the tags and names that memories have.
func topics(ctx context.Context, w *workspace.Workspace) ([]string, error) {
	return append(explore.FilterValues(ctx, w, "tag"), explore.FilterValues(ctx, w, "entity")...), nil
}

func types(context.Context, *workspace.Workspace) ([]string, error) {
	return lists.Map(memory.Types(), func(t memory.Type) string { return string(t) }), nil
}
