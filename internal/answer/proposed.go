package answer

import "github.com/git-cortex/cortex/workspace/proposal"

// Proposed says which memories were offered for review as a branch.
type Proposed struct {
	Base     string         `json:"base"`   // the default branch
	Branch   string         `json:"branch"` // "" where nothing was proposed
	Commit   string         `json:"commit"` // the same
	DryRun   bool           `json:"dry_run"`
	Memories []proposedItem `json:"memories"` // the best first
	Next     string         `json:"next"`     // what to type next; "" for nothing
	Settled  int            `json:"settled"`  // that were proposed before and have the same words
	Waiting  int            `json:"waiting"`  // others, for the next proposal
}

type proposedItem proposal.Item

// MarshalJSON writes a memory, and why it is proposed.
func (i proposedItem) MarshalJSON() ([]byte, error) {
	o := i.Entry.Object(true)
	o.Add("reason", i.Reason)
	return o.End()
}

// NewProposed returns p as it is shown.
func NewProposed(p *proposal.Proposal, dry bool) Proposed {
	out := Proposed{
		Base: p.Base, Branch: p.Branch, Commit: string(p.Commit), DryRun: dry, Memories: []proposedItem{},
		Next: p.Next, Settled: p.Settled, Waiting: p.Waiting,
	}
	for _, item := range p.Items {
		out.Memories = append(out.Memories, proposedItem(item))
	}
	return out
}
