package ui

import (
	"context"
	"io"
	"net/url"
	"strings"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// onePage is how many memories are listed at once.
const onePage = 50

// maxQuery bounds a query, in bytes.
const maxQuery = 8 << 10

type memories struct {
	Query   string
	Type    string // that the list is cut down to
	Stage   string
	All     int // memories of the view
	Facets  []facet
	Found   *workspace.Answer // nil without a query
	Entries []workspace.Entry // without one
	Next    string            // the address of what follows
}

// memories lists memories, or searches for them in the language of cortex search.
func (v *visit) memories(ctx context.Context) (*page, error) {
	asked := v.req.URL.Query()
	data := memories{Query: asked.Get("q"), Type: asked.Get("type"), Stage: asked.Get("stage")}
	if len(data.Query) > maxQuery {
		data.Query = data.Query[:maxQuery]
	}
	view, err := v.View(ctx, workspace.ViewOptions{})
	if err != nil {
		return nil, err
	}
	all := view.List(ctx, workspace.ListOptions{TextLess: true})
	data.All, data.Facets = len(all), facetsOf(all, data.asked())
	p := &page{Name: "memories", Title: "Memories"}
	if data.Query != "" {
		data.Found, err = v.Search(ctx, data.Query,
			workspace.SearchOptions{Limit: onePage, Explain: asked.Has("explain")})
		if err != nil {
			return nil, err
		}
		p.Data, p.JSON = data, asJSON(data.Found)
		return p, nil
	}
	opt := workspace.ListOptions{Limit: onePage, Stage: data.Stage, Code: true}
	if data.Type != "" {
		t, err := memory.ParseType(data.Type)
		if err != nil {
			return nil, mistake(err, "choose one of the types on the page")
		}
		opt.Types = []memory.Type{t}
	}
	entries, next, err := view.Page(ctx, opt, asked.Get("after"))
	if err != nil {
		return nil, err
	}
	data.Entries = entries
	if next != "" {
		data.Next = "memories?" +
			url.Values{"type": {data.Type}, "stage": {data.Stage}, "after": {string(next)}}.Encode()
	}
	p.Data = data
	p.JSON = func(w io.Writer) error { return answer.WriteList(w, entries, answer.NewListing(view, next)) }
	return p, nil
}

// asked returns the query of the page, with its type and stage as clauses of it.
func (d *memories) asked() string {
	if d.Query != "" {
		return d.Query
	}
	var clauses []string
	if d.Type != "" {
		clauses = append(clauses, "type:"+d.Type)
	}
	if d.Stage != "" {
		clauses = append(clauses, "stage:"+d.Stage)
	}
	return strings.Join(clauses, " ")
}
