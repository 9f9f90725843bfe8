package grounding

import (
	"slices"
	"strings"
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
	for _, f := range c.Known {
		if f == p || strings.HasSuffix(f, "/"+p) || strings.Contains("/"+f, "/"+p+"/") {
			return true
		}
	}
	return false
}

// IsPath reports whether a word is written as a path: with a slash between
// parts of names, or as a name with the ending of a file.
func IsPath(s string) bool {
	if strings.Contains(s, "://") {
		return true
	}
	if strings.IndexFunc(s, unicode.IsLetter) < 0 { // "2/3"
		return false
	}
	if i := strings.IndexByte(s, '/'); i >= 0 {
		a, b, _ := strings.Cut(s, "/")
		if strings.HasPrefix(s, "/") || strings.ContainsAny(s, "._~") || strings.Count(s, "/") > 1 {
			return len(s) > 1
		}
		return a != "" && b != "" && strings.ToLower(s) == s && strings.ContainsAny(s, "-_0123456789")
	}
	dot := strings.LastIndexByte(s, '.')
	return dot > 0 && len(s)-dot <= 6 && len(s)-dot > 1 && isWordy(s[dot+1:]) && strings.ToLower(s[dot+1:]) == s[dot+1:]
}

func isWordy(s string) bool {
	for _, r := range s {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return s != ""
}
