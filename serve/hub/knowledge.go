package hub

import (
	"strings"
	"time"

	core "github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/memory"
)

// counts is the answer to a request for statistics.
type counts struct {
	Forge        string       `json:"forge"`
	Memories     int          `json:"memories"`
	Shared       int          `json:"shared"`
	Repositories []repository `json:"repositories"`
	Traps        []trap       `json:"traps"`
}

// repository counts what one holds.
type repository struct {
	Repository string    `json:"repository"`
	Commit     string    `json:"commit"`
	Memories   int       `json:"memories"`
	Problems   int       `json:"problems"`
	Flagged    int       `json:"flagged"`
	Moved      time.Time `json:"moved"`
	Checked    time.Time `json:"checked"`
	Stale      bool      `json:"stale"`
}

// trap is an error that several repositories met.
type trap struct {
	Signature    string      `json:"signature"`
	Repositories int         `json:"repositories"`
	Memories     []memory.ID `json:"memories"`
}

func counted(forge string, s *core.Stats) counts {
	out := counts{Forge: forge, Memories: s.Memories, Shared: s.Shared, Repositories: []repository{}, Traps: []trap{}}
	for _, r := range s.Repos {
		out.Repositories = append(out.Repositories, repository{
			Repository: r.Name, Commit: r.Commit, Memories: r.Memories, Problems: r.Problems, Flagged: r.Flagged,
			Moved: r.Moved, Checked: r.Checked, Stale: r.Stale,
		})
	}
	for _, t := range s.Traps {
		out.Traps = append(out.Traps, trap{t.Signature, t.Repos, t.Memories})
	}
	return out
}

func (c counts) audited() (forge, query string, repositories, hits int) {
	return c.Forge, "", len(c.Repositories), 0
}

// opposed is the answer to a request for contradictions.
type opposed struct {
	Forge          string          `json:"forge"`
	Repositories   int             `json:"repositories"`
	Stale          []string        `json:"stale,omitempty"`
	Compared       int             `json:"compared"`
	Left           int             `json:"left"`
	Contradictions []contradiction `json:"contradictions"`
	Total          int             `json:"total"`
	TookMS         float64         `json:"took_ms"`
}

// contradiction is two memories of which only one can hold.
type contradiction struct {
	Kind  string `json:"kind"`
	About string `json:"about"`
	Newer hit    `json:"newer"`
	Older hit    `json:"older"`
}

func contradicting(forge string, o *core.Opposed, took time.Duration) opposed {
	out := opposed{
		Forge: forge, Repositories: o.Repos, Stale: o.Stale, Compared: o.Compared, Left: o.Left,
		Contradictions: []contradiction{}, Total: o.Total, TookMS: float64(took.Microseconds()) / 1000,
	}
	for i := range o.Pairs {
		p := &o.Pairs[i]
		out.Contradictions = append(out.Contradictions, contradiction{
			Kind: p.Kind, About: p.About, Newer: hit{found: &p.Newer, text: true},
			Older: hit{found: &p.Older, text: true},
		})
	}
	return out
}

func (o opposed) audited() (forge, query string, repositories, hits int) {
	return o.Forge, "", o.Repositories, 2 * len(o.Contradictions)
}

// shelf is the answer to a request for what briefings may tell.
type shelf struct {
	Forge        string   `json:"forge"`
	Repositories int      `json:"repositories"`
	Stale        []string `json:"stale,omitempty"`
	Results      []hit    `json:"results"`

	names []string
}

func shelved(forge string, names []string, s *core.Shelf) shelf {
	out := shelf{Forge: forge, Repositories: s.Repos, Stale: s.Stale, Results: []hit{}, names: names}
	for i := range s.Found {
		out.Results = append(out.Results, hit{found: &s.Found[i]})
	}
	return out
}

func (s shelf) audited() (forge, query string, repositories, hits int) {
	return s.Forge, strings.Join(s.names, " "), s.Repositories, len(s.Results)
}
