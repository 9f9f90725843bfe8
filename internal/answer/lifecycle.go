package answer

import (
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/lifecycle"
)

// Collection lists the memories that stayed archived, and says whether they were removed.
type Collection struct {
	Archived int                 `json:"archived"`
	Most     int                 `json:"most"`
	Old      []aged              `json:"old"`
	Held     []aged              `json:"held"`
	Overdue  []workspace.Overdue `json:"overdue,omitempty"`
	Removed  bool                `json:"removed"`
	Total    int                 `json:"total"`
}

type aged lifecycle.Aged

// MarshalJSON writes a memory without its text, and how long it has been archived.
func (a aged) MarshalJSON() ([]byte, error) {
	o := a.Entry.Object(false)
	o.Add("archived_days", int(a.For.Hours()/24))
	o.AddIf(a.Held != "", "held", a.Held)
	return o.End()
}

// NewCollection returns a proposal as it is shown.
func NewCollection(p *lifecycle.Proposal, removed bool) Collection {
	c := Collection{
		Archived: p.Archived, Most: p.Most, Old: []aged{}, Held: []aged{}, Overdue: p.Overdue, Removed: removed,
		Total: p.Total,
	}
	for _, a := range p.Old {
		c.Old = append(c.Old, aged(a))
	}
	for _, a := range p.Held {
		c.Held = append(c.Held, aged(a))
	}
	return c
}

// ForgottenMany are the memories that a person could choose from, and those they
// removed.
type ForgottenMany struct {
	Found   []workspace.Entry `json:"found"`
	Removed []workspace.Entry `json:"removed"`
}

// NewForgottenMany returns them as they are shown.
func NewForgottenMany(found, removed []workspace.Entry) ForgottenMany {
	return ForgottenMany{Found: list(found), Removed: list(removed)}
}
