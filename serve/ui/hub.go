package ui

import (
	"context"
	"net/url"
	"strings"

	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/agents"
)

// hubPage holds one answer of a hub about other repositories, and the query or error that it was asked.
type hubPage struct {
	Query, Error string
	Answer       *client.Answer
	Met          *client.Met
	One          *client.Result
	Stats        *client.Stats
}

// hub shows what the hub that the person has asked for answers, without what is suspicious.
func (v *visit) hub(ctx context.Context) (*page, error) {
	if v.server.host.Hub == nil {
		return nil, mistake(client.ErrNoAddress, "end cortex ui, and start it with --hub")
	}
	hub, err := v.server.host.Hub(ctx)
	if err != nil {
		return nil, err
	}
	asked := v.req.URL.Query()
	data := &hubPage{Query: asked.Get("q"), Error: asked.Get("error")}
	var told client.Told
	switch id := asked.Get("id"); {
	case id != "":
		data.One, err = hub.Memory(ctx, id)
		told = data.One
	case data.Query != "":
		data.Answer, err = hub.Search(ctx, client.Question{Query: data.Query, Limit: onePage})
		told = data.Answer
	case data.Error != "":
		data.Met, err = hub.Who(ctx, strings.Join(agents.Signatures(data.Error), "\n"))
		told = data.Met
	default:
		data.Stats, err = hub.Stats(ctx)
		return &page{Name: "hub", Title: "Hub", Data: data, JSON: asJSON(data.Stats)}, err
	}
	if err == nil {
		err = told.Unflagged()
	}
	return &page{Name: "hub", Title: "Hub", Data: data, JSON: asJSON(told)}, err
}

// told is a memory of other repositories in a list.
type told struct {
	Path    string
	Result  *client.Result
	Memory  *memory.Memory
	Snippet index.Snippet
}

func newTold(f frame, r *client.Result) told {
	t := told{f.Path("hub?id=" + url.QueryEscape(string(r.ID))), r, r.Memory(), index.Snippet{Text: r.Snippet}}
	for _, m := range r.Marks {
		t.Snippet.Marks = append(t.Snippet.Marks, index.Span{Start: m.Start, End: m.End})
	}
	return t
}
