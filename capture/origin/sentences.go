package origin

import (
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
)

// sentences calls f with what a text says: the sentences of its prose, lines that belong
// together joined, and each other line by itself.
func sentences(text string, f func(s string, isProse bool)) {
	var open strings.Builder
	flush := func() {
		for _, s := range prose.Sentences(open.String()) {
			f(s, true)
		}
		open.Reset()
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.Trim(line, " \t\r/*#>|")
		switch {
		case line == "":
			flush()
		case prosaic(line):
			open.WriteString(line + " ")
		default:
			flush()
			f(line, false)
		}
	}
	flush()
}
