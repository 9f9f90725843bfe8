package capture

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/git-cortex/cortex/capture/prose"
)

const maxEntities = 8

// FilesIn lists the paths, relative to the root of a working tree, that a text names and that
// exist there, sorted.
func FilesIn(text string, exists func(path string) bool) []string {
	return (&weigher{book: &book{opt: &Options{Exists: exists}}}).filesIn(text)
}

// filesIn finds the paths that a text names and that exist: files the session
// has touched, by full path or unambiguous ending, and what the tree holds.
func (w *weigher) filesIn(s string) []string {
	if w.book == nil {
		return nil
	}
	var out []string
	for x := range strings.FieldsFuncSeq(s, func(r rune) bool {
		return r == ' ' || r == '\n' || r == '`' || r == '(' || r == ')' || r == ',' || r == '"' || r == '\'' || r == ';' || r == '[' || r == ']' || r == '*'
	}) {
		p := strings.TrimRight(x, ".:!?")
		if i := strings.IndexByte(p, ':'); i > 1 {
			p = p[:i]
		}
		if len(p) < 3 || !strings.Contains(p, ".") || strings.Contains(p, "://") {
			continue
		}
		if p = w.book.resolve(p); p != "" && !slices.Contains(out, p) && len(out) < maxEntities {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// resolve finds the one file of the session or the tree that a mention means.
func (b *book) resolve(mention string) string {
	p := b.relative(mention)
	if p == "" {
		return ""
	}
	hit := ""
	if b.files[p] {
		hit = p
	} else {
		for f := range b.files {
			if strings.HasSuffix(f, "/"+p) || f == p {
				if hit != "" {
					return ""
				}
				hit = f
			}
		}
	}
	switch {
	case b.opt.Exists == nil:
		return hit
	case hit != "" && b.opt.Exists(hit):
		return hit
	case b.opt.Exists(p):
		return p
	}
	return ""
}

// entitiesIn collects names of things in code: what stands in backticks and
// what is written like an identifier, files apart.
func entitiesIn(s string, files []string) []string {
	var out []string
	take := func(x string) {
		x = strings.TrimRight(strings.Trim(x, ".,;:()\"'!?*{}[]“”"), "()")
		if len(x) < 3 || len(x) > 60 || namesNothing(x) || len(out) >= maxEntities || slices.Contains(out, x) || strings.ContainsAny(x, " \t\n=\\") {
			return
		}
		for _, f := range files {
			if f == x || path.Base(f) == x || strings.HasSuffix(f, "/"+x) {
				return
			}
		}
		out = append(out, x)
	}
	rest := s
	for {
		_, after, found := strings.Cut(rest, "`")
		if !found {
			break
		}
		code, next, closed := strings.Cut(after, "`")
		if !closed {
			break
		}
		take(code)
		rest = next
	}
	for x := range strings.FieldsSeq(strings.ReplaceAll(s, "`", " ")) {
		if t := strings.Trim(x, ".,;:()\"'!?*“”"); prose.IsIdentifier(t) && !strings.HasPrefix(t, "--") && !strings.HasPrefix(t, "[") {
			take(t)
		}
	}
	slices.Sort(out)
	return out
}

// namesNothing reports whether what is written like a name in code is none: an
// abbreviation, the id of an object, a number, a time or a version.
func namesNothing(x string) bool {
	switch strings.ToLower(x) {
	case "e.g", "i.e", "a.k.a", "and/or", "n/a", "w/o", "etc", "yes/no", "true/false", "he/she", "either/or":
		return true
	}
	if !strings.ContainsFunc(strings.TrimLeft(x, "vV"), unicode.IsLetter) {
		return true
	}
	const shortID = 7
	return len(x) >= shortID && strings.ContainsAny(x, "0123456789") && strings.Trim(strings.ToLower(x), "0123456789abcdef") == ""
}
