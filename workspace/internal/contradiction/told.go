package contradiction

import (
	"fmt"

	"github.com/git-cortex/cortex/memory"
)

// Bounds of what a briefing says of contradictions.
const (
	mostTold    = 3
	titleOfPair = 40 // characters of either title
)

// Told says in a sentence each what contradicts what, and in a last one how many more there are.
func Told(pairs []Pair) []string {
	var out []string
	for i, p := range pairs {
		if i == mostTold {
			more := "%d more pairs of memories contradict each other: cortex check."
			out = append(out, fmt.Sprintf(more, len(pairs)-i))
			break
		}
		newer, older := *p.Newer, *p.Older // a line of a briefing has room for both and the question
		newer.Title, older.Title = memory.Cut(newer.Title, titleOfPair), memory.Cut(older.Title, titleOfPair)
		p.Newer, p.Older = &newer, &older
		out = append(out, p.Sentence()+" Ask which of the two holds.")
	}
	return out
}
