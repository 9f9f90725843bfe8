package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
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
		text     func(any) (string, error)
	}{
		{
			sdk.Resource{
				URI: statusURI, Name: "status", Title: "Status of the memory",
				Description: "Counts of memories, hooks and problems of this clone", MIMEType: "application/json",
			},
			func(ctx context.Context, w caller) (any, error) {
				return s.status(ctx, w, scope{})
			},
			plainJSON,
		},
		{
			sdk.Resource{
				URI: decisionsURI, Name: "decisions", Title: "Decisions",
				Description: "Decisions and rejected approaches, newest first", MIMEType: "text/markdown",
			},
			func(ctx context.Context, w caller) (any, error) {
				return list(ctx, w, workspace.ViewOptions{}, "",
					workspace.ListOptions{
						Types: []memory.Type{memory.Decision, memory.Rejected}, Limit: decisionsShown,
						Code: true,
					})
			},
			markdown,
		},
		{
			sdk.Resource{
				URI: planURI, Name: "plan", Title: "Plan",
				Description: "Plans with their steps, the open ones first", MIMEType: "text/markdown",
			},
			func(ctx context.Context, w caller) (any, error) {
				return plan(ctx, w, workspace.ViewOptions{})
			},
			markdown,
		},
	} {
		to.AddResource(&r.resource,
			func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
				return s.read(ctx, req, r.resource.MIMEType, r.read, r.text)
			})
	}
	to.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: memoryURI +
			"{id}", Name: "memory", Title: "A memory", Description: "One memory in full", MIMEType: "text/markdown",
	}, func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		id := strings.TrimPrefix(req.Params.URI, memoryURI)
		return s.read(ctx, req, "text/markdown",
			func(ctx context.Context, w caller) (any, error) { return show(ctx, w, showArguments{ID: id}) }, markdown)
	})
}

// read answers with what the tool of the same matter finds, as a text of the type.
func (s *server) read(ctx context.Context, req *sdk.ReadResourceRequest, mimeType string,
	work func(context.Context, caller) (any, error), text func(any) (string, error),
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
	words, err := text(out)
	if err != nil {
		return nil, err
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{
		URI: req.Params.URI, MIMEType: mimeType, Text: words,
	}}}, nil
}

// plainJSON is the object of an answer, which a program can parse.
func plainJSON(out any) (string, error) {
	r, err := reply(out)
	if err != nil {
		return "", err
	}
	return string(r.StructuredContent.(json.RawMessage)), nil
}

// markdown writes the memories or plans of an answer, between the lines that mark them as
// evidence.
func markdown(out any) (string, error) {
	var b strings.Builder
	switch o := out.(type) {
	case listed:
		for _, e := range o.entries {
			b.WriteString(section(e))
		}
	case explore.Shown:
		b.WriteString(section(o.Entry))
	case answer.Conflict:
		b.WriteString(section(o.Conflict.Ours) + section(o.Conflict.Theirs))
	case *explore.PlanList:
		for _, p := range o.Plans {
			b.WriteString(checklist(p))
		}
	}
	return fenced("\n" + memory.Clean(b.String())), nil
}

// section is one memory under a heading, with what tells where it comes from.
func section(e workspace.Entry) string {
	m := e.Memory
	return fmt.Sprintf("## %s\n\n%s, %s, confidence %.2f, `%s`\n\n%s\n\n", m.Title, m.Type,
		m.Created.Format(time.DateOnly), m.Confidence, m.ID, m.Text)
}

// checklist is one plan under a heading, its steps ticked as far as they are done.
func checklist(p explore.PlanState) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s\n\n", p.Title, p.Said)
	boxes := map[bool]string{false: "[ ]", true: "[x]"}
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "- %s %s\n", boxes[s.Done], s.Text)
	}
	b.WriteString("\n")
	return b.String()
}
