package mcp

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/workspace"
)

// Bounds of a search.
const (
	maxQuery   = 8 << 10 // bytes
	maxResults = 50
)

// searchInput is the schema of [searchArguments], as [input] reads it.
const searchInput = "query:string=words;_filters_like_type:gotcha_file:index/_since:2w limit?:integer sessions?:boolean"

type searchArguments struct {
	Query    string `json:"query"`
	Limit    int    `json:"limit,omitempty"`
	Sessions bool   `json:"sessions,omitempty"`
	scope
}

func searchSchema() schema {
	p := parts()
	p["mark"] = object("start:integer end:integer", nil)
	p["found"] = object(headFields+" score:number snippet:string marks:[mark] via:string twins?:[string]", p)
	p["session"] = object("session:string agent:string branch:string title:string start:string kind:string line:integer text:string score:number", nil)
	return object("query:string filters:object view:view results:[found] total:integer took_ms:number "+
		"notes?:[string] hints?:[string] instead?:object sessions?:[session]", p)
}

func addSearch(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_search", Title: "Search memories",
		Description:  "Find memories, best first, without their texts. sessions: session records too.",
		InputSchema:  input(searchInput),
		OutputSchema: searchSchema(),
	}, reads, func(ctx context.Context, w caller, in searchArguments) (any, error) {
		return search(ctx, w, in, in.Query)
	})
}

// search answers a query.
func search(ctx context.Context, w caller, in searchArguments, query string) (any, error) {
	if len(query) > maxQuery {
		return nil, mistake(fmt.Sprintf("a query may have at most %d bytes", maxQuery), "search for a few words of it")
	}
	if query == "" {
		return nil, mistake("search needs a query", "a few words of the matter, or a filter such as type:decision")
	}
	limit, err := limited(in.Limit, 10, maxResults)
	if err != nil {
		return nil, err
	}
	found, err := w.Search(ctx, query, workspace.SearchOptions{View: in.view(), Limit: limit, Sessions: in.Sessions})
	if err != nil {
		return nil, err
	}
	w.NoteFound(ctx, found)
	return found, nil
}

// limited is how many are wanted: usual where nothing is said.
func limited(asked, usual, most int) (int, error) {
	switch {
	case asked == 0:
		return usual, nil
	case asked < 0 || asked > most:
		return 0, mistake(fmt.Sprintf("limit must be from 1 to %d", most), "leave it out for "+fmt.Sprint(usual))
	}
	return asked, nil
}
