package redact

import (
	_ "embed" // for patterns.txt
	"regexp"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

//go:embed patterns.txt
var patternTable string

// patterns are the expressions of patterns.txt by their names, each compiled at first use.
var patterns = lazy.Value(func() map[string]func() *regexp.Regexp {
	out := map[string]func() *regexp.Regexp{}
	name, expr := "", ""
	keep := func() {
		if text := expr; name != "" {
			out[name] = lazy.Pattern(text)
		}
	}
	for line := range strings.Lines(patternTable) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "", strings.HasPrefix(line, "# "):
		case line[0] == ' ':
			expr += strings.TrimLeft(line, " ")
		default:
			keep()
			name, expr, _ = strings.Cut(line, " ")
			expr = strings.TrimLeft(expr, " ")
		}
	}
	keep()
	return out
})

// pattern returns an expression of patterns.txt.
func pattern(name string) *regexp.Regexp { return patterns()[name]() }
