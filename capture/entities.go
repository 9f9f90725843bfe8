package capture

import (
	"slices"
	"strings"
	"unicode"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lists"
)

const maxEntities = 8

// FilesIn lists the paths, relative to the root of a working tree, that a text names and that
// exist there, sorted.
func FilesIn(text string, exists func(path string) bool) []string {
	return (&weigher{book: &book{opt: &Options{Exists: exists}}}).filesIn(text)
}

// EntitiesIn lists what a text names, files and addresses apart, as capture does: things in code, people and
// dependencies.
func EntitiesIn(text string, files, people, dependencies []string) []string {
	all := (&weigher{names: func() *names { return newNames(people, dependencies) }}).entities(text, files, 1)
	return lists.Without(all, func(x string) bool { return strings.LastIndexByte(x, '@') > 0 })
}

// filesIn finds the paths that a text names and that exist: files the session
// has touched, by full path or unambiguous ending, and what the tree holds.
func (w *weigher) filesIn(s string) []string {
	var out []string
	for x := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(" \n`(),\"';[]*", r) }) {
		out = addNew(out, w.book.resolve(pathOf(x)), maxEntities)
	}
	slices.Sort(out)
	return out
}

// pathOf is the path that a word may name, without the line in it; "" for none.
func pathOf(x string) string {
	p := strings.TrimRight(x, ".:!?")
	if strings.Contains(p, "://") {
		return ""
	}
	if i := strings.IndexByte(p, ':'); i > 1 {
		p = p[:i]
	}
	if len(p) < 3 || !strings.Contains(p, ".") {
		return ""
	}
	return p
}

// resolve finds the one file of the session or the tree that a mention means.
func (b *book) resolve(mention string) string {
	p := b.relative(mention)
	hits := b.touchedFiles(p)
	if p == "" || len(hits) > 1 {
		return ""
	}
	if b.opt.Exists == nil {
		return strings.Join(hits, "")
	}
	if i := slices.IndexFunc(append(hits, p), b.opt.Exists); i >= 0 {
		return append(hits, p)[i]
	}
	return ""
}

// touchedFiles are the files of the session that a path names, or else ends.
func (b *book) touchedFiles(p string) []string {
	if b.files[p] {
		return []string{p}
	}
	var hits []string
	for f := range b.files {
		if strings.HasSuffix(f, "/"+p) {
			hits = append(hits, f)
		}
	}
	return hits
}

// entitiesIn collects names of things in code: what stands in backticks and
// what is written like an identifier, files apart.
func entitiesIn(s string, files []string) []string {
	var out []string
	for _, x := range slices.Concat(codeIn(s), identifiersIn(s)) {
		x = strings.TrimRight(strings.Trim(x, ".,;:()\"'!?*{}[]“”"), "()")
		if isEntity(x) && !namesFile(x, files) {
			out = addNew(out, x, maxEntities)
		}
	}
	slices.Sort(out)
	return out
}

// codeIn lists what stands in backticks.
func codeIn(s string) []string {
	var out []string
	for i, code := range strings.Split(s, "`") {
		if i%2 == 1 {
			out = append(out, code)
		}
	}
	return out
}

// identifiersIn lists the words that are written like an identifier, flags apart.
func identifiersIn(s string) []string {
	words := lists.Map(strings.Fields(strings.ReplaceAll(s, "`", " ")), func(x string) string {
		return strings.Trim(x, ".,;:()\"'!?*“”")
	})
	return lists.Where(words, func(x string) bool {
		return prose.IsIdentifier(x) && !strings.HasPrefix(x, "--") && !strings.HasPrefix(x, "[")
	})
}

// isEntity reports whether a text may be the name of something in code.
func isEntity(x string) bool {
	return len(x) >= 3 && len(x) <= 60 && !strings.ContainsAny(x, " \t\n=\\") && !namesNothing(x)
}

// namesFile reports whether a text names one of some files.
func namesFile(x string, files []string) bool {
	return slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix("/"+f, "/"+x) })
}

// namesNothing reports whether what is written like a name in code is none: an
// abbreviation, the id of an object, a number, a time or a version.
func namesNothing(x string) bool {
	if is("no name", strings.ToLower(x)) {
		return true
	}
	if !strings.ContainsFunc(strings.TrimLeft(x, "vV"), unicode.IsLetter) {
		return true
	}
	const shortID, digits = 7, "0123456789"
	isHex := strings.Trim(strings.ToLower(x), digits+"abcdef") == ""
	return len(x) >= shortID && strings.ContainsAny(x, digits) && isHex
}
