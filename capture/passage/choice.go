package passage

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
)

// Choice is the sentence in which the agent tells of a choice in full: what it took, over
// what, and why, as in "I chose SQLite over PostgreSQL because zero-config is critical". It
// is "" for a passage without one, and where the words are not the agent's own.
func (p *Passage) Choice() string {
	if p.Place != Middle && p.Place != Handover && p.Place != List && p.Place != Lead {
		return ""
	}
	for _, s := range p.sentences() {
		words := prose.Words(s)
		if len(words) < 3 || words[0] != "i" && words[0] != "we" || !slices.Contains(chosen(), words[1]) {
			continue
		}
		said := " " + strings.Join(words, " ") + " "
		over, rest, found := strings.Cut(said, " because ")
		if !found {
			over, rest, found = strings.Cut(said, " since ")
		}
		if found && rest != " " && (strings.Contains(over, " over ") || strings.Contains(over, " instead of ") || strings.Contains(over, " rather than ")) {
			return sentence.Shortened(strings.TrimSuffix(s, "."), TitleLimit)
		}
	}
	return ""
}

func chosen() []string { return []string{"chose", "picked", "took", "went", "decided"} }
