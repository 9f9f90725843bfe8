package hub

import (
	"strings"
	"time"

	core "github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace"
)

// found is the answer to a search: the shape of `cortex search --json`, but for scores, with the
// repositories that hold each memory.
type found struct {
	Query        string              `json:"query"`
	Filters      map[string][]string `json:"filters"`
	Notes        []string            `json:"notes,omitempty"`
	Hints        []string            `json:"hints,omitempty"`
	Forge        string              `json:"forge"`
	Repositories int                 `json:"repositories"`
	Stale        []string            `json:"stale,omitempty"`
	Memories     int                 `json:"memories"`
	Results      []hit               `json:"results"`
	Total        int                 `json:"total"`
	TookMS       float64             `json:"took_ms"`
}

func searched(text, forge string, a *core.Answer, took time.Duration) found {
	out := found{
		Query: text, Filters: a.Query.Filters(), Notes: a.Query.Notes, Hints: a.Notices, Forge: forge,
		Repositories: a.Repos, Stale: a.Stale, Memories: a.View, Results: []hit{}, Total: a.Total,
		TookMS: float64(took.Microseconds()) / 1000,
	}
	for i := range a.Found {
		out.Results = append(out.Results, hit{found: &a.Found[i]})
	}
	return out
}

func (f found) audited() (forge, query string, repositories, hits int) {
	return f.Forge, f.Query, f.Repositories, len(f.Results)
}

// shown is a memory that was asked for by its name.
type shown struct {
	hit
	forge, name string
}

func (s shown) audited() (forge, query string, repositories, hits int) {
	return s.forge, s.name, len(s.found.Places), 1
}

// met is the answer to who met an error.
type met struct {
	Signatures   []string `json:"signatures"`
	Forge        string   `json:"forge"`
	Repositories int      `json:"repositories"`
	MetIn        int      `json:"met_in"`
	Stale        []string `json:"stale,omitempty"`
	Results      []hit    `json:"results"`
	Similar      []hit    `json:"similar,omitempty"`
	Total        int      `json:"total"`
	TookMS       float64  `json:"took_ms"`
}

func (m met) audited() (forge, query string, repositories, hits int) {
	return m.Forge, strings.Join(m.Signatures, "\n"), m.Repositories, len(m.Results) + len(m.Similar)
}

func whoMet(forge string, m *core.Met, took time.Duration) met {
	out := met{
		Signatures: m.Signatures, Forge: forge, Repositories: m.Repos, MetIn: m.In, Stale: m.Stale,
		Results: []hit{}, Total: m.Total, TookMS: float64(took.Microseconds()) / 1000,
	}
	for i := range m.Found {
		out.Results = append(out.Results, hit{found: &m.Found[i], text: true})
	}
	for i := range m.Similar {
		out.Similar = append(out.Similar, hit{found: &m.Similar[i], text: true})
	}
	return out
}

// hit is one memory.
type hit struct {
	found *core.Found
	text  bool // with its text
}

// place is a file that holds the memory.
type place struct {
	Repository string    `json:"repository"`
	Path       string    `json:"path"`
	Commit     string    `json:"commit"`
	IndexedAt  time.Time `json:"indexed_at"`
	Stale      bool      `json:"stale"`
}

// MarshalJSON writes the shape of a memory with where it stands.
func (h hit) MarshalJSON() ([]byte, error) {
	f := h.found
	places := make([]place, len(f.Places))
	for i, p := range f.Places {
		places[i] = place(p)
	}
	o := workspace.Entry{Item: f.Item, Memory: f.Memory}.Object(h.text)
	marks := append([]index.Span{}, f.Snippet.Marks...)
	o.AddIf(!h.text, "snippet", f.Snippet.Text)
	o.AddIf(!h.text, "marks", marks)
	o.Add("blob", f.Item.Blob)
	o.AddIf(len(f.Flags) > 0, "flags", f.Flags)
	o.Add("places", places)
	return o.End()
}
