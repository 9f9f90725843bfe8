package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// maxCompletions is the bound that the protocol sets.
const maxCompletions = 100

// complete offers values for an argument of a prompt or of an address.
func (s *server) complete(ctx context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	ref, arg := req.Params.Ref, req.Params.Argument
	find := func(context.Context, *workspace.Workspace) ([]string, error) { return nil, nil }
	switch {
	case ref.Type == "ref/resource" && arg.Name == "id":
		find = ids
	case ref.Type == "ref/prompt" && arg.Name == "branch":
		find = values("branch")
	case ref.Type == "ref/prompt" && arg.Name == "topic":
		find = topics
	case ref.Type == "ref/prompt" && arg.Name == "type":
		find = types
	}
	var found []string
	_, err := s.call(ctx, scope{}, func(w *workspace.Workspace) (_ any, err error) {
		found, err = find(ctx, w)
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	out := sdk.CompletionResultDetails{Values: []string{}}
	for _, v := range found {
		if memory.Defang(v) != v || !strings.HasPrefix(strings.ToLower(v), strings.ToLower(arg.Value)) {
			continue
		}
		if out.Total++; len(out.Values) < maxCompletions {
			out.Values = append(out.Values, v)
		}
	}
	out.HasMore = out.Total > len(out.Values)
	return &sdk.CompleteResult{Completion: out}, nil
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
	var out []string
	for _, t := range memory.Types() {
		out = append(out, string(t))
	}
	return out, nil
}
