package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/workspace/agents"
)

// scoped is the schema of arguments that may name a scope. Where no hub is set nothing speaks of one.
func scoped(arguments schema, hub bool) schema {
	if !hub {
		delete(arguments["properties"].(schema), "scope")
	}
	return arguments
}

// outputOf is the schema of an answer from here, or of one of a hub.
func outputOf(here schema, hub bool) schema {
	if !hub {
		return here
	}
	return schema{"type": "object"} // of either kind
}

// checkScope is the mistake in a scope that is named.
func (s *server) checkScope(where string) error {
	if s.host.Hub == nil {
		return mistake(`the arguments cannot be read: unknown field "scope"`, "see the input schema of the tool")
	}
	if where != "hub" {
		return mistake("the only scope is hub", "leave scope out for this repository")
	}
	return nil
}

// searchHub answers a query from other repositories, without what is suspicious in them.
func (s *server) searchHub(ctx context.Context, in searchArguments) (any, error) {
	if err := s.checkScope(in.Where); err != nil {
		return nil, err
	}
	limit, err := checked(in, in.Query)
	if err != nil {
		return nil, err
	}
	a, err := s.host.Hub.Search(ctx, client.Question{Query: in.Query, Limit: limit})
	if err != nil {
		return nil, err
	}
	return a, a.Unflagged()
}

// showHub reads a memory of another repository, unless it is suspicious.
func (s *server) showHub(ctx context.Context, in showArguments) (any, error) {
	if err := s.checkScope(in.Where); err != nil {
		return nil, err
	}
	if in.ID == "" || len(in.IDs) > 0 {
		return nil, mistake("in the scope hub show needs one id", "an id from a search in that scope")
	}
	r, err := s.host.Hub.Memory(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if len(r.Text) > maxText {
		return nil, mistake(fmt.Sprintf("its text has more than %d bytes", maxText),
			"a person can read it: cortex show --hub "+in.ID)
	}
	return r, r.Unflagged()
}

// recallHub says who else met an error, without what is suspicious.
func (s *server) recallHub(ctx context.Context, in recallArguments) (any, error) {
	if err := s.checkScope(in.Where); err != nil {
		return nil, err
	}
	if in.Error == "" || in.Command+in.File+in.Prompt+in.Search+in.Question != "" {
		return nil, mistake("in the scope hub recall needs an error and nothing else",
			"leave scope out for this repository")
	}
	met, err := s.host.Hub.Who(ctx, strings.Join(agents.Signatures(in.Error), "\n"))
	if err != nil {
		return nil, err
	}
	return met, met.Unflagged()
}
