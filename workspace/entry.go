package workspace

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// Entry is a memory together with what its view makes of it. As JSON it has
// the shape "memory" of DESIGN §7.
type Entry struct {
	index.Item
	Memory     *memory.Memory
	Recalls    int
	Centrality float64
}

// EntryShape is the JSON shape "memory" of FORMAT.md, to be embedded in larger
// ones.
type EntryShape struct {
	ID         memory.ID     `json:"id"`
	Ref        string        `json:"ref"`
	Type       memory.Type   `json:"type"`
	Title      string        `json:"title"`
	Text       *string       `json:"text,omitempty"`
	Status     memory.Status `json:"status"`
	Stage      index.Stage   `json:"stage"`
	Path       string        `json:"path"`
	Branch     string        `json:"branch,omitempty"` // of a pending memory
	Created    string        `json:"created"`
	Updated    string        `json:"updated,omitempty"`
	Confidence float64       `json:"confidence"`
	Effective  float64       `json:"effective"`
	Priority   int           `json:"priority"`
	Pinned     bool          `json:"pinned,omitempty"`
	Tags       []string      `json:"tags"`
	Files      []string      `json:"files"`
	Entities   []string      `json:"entities"`
	Links      []linkJSON    `json:"links"`
	Source     sourceJSON    `json:"source"`
	Stale      bool          `json:"stale"`
}

type linkJSON struct {
	Rel memory.Rel `json:"rel"`
	To  memory.ID  `json:"to"`
}

type sourceJSON struct {
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session,omitempty"`
	Layer   string `json:"layer,omitempty"`
	Branch  string `json:"branch,omitempty"`
	Commit  string `json:"commit,omitempty"`
	Record  int    `json:"record,omitempty"`
	Ref     string `json:"ref,omitempty"`
}

// Shape returns what [Entry.MarshalJSON] encodes.
func (e Entry) Shape() EntryShape { return e.shape(true) }

// MarshalJSON writes the shape "memory" of DESIGN §7.
func (e Entry) MarshalJSON() ([]byte, error) { return EncodeJSON(e.shape(true)) }

func (e Entry) shape(text bool) EntryShape {
	m := e.Memory
	out := EntryShape{
		ID: m.ID, Ref: m.Source.Ref, Type: m.Type, Title: m.Title, Status: e.Status, Stage: e.Stage, Path: e.Path,
		Branch: e.Branch, Created: m.Created.Format(time.RFC3339), Confidence: m.Confidence,
		Effective: round3(e.Effective), Priority: m.Priority, Pinned: m.Pinned,
		Tags: list(m.Tags), Files: list(m.Files), Entities: list(m.Entities), Links: []linkJSON{},
		Source: sourceJSON(m.Source), Stale: e.Stale,
	}
	if text {
		out.Text = &m.Text
	}
	if !m.Updated.IsZero() {
		out.Updated = m.Updated.Format(time.RFC3339)
	}
	for _, l := range m.Links {
		out.Links = append(out.Links, linkJSON(l))
	}
	return out
}

// list is s, or an empty list: JSON shows [] and never null.
func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func round3(f float64) float64 { return float64(int(f*1000+0.5)) / 1000 }

// EncodeJSON returns v as JSON without escaping <, > and &, which matters in HTML
// alone.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
