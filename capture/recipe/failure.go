package recipe

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

// Lines are the lines of an output in which a tool, and not the agent that ran it, said
// something, each once: what a trap is known by must be the same in every agent.
func Lines(output string) []string {
	var out []string
	seen := map[string]bool{}
	output = wrapping().Replace(output)
	output = strings.TrimPrefix(output, "Output: ") // of Gemini CLI
	output = pattern("colour").ReplaceAllString(output, "")
	for l := range strings.FieldsFuncSeq(output, func(r rune) bool { return strings.ContainsRune("\r\n", r) }) {
		l = message(strings.TrimSpace(l))
		if l != "" && !seen[l] && !matches("noise", l) {
			seen[l] = true
			out = append(out, l)
		}
	}
	return out
}

// wrapping takes away what agents put around an output.
var wrapping = lazy.Value(func() *strings.Replacer {
	return strings.NewReplacer(
		"<tool_use_error>", "", "</tool_use_error>", "",
		"<untrusted_context>\n", "", "</untrusted_context>", "", // of Gemini CLI
	)
})

// message is the message in a line of JSON, or else the line.
func message(l string) string {
	if strings.IndexAny(l, "{[") == 0 {
		return cmp.Or(groupOf("json message", l), l)
	}
	return l
}

// longLine is the length from which on a line does not tell what went wrong.
const longLine = 600

// telling are the lines that may say what went wrong, the most telling first.
func telling(lines []string) []string {
	var by [silent + 1][]string
	for _, l := range lines {
		n := tellingOf(l, len(lines))
		by[n] = append(by[n], l)
	}
	return slices.Concat(by[:silent]...)
}

// How much a line tells of what went wrong.
const (
	wordedError = iota // it has the form of an error, and words of one
	worded
	formed // it has the form, or there are no more than two lines in all
	silent
)

func tellingOf(l string, lines int) int {
	if len(l) > longLine {
		return silent
	}
	isWorded, isFormed := matches("fault", l), matches("named", l)
	short := lines <= 2 && len(l) > 8
	switch {
	case isWorded && isFormed:
		return wordedError
	case isWorded:
		return worded
	case isFormed || short:
		return formed
	}
	return silent
}
