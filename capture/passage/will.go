package passage

import (
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
)

// Stands reports whether a sentence lays down what holds from now on, or asks for it to
// be remembered.
func Stands(s string) bool { return in("standing", prose.Words(s)) }

// Objects reports whether a question objects to what is being done: "why is X changed
// rather than …", "shouldn't this be …", "did we not …". A question about how
// something works does not.
func Objects(s string) bool {
	words := lexicon().Without("connector", lexicon().Without("reply", prose.Words(s)))
	if len(words) < Few {
		return false
	}
	asks := strings.HasSuffix(strings.TrimRight(s, ` )"'!`), "?")
	if words[0] == "why" && asks && in("other way", words) {
		return !in("how it works", words)
	}
	return begins("objects", words) || asks && begins("objects in a question", words)
}
