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

type searchArguments struct {
	Query    string `json:"query" says:"words; filters like type:gotcha file:index/ since:2w"`
	Limit    int    `json:"limit,omitempty"`
	Sessions bool   `json:"sessions,omitempty"`
	Where    string `json:"scope,omitempty" says:"hub: other repositories of the organisation, by their hub"`
	scope
}

// searchAnswer has the members of the result of a search.
type searchAnswer struct {
	Query    string         `json:"query"`
	Filters  map[string]any `json:"filters"`
	View     viewAnswer     `json:"view"`
	Results  []foundMemory  `json:"results"`
	Total    int            `json:"total"`
	TookMS   float64        `json:"took_ms"`
	Notes    []string       `json:"notes,omitempty"`
	Hints    []string       `json:"hints,omitempty"`
	Instead  map[string]any `json:"instead,omitempty"`
	Sessions []foundSession `json:"sessions,omitempty"`
}

type foundMemory struct {
	memoryHead
	Score   float64    `json:"score"`
	Snippet string     `json:"snippet"`
	Marks   []textSpan `json:"marks"`
	Via     string     `json:"via"`
	Twins   []string   `json:"twins,omitempty"`
}

type textSpan struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

type foundSession struct {
	Session string  `json:"session"`
	Agent   string  `json:"agent"`
	Branch  string  `json:"branch"`
	Title   string  `json:"title"`
	Start   string  `json:"start"`
	Kind    string  `json:"kind"`
	Line    int     `json:"line"`
	Text    string  `json:"text"`
	Score   float64 `json:"score"`
}

func addSearch(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_search", Title: "Search memories",
		Description:  "Find memories, best first, without their texts. sessions: session records too.",
		InputSchema:  scoped(input[searchArguments](), s.host.Hub != nil),
		OutputSchema: outputOf(output[searchAnswer](), s.host.Hub != nil),
	}, reads, func(ctx context.Context, w caller, in searchArguments) (any, error) {
		if in.Where != "" {
			return s.searchHub(ctx, in)
		}
		return search(ctx, w, in, in.Query)
	})
}

// checked returns how many results are wanted of a query, or what is wrong with it.
func checked(in searchArguments, query string) (limit int, err error) {
	if len(query) > maxQuery {
		return 0, mistake(fmt.Sprintf("a query may have at most %d bytes", maxQuery), "search for a few words of it")
	}
	if query == "" {
		return 0, mistake("search needs a query", "a few words of the matter, or a filter such as type:decision")
	}
	return limited(in.Limit, 5, maxResults)
}

// search answers a query.
func search(ctx context.Context, w caller, in searchArguments, query string) (any, error) {
	limit, err := checked(in, query)
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
