package sentence

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
)

// Narrates reports whether a sentence tells how its writer went about the work, or how
// sure they are: "I verified it in the source", "Confirmed again", "Review written to …",
// "Looks like this was fixed already". What they found stands in another one.
func Narrates(s string) bool {
	words := prose.Words(prose.Clip(s, 200))
	if len(words) == 0 {
		return false
	}
	for len(words) > 2 && slices.Contains([]string{"also", "then", "just", "now", "so", "and", "but"}, words[0]) {
		words = words[1:]
	}
	own := slices.Contains([]string{"i", "i've", "i'll", "i'm", "we've", "we'll"}, words[0])
	for own && len(words) > 1 && slices.Contains([]string{"i", "i've", "i'll", "i'm", "we've", "we'll", "have", "also", "then", "just", "now", "already", "successfully", "only"}, words[0]) {
		words = words[1:]
	}
	if own {
		return strings.HasSuffix(words[0], "ed") || strings.HasSuffix(words[0], "ing") ||
			slices.Contains([]string{"didn't", "ran", "wrote", "written", "made", "went", "found", "did", "think", "see", "read"}, words[0])
	}
	switch words[0] {
	case "verified", "confirmed", "confirms", "confirming", "reproduced", "checked", "reviewed", "rebuild", "rebuilt", "rerun", "reran":
		return true
	case "looks":
		return len(words) > 1 && words[1] == "like"
	}
	said := " " + strings.Join(words, " ") + " "
	return slices.ContainsFunc([]string{
		" written to ", " working tree ", " no flakiness ", " fix verified ", " verified against ", " comment is valid ", " is right ", " was right ", " was wrong ",
	}, func(p string) bool { return strings.Contains(said, p) })
}
