package client

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// Told is an answer of a hub: an [*Answer], [*Met] or [*Result].
type Told interface {
	// Unflagged leaves out what is suspicious. The error is [ErrFlagged] if that is all of it.
	Unflagged() error
}

// Question is a query and where it looks.
type Question struct {
	Query string   `json:"query"`
	Forge string   `json:"forge,omitempty"` // set by the client
	Repos []string `json:"repos,omitempty"` // none: all that the user may read
	Limit int      `json:"limit,omitempty"` // 0 is ten
}

// Answer holds the memories that a hub found, best first.
type Answer struct {
	Query        string              `json:"query"`
	Filters      map[string][]string `json:"filters"`
	Notes        []string            `json:"notes,omitempty"` // what plain language became
	Hints        []string            `json:"hints,omitempty"`
	Forge        string              `json:"forge,omitempty"` // whose repositories were looked into
	Repositories int                 `json:"repositories"`    // that were looked into
	Stale        []string            `json:"stale,omitempty"` // those of them that may have moved since
	Memories     int                 `json:"memories"`        // that they hold
	Results      []*Result           `json:"results"`
	Total        int                 `json:"total"`
	Flagged      int                 `json:"flagged,omitempty"` // results that [Answer.Unflagged] left out
	TookMS       float64             `json:"took_ms"`
}

// Unflagged leaves out the results of which the hub says that they are suspicious, and counts them:
// text of strangers that may give an agent orders is for a person to read first.
func (a *Answer) Unflagged() error {
	a.Flagged = unflag(&a.Hints, "cortex search --hub", &a.Results)
	return nil
}

// unflag leaves out suspicious results, and says by which command a person reads them.
func unflag(hints *[]string, command string, lists ...*[]*Result) (left int) {
	for _, list := range lists {
		all := len(*list)
		*list = slices.DeleteFunc(*list, func(r *Result) bool { return len(r.Flags) > 0 })
		left += all - len(*list)
	}
	if left > 0 {
		*hints = append(*hints, fmt.Sprintf("%d left out that may give an agent orders or hold a secret; "+
			"a person can read them: add --flagged to %s", left, command))
	}
	return left
}

// Met says who met an error before.
type Met struct {
	Signatures   []string  `json:"signatures"` // what stays the same of the error whenever it is met
	Hints        []string  `json:"hints,omitempty"`
	Forge        string    `json:"forge,omitempty"`   // whose repositories were looked into
	Repositories int       `json:"repositories"`      // that were looked into
	MetIn        int       `json:"met_in"`            // those of them that met it
	Stale        []string  `json:"stale,omitempty"`   // those that may have moved since
	Results      []*Result `json:"results"`           // memories of it, with their texts
	Similar      []*Result `json:"similar,omitempty"` // others that hold most words of one of its lines
	Total        int       `json:"total"`
	Flagged      int       `json:"flagged,omitempty"` // results that [Met.Unflagged] left out
	TookMS       float64   `json:"took_ms"`
}

// Unflagged does what [Answer.Unflagged] does.
func (m *Met) Unflagged() error {
	m.Flagged = unflag(&m.Hints, "cortex recall --hub", &m.Results, &m.Similar)
	return nil
}

// Result is one memory, and where it stands. As JSON it is what the hub sent.
type Result struct {
	ID         memory.ID     `json:"id"`
	Type       memory.Type   `json:"type"`
	Title      string        `json:"title"`
	Status     memory.Status `json:"status"`
	Created    time.Time     `json:"created"`
	Confidence float64       `json:"confidence"`
	Effective  float64       `json:"effective"`
	Source     memory.Source `json:"source"`
	Text       string        `json:"text"` // "" in what a search found
	Snippet    string        `json:"snippet"`
	Marks      []Span        `json:"marks"`
	Blob       string        `json:"blob"`
	Flags      []string      `json:"flags"` // why it is suspicious
	Places     []Place       `json:"places"`

	sent json.RawMessage
}

// Unflagged is [ErrFlagged] where the memory is suspicious.
func (r *Result) Unflagged() error {
	if len(r.Flags) > 0 {
		return ErrFlagged
	}
	return nil
}

// Memory returns the fields that the hub sent as a memory, without its text.
func (r *Result) Memory() *memory.Memory {
	return &memory.Memory{
		ID: r.ID, Type: r.Type, Title: r.Title, Created: r.Created, Confidence: r.Confidence, Source: r.Source,
	}
}

// Span is a range of bytes of a snippet.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Place is a file that holds the memory.
type Place struct {
	Repository string `json:"repository"`
	Path       string `json:"path"`
	Commit     string `json:"commit"`
	Stale      bool   `json:"stale"` // the repository may have moved since
}

// UnmarshalJSON keeps what was sent beside what is known of it.
func (r *Result) UnmarshalJSON(data []byte) error {
	type plain Result
	if err := json.Unmarshal(data, (*plain)(r)); err != nil {
		return err
	}
	r.sent = slices.Clone(data)
	return nil
}

// MarshalJSON returns what was sent.
func (r *Result) MarshalJSON() ([]byte, error) { return r.sent, nil }
