package recipe

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

//go:embed patterns.tsv
var patternTable string

// patterns holds the regular expressions of patterns.tsv by name. Each is compiled when it is used first.
var patterns = lazy.Value(func() map[string]func() *regexp.Regexp {
	alternatives, flags := map[string][]string{}, map[string]string{}
	for line := range strings.Lines(patternTable) {
		cells := strings.SplitN(strings.TrimRight(line, "\n"), "\t", 3)
		if len(cells) == 3 {
			name := cells[0]
			flags[name] = strings.Trim(cells[1], "-")
			alternatives[name] = append(alternatives[name], cells[2])
		}
	}
	out := map[string]func() *regexp.Regexp{}
	for name, list := range alternatives {
		out[name] = lazy.Pattern("(?" + flags[name] + ":" + strings.Join(list, "|") + ")")
	}
	return out
})

// pattern returns an expression of patterns.tsv.
func pattern(name string) *regexp.Regexp { return patterns()[name]() }

// matches reports whether a text has something of an expression of patterns.tsv.
func matches(name, text string) bool { return pattern(name).MatchString(text) }

// first returns the first line that has something of an expression of patterns.tsv, "" for none.
func first(lines []string, name string) string {
	i := slices.IndexFunc(lines, pattern(name).MatchString)
	if i < 0 {
		return ""
	}
	return lines[i]
}

// groupOf returns the group of an expression that matched the text, "" for none.
func groupOf(name, text string) string {
	m := pattern(name).FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return strings.Join(m[1:], "")
}

//go:embed words.tsv
var wordTable string

// words holds the lists of words.tsv by kind.
var words = lazy.Value(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(wordTable) {
		if kind, list, ok := strings.Cut(line, "\t"); ok {
			out[kind] = strings.Fields(list)
		}
	}
	return out
})

// isA reports whether a word is of a kind of words.tsv.
func isA(kind, word string) bool { return slices.Contains(words()[kind], word) }
