package answer

import "github.com/git-cortex/cortex/workspace/purge"

// Purge says where a text stands, what was done about it, and what is left to a person.
type Purge struct {
	Places []purge.Place `json:"places"`
	Refs   []string      `json:"refs"`
	Done   []purge.Place `json:"done"`
	Steps  []purge.Step  `json:"steps"`
	Beyond []string      `json:"beyond"`
	Unseen []string      `json:"unseen"`
	Proved []string      `json:"proved"`
}

// Privacy says what a clone holds of people.
type Privacy struct {
	Personal []purge.Personal `json:"personal"`
}

// NewPurge returns what was found as it is shown.
func NewPurge(p *purge.Places) Purge {
	return Purge{
		list(p.Places), list(p.Refs), list(p.Done), list(p.Commands()), purge.Beyond(), list(p.Unseen),
		list(p.Proved),
	}
}
