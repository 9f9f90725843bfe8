package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// Stats are counts of what the user may read.
type Stats struct {
	Forge        string      `json:"forge"`
	Memories     int         `json:"memories"` // each counted once
	Shared       int         `json:"shared"`   // that several repositories hold
	Repositories []RepoStats `json:"repositories"`
	Traps        []Trap      `json:"traps"` // errors that several repositories met
}

// RepoStats count what a repository holds.
type RepoStats struct {
	Repository string    `json:"repository"`
	Commit     string    `json:"commit"`
	Memories   int       `json:"memories"`
	Problems   int       `json:"problems"` // files that are no memories
	Flagged    int       `json:"flagged"`
	Moved      time.Time `json:"moved"`   // when its memories last changed
	Checked    time.Time `json:"checked"` // when the hub last saw that they are those of the branch
	Stale      bool      `json:"stale"`
}

// Trap is an error that several repositories met.
type Trap struct {
	Signature    string      `json:"signature"`
	Repositories int         `json:"repositories"`
	Memories     []memory.ID `json:"memories"`
}

// Stats asks for counts of what the user may read.
func (c *Client) Stats(ctx context.Context) (*Stats, error) {
	s := Stats{Repositories: []RepoStats{}, Traps: []Trap{}}
	return &s, c.ask(ctx, http.MethodGet, "/v1/stats"+c.ofForge(), nil, &s)
}

// ofForge names the forge of a request without a body.
func (c *Client) ofForge() string {
	if c.forge == "" {
		return ""
	}
	return "?forge=" + url.QueryEscape(c.forge)
}

// Opposed are decisions that contradict each other between repositories.
type Opposed struct {
	Forge          string          `json:"forge"`
	Repositories   int             `json:"repositories"` // that were looked into
	Stale          []string        `json:"stale,omitempty"`
	Compared       int             `json:"compared"` // decisions
	Left           int             `json:"left"`     // decisions beyond the bound
	Contradictions []Contradiction `json:"contradictions"`
	Total          int             `json:"total"`
	Hints          []string        `json:"hints,omitempty"`
	Flagged        int             `json:"flagged,omitempty"` // contradictions that [Opposed.Unflagged] left out
	TookMS         float64         `json:"took_ms"`
}

// Contradiction is two memories of different repositories of which only one can hold.
type Contradiction struct {
	Kind  string `json:"kind"`
	About string `json:"about"`
	Newer Result `json:"newer"`
	Older Result `json:"older"`
}

// Contradictions asks for decisions of which only one can hold.
func (c *Client) Contradictions(ctx context.Context) (*Opposed, error) {
	o := Opposed{Contradictions: []Contradiction{}}
	return &o, c.ask(ctx, http.MethodGet, "/v1/contradictions"+c.ofForge(), nil, &o)
}

// Unflagged leaves out contradictions with what is suspicious, which a hub does not send.
func (o *Opposed) Unflagged() error {
	all := len(o.Contradictions)
	o.Contradictions = slices.DeleteFunc(o.Contradictions, func(c Contradiction) bool {
		return len(c.Newer.Flags)+len(c.Older.Flags) > 0
	})
	if o.Flagged = all - len(o.Contradictions); o.Flagged > 0 {
		o.Hints = append(o.Hints, fmt.Sprintf("%d left out that may give an agent orders or hold a secret", o.Flagged))
	}
	return nil
}

// Shelf holds memories that the sessions of another repository may be told.
type Shelf struct {
	Forge        string    `json:"forge"`
	Repositories int       `json:"repositories"` // that were looked into
	Stale        []string  `json:"stale,omitempty"`
	Results      []*Result `json:"results"`
}

// Brief asks for memories about some names, such as those of dependencies, for the briefings of a repository.
func (c *Client) Brief(ctx context.Context, names []string) (*Shelf, error) {
	s := Shelf{Results: []*Result{}}
	return &s, c.ask(ctx, http.MethodPost, "/v1/brief", map[string]any{"names": names, "forge": c.forge}, &s)
}
