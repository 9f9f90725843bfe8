package mcp

import (
	"context"

	"github.com/git-cortex/cortex/hub/client"
)

// searchInput is the schema of the arguments of a search. Where no hub is set nothing speaks of one.
func searchInput(hub bool) schema {
	out := input[searchArguments]()
	if !hub {
		delete(out["properties"].(schema), "scope")
	}
	return out
}

// searchOutput is the schema of what a search finds, here or by a hub.
func searchOutput(hub bool) schema {
	if !hub {
		return output[searchAnswer]()
	}
	return schema{"type": "object"} // of either kind
}

// searchHub answers a query from other repositories, without what is suspicious in them.
func (s *server) searchHub(ctx context.Context, in searchArguments) (any, error) {
	if s.host.Hub == nil {
		return nil, mistake(`the arguments cannot be read: unknown field "scope"`, "see the input schema of the tool")
	}
	if in.Where != "hub" {
		return nil, mistake("the only scope is hub", "leave scope out for this repository")
	}
	limit, err := checked(in, in.Query)
	if err != nil {
		return nil, err
	}
	a, err := s.host.Hub.Search(ctx, client.Question{Query: in.Query, Limit: limit})
	if err != nil {
		return nil, err
	}
	a.Unflagged()
	return a, nil
}
