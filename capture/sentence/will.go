package sentence

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
)

// Stands reports whether a sentence lays down what holds from now on, or asks for it to
// be remembered.
func Stands(s string) bool {
	t := " " + strings.Join(prose.Words(s), " ") + " "
	return slices.ContainsFunc([]string{
		" from now on ", " always ", " never ", " in the future ", " for future ", " for the future ", " every time ",
		" don't forget ", " dont forget ", " memorize ", " memorise ", " in memory ", " to memory ", " claude memory ",
	}, func(p string) bool { return strings.Contains(t, p) })
}

// Objects reports whether a question objects to what is being done: "why is X changed
// rather than …", "shouldn't this be …", "did we not …". A question about how
// something works does not.
func Objects(s string) bool {
	asks := strings.HasSuffix(strings.TrimRight(s, ` )"'!`), "?")
	words := prose.Words(s)
	for len(words) > 0 && slices.Contains([]string{"but", "and", "so", "ok", "okay", "hm", "hmm", "wait", "no", "then", "also"}, words[0]) {
		words = words[1:]
	}
	if len(words) < 4 {
		return false
	}
	t := " " + strings.Join(words, " ") + " "
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(p string) bool { return strings.Contains(t, " "+p+" ") })
	}
	us := slices.Contains([]string{"you", "we", "this", "that", "it", "these", "those"}, words[1])
	switch words[0] {
	case "shouldn't", "shouldnt":
		return asks && us
	case "didn't", "didnt", "haven't", "havent":
		return words[1] == "we" || words[1] == "i"
	case "did", "have":
		return (words[1] == "we" || words[1] == "i") && words[2] == "not"
	case "why":
	default:
		return false
	}
	switch words[1] {
	case "aren't", "arent", "don't", "dont", "didn't", "didnt", "haven't", "havent":
		return words[2] == "you" || words[2] == "we"
	case "not":
		return false // a proposal
	}
	return asks && has("rather than", "instead of", "instead", "still", "would you", "would we") && !has("does", "doesn't")
}
