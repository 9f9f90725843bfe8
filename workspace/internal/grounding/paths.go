package grounding

import (
	"slices"
	"strings"
	"unicode"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
)

// groundedPaths: every path stands in the evidence, or is one of the files that
// the session touched; its end is enough, as in "store/open.go" for
// "internal/store/open.go". What is only named as a file of the memory may stand
// anywhere around it; a file that stands nowhere is left out.
func groundedPaths(c *Claim) error {
	c.Files = lists.Without(c.Files, func(f string) bool { return !c.namesPath(f) })
	paths, _ := namedIn(c.Said())
	return c.absent("path", lacking(paths, c.namesPath))
}

func (c *Claim) namesPath(p string) bool {
	p = strings.TrimSuffix(strings.TrimPrefix(p, "./"), "/")
	if holdsWord(c.Evidence, p) || c.around(p) {
		return true
	}
	if strings.HasSuffix(p, "_") { // of "logs/run_*"
		around := slices.ContainsFunc(c.Around, func(t Text) bool { return holdsStart(t.Said, p) })
		return around || holdsStart(c.Evidence, p)
	}
	ends := func(f string) bool { return strings.Contains("/"+f+"/", "/"+p+"/") }
	return slices.ContainsFunc(c.Known, ends)
}

// pathLike matches words that are written as paths: addresses, a slash between parts of names,
// one of them with a digit or a sign, or a name with the ending of a file.
var pathLike = lazy.Pattern(`://|^/.|/.*[._~/]|[._~].*/|^[^/]{2,}\.[a-z]{1,5}$|^.\.[a-z]{2,5}$|` +
	`^[^/A-Z]*[\d-][^/A-Z]*/[^/A-Z]+$|^[^/A-Z]+/[^/A-Z]*[\d-][^/A-Z]*$`)

// IsPath reports whether a word is written as a path: with a slash between
// parts of names, or as a name with the ending of a file. "2/3" is none, nor is "and/or".
func IsPath(s string) bool {
	return pathLike().MatchString(s) && strings.ContainsFunc(s, unicode.IsLetter)
}
