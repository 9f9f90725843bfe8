package passage

import (
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
)

// Stands reports whether a sentence lays down what holds from now on, or asks for it to
// be remembered.
func Stands(s string) bool {
	words := prose.Words(s)
	return in("standing", words) && !in("not standing", words)
}

// Objects reports whether a question objects to what is being done: "why is X changed
// rather than …", "shouldn't this be …", "did we not …". A question about how
// something works does not.
func Objects(s string) bool {
	words := lexicon().Without("connector", lexicon().Without("reply", prose.Words(s)))
	if len(words) < Few {
		return false
	}
	if begins("objects", words) {
		return true
	}
	asks := strings.HasSuffix(strings.TrimRight(s, ` )"'!`), "?")
	return asks && (begins("objects in a question", words) || asksWhyNot(words))
}

// asksWhyNot reports whether a question asks why something is not done otherwise, and not how it
// works.
func asksWhyNot(words []string) bool {
	return words[0] == "why" && in("other way", words) && !in("how it works", words)
}
