package mcp

import (
	"context"
	"errors"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Addresses of resources. Each is about the repository that the server was started in.
const (
	statusURI    = "cortex://status"
	decisionsURI = "cortex://decisions"
	planURI      = "cortex://plan"
	memoryURI    = "cortex://memory/" // and an id, or the beginning of one
)

// decisionsShown is how many decisions the resource holds.
const decisionsShown = 40

// addResources gives a server what a person may attach to a message.
func addResources(s *server, to *sdk.Server) {
	for _, r := range []struct {
		resource sdk.Resource
		read     func(context.Context, caller) (any, error)
	}{
		{
			sdk.Resource{
				URI: statusURI, Name: "status", Title: "Status of the memory",
				Description: "Counts of memories, hooks and problems of this clone",
			},
			func(ctx context.Context, w caller) (any, error) {
				return s.status(ctx, w, scope{})
			},
		},
		{
			sdk.Resource{
				URI: decisionsURI, Name: "decisions", Title: "Decisions",
				Description: "Decisions and rejected approaches, newest first",
			},
			func(ctx context.Context, w caller) (any, error) {
				return list(ctx, w, workspace.ViewOptions{}, "",
					workspace.ListOptions{
						Types: []memory.Type{memory.Decision, memory.Rejected}, Limit: decisionsShown,
						Code: true,
					})
			},
		},
		{
			sdk.Resource{URI: planURI, Name: "plan", Title: "Plan", Description: "Plans and progress, newest first"},
			func(ctx context.Context, w caller) (any, error) {
				return plan(ctx, w, workspace.ViewOptions{})
			},
		},
	} {
		r.resource.MIMEType = "text/plain"
		to.AddResource(&r.resource,
			func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
				return s.read(ctx, req, r.read)
			})
	}
	to.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: memoryURI +
			"{id}", Name: "memory", Title: "A memory", Description: "One memory in full", MIMEType: "text/plain",
	}, func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		id := strings.TrimPrefix(req.Params.URI, memoryURI)
		return s.read(ctx, req,
			func(ctx context.Context, w caller) (any, error) { return show(ctx, w, showArguments{ID: id}) })
	})
}

// read returns the text that the tool of the same matter answers with.
func (s *server) read(ctx context.Context, req *sdk.ReadResourceRequest,
	work func(context.Context, caller) (any, error),
) (*sdk.ReadResourceResult, error) {
	out, err := s.call(ctx, scope{}, func(w *workspace.Workspace) (any, error) {
		return work(ctx, caller{w, agentOf(req.ClientInfo()), s.host.Home})
	})
	if errors.Is(err, workspace.ErrNotFound) || errors.Is(err, workspace.ErrAmbiguous) {
		return nil, sdk.ResourceNotFoundError(req.Params.URI)
	}
	if err != nil {
		return nil, errors.New(answer.Explain(err).Error)
	}
	r, err := reply(out)
	if err != nil {
		return nil, err
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
		URI: req.Params.URI, MIMEType: "text/plain", Text: r.Content[0].(*sdk.TextContent).Text,
	}}}, nil
}
