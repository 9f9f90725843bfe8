package answer

import (
	"encoding/json"
	"math"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/consolidate"
)

// Groups lists memories that say the same, with what a reader needs who words one for
// each group: the instructions, and the schema of the answer.
type Groups struct {
	Groups       []group                  `json:"groups"`
	More         int                      `json:"more"` // groups that are not in the list
	Since        workspace.Unconsolidated `json:"since"`
	Instructions string                   `json:"instructions"`
	Schema       json.RawMessage          `json:"schema"`
}

type group struct {
	ID      string            `json:"group"`
	Type    memory.Type       `json:"type"`
	Members []alike           `json:"members"`
	Draft   consolidate.Draft `json:"draft"`
}

type alike consolidate.Member

// MarshalJSON writes a memory, and how alike it is to the first of its group.
func (a alike) MarshalJSON() ([]byte, error) {
	o := a.Entry.Object(true)
	o.Add("alike", math.Round(1000*a.Alike)/1000)
	return o.End()
}

// NewGroups returns a proposal as it is shown.
func NewGroups(p *consolidate.Proposal) Groups {
	out := Groups{
		Groups: []group{}, More: p.More, Since: p.Since, Instructions: string(templates.Consolidation()),
		Schema: consolidate.Schema(),
	}
	for _, g := range p.Groups {
		shown := group{ID: g.ID, Type: g.Type(), Draft: g.Draft}
		for _, m := range g.Members {
			shown.Members = append(shown.Members, alike(m))
		}
		out.Groups = append(out.Groups, shown)
	}
	return out
}

// Consolidated lists the memories that stand for others now, and the groups that stay
// as they are with the reason.
type Consolidated struct {
	// the ref that holds what was there before; "" if nothing was written
	Snapshot string                `json:"snapshot"`
	Written  []standing            `json:"written"`
	Refused  []consolidate.Refused `json:"refused"`
}

type standing consolidate.Written

// MarshalJSON writes a memory, what it stands for, and whether it waits for a person.
func (s standing) MarshalJSON() ([]byte, error) {
	o := s.Entry.Object(true)
	o.Add("for", s.For)
	o.Add("waits", s.Waits)
	return o.End()
}

// NewConsolidated returns an outcome as it is shown.
func NewConsolidated(o *consolidate.Outcome) Consolidated {
	out := Consolidated{Snapshot: o.Snapshot, Written: []standing{}, Refused: list(o.Refused)}
	for _, w := range o.Written {
		out.Written = append(out.Written, standing(w))
	}
	return out
}
