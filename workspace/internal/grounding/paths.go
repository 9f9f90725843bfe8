package grounding

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// groundedPaths: every path stands in the evidence, or is one of the files that
// the session touched; its end is enough, as in "store/open.go" for
// "internal/store/open.go". What is only named as a file of the memory may stand
// anywhere around it; a file that stands nowhere is left out.
func groundedPaths(c *Claim) error {
	var missing []string
	for _, t := range tokensIn(c.Said()) {
		if IsPath(t.text) && !slices.Contains(missing, t.text) && !c.namesPath(t.text) {
			missing = append(missing, t.text)
		}
	}
	var files []string
	for _, f := range c.Files {
		if c.namesPath(f) {
			files = append(files, f)
		}
	}
	c.Files = files
	return c.absent("path", missing)
}

func (c *Claim) namesPath(p string) bool {
	p = strings.TrimSuffix(strings.TrimPrefix(p, "./"), "/")
	if holdsWord(c.Evidence, p) || c.around(p) {
		return true
	}
	if strings.HasSuffix(p, "_") { // of "logs/run_*"
		return holdsStart(c.Evidence, p) || slices.ContainsFunc(c.Around, func(t Text) bool { return holdsStart(t.Said, p) })
	}
	ends := func(f string) bool { return strings.Contains("/"+f+"/", "/"+p+"/") }
	return slices.ContainsFunc(c.Known, ends)
}

// pathLike matches words that are written as paths: addresses, a slash between parts of names,
// or a name with the ending of a file.
var pathLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`://|^/.|/.*[._~/]|[._~].*/|^[^/A-Z]+/[^/A-Z]+$|^[^/]+\.[a-z]{1,5}$`)
})

// IsPath reports whether a word is written as a path: with a slash between
// parts of names, or as a name with the ending of a file. "2/3" is none, nor is "and/or".
func IsPath(s string) bool {
	if !pathLike().MatchString(s) || strings.IndexFunc(s, unicode.IsLetter) < 0 {
		return false
	}
	return strings.ContainsAny(s, "._~-0123456789") || strings.Count(s, "/") > 1 || s[0] == '/'
}
