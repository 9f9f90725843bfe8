// Package tiers brings a clone from one tier to the next: from files alone to an index,
// to vectors, to a server for agents. Call [Of] for the tier of a clone, and [Embed] to
// name a model.
//
// It promises that every tier works without those above it, that nothing asks a network
// before a person named its address, and that a model which does not work is never set.
package tiers

import (
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
)

// Highest is the number of the last tier.
const Highest = 3

// Tier describes one tier for people. The zero value is no tier.
type Tier struct {
	Level int      `json:"level"`
	Name  string   `json:"name"`
	Needs []string `json:"needs"` // the parts that make it, of [workspace.Status]
	Gives string   `json:"gives"` // one sentence
	Costs string   `json:"costs"` // one sentence
}

// All returns the tiers, lowest first.
func All() []Tier {
	return []Tier{
		{
			Level: 0, Name: "files only", Needs: []string{},
			Gives: "Memories are Markdown files: list, show and brief read them as they are.",
			Costs: "Nothing is kept outside of the repository, and each search looks through the files.",
		},
		{
			Level: 1, Name: "index", Needs: []string{"index"},
			Gives: "Search ranks by words in a few milliseconds, sessions are captured, " +
				"and a briefing starts each one.",
			Costs: "A cache in the git directory, which can be deleted at any time.",
		},
		{
			Level: 2, Name: "vectors and recall at prompts", Needs: []string{"vectors", "anticipation"},
			Gives: "Search also finds what says the same in other words, and a prompt brings up what it calls for.",
			Costs: "A model on this machine, or an endpoint that you name; " +
				"one vector of a few hundred bytes for each memory.",
		},
		{
			Level: 3, Name: "MCP and pages", Needs: []string{"mcp", "pages"},
			Gives: "Agents ask for memories by themselves, " +
				"and decisions.md and active-plan.md stand in the repository.",
			Costs: "An entry in your agents' settings, and pages that change with the memories.",
		},
	}
}

// Of returns the tier that a clone with such parts has: the highest of which it has all
// parts, and those of all tiers below. Beyond names the parts of higher tiers that work
// already.
func Of(parts map[string]bool) (tier Tier, beyond []string) {
	tiers := All()
	tier = tiers[0]
	for _, t := range tiers[1:] {
		if t.Level == tier.Level+1 && len(Missing(t, parts)) == 0 {
			tier = t
		}
	}
	for _, t := range tiers[tier.Level+1:] {
		held := lists.Without(t.Needs, func(name string) bool { return !parts[name] })
		beyond = append(beyond, held...)
	}
	return tier, beyond
}

// Missing returns the parts that a clone lacks for a tier.
func Missing(t Tier, parts map[string]bool) []string {
	return lists.Without(t.Needs, func(name string) bool { return parts[name] })
}

// Note writes the tier into a status, once all of its parts are known.
func Note(s *workspace.Status) {
	tier, beyond := Of(s.Tier.Parts)
	s.Tier.Level, s.Tier.Name, s.Tier.Beyond = tier.Level, tier.Name, beyond
}
