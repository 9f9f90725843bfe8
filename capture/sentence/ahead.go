package sentence

import (
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
)

// Settled is a sentence without the clause at its end that says what its writer does about
// it: "The hook is stale; I'm removing it". It is the sentence itself if there is none.
func Settled(s string) string {
	for _, mark := range []string{"; I", ", so I", " — I", " - I", ". I"} {
		before, after, found := outsideCode(s, mark)
		if !found || len(prose.Words(before)) < Few {
			continue
		}
		after = strings.Replace(after, "’", "'", 1)
		if strings.HasPrefix(after, "'m ") || strings.HasPrefix(after, "'ll ") || strings.HasPrefix(after, " will ") || strings.HasPrefix(after, " am ") {
			return before + "."
		}
	}
	return s
}

// Orders reports whether a sentence begins with the plain form of a verb, as an order
// or a step of a plan does.
func Orders(s string) bool {
	words := prose.Words(prose.Clip(Unnumbered(strings.TrimLeft(s, "-*• ")), 80))
	return len(words) > 1 && verbs()[words[0]]
}
