package house

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCitations: a comment that sends its reader to a document names one that
// is in this repository, and a heading that is in the document.
func TestCitations(t *testing.T) {
	repository := library{documents: map[string]bool{}, headings: func(name string) string { return text(t, name) }}
	for _, name := range markdown(t) {
		repository.documents[name] = true
	}
	for _, pkg := range load(t).packages {
		for _, s := range pkg.files {
			for _, f := range repository.checkCitations(s) {
				t.Errorf("%s:%d: %s", s.path, f.line, f.what)
			}
		}
	}
}

// library is the set of documents that a comment may cite, with their text.
type library struct {
	documents map[string]bool          // paths of Markdown files of the repository
	headings  func(name string) string // the text of one
}

// generated are files that Cortex or an agent writes into a user's repository:
// a comment that speaks of one cites nothing.
func generated() []string {
	return []string{
		"decisions.md", "decisions-archive.md", "active-plan.md", ".cortex/README.md",
		".claude/rules/cortex.md", "CLAUDE.md", "GEMINI.md",
	}
}

func (l library) checkCitations(s *source) []finding {
	var found []finding
	for _, group := range s.file.Comments {
		for _, what := range l.unknown(path.Dir(s.path), strings.Join(strings.Fields(group.Text()), " ")) {
			found = append(found, finding{s.line(group), what})
		}
	}
	return found
}

// unknown lists what a comment of a package cites in vain.
func (l library) unknown(dir, comment string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`§|\b(?:DESIGN|STYLE|RELIABILITY|[A-Z]+-(?:FACTS|REFERENCE))\b`).FindAllString(comment, -1) {
		out = append(out, fmt.Sprintf("%q cites what is not in the repository: cite a heading of FORMAT.md, or docs/design", m))
	}
	for _, name := range regexp.MustCompile(`[\w./<>*-]*\w\.md\b|\bdocs/[\w./-]*\w`).FindAllString(comment, -1) {
		if !l.has(dir, name) && !slices.Contains(generated(), name) {
			out = append(out, name+" is not in the repository")
		}
	}
	comment = regexp.MustCompile(`shape "[^"]+"`).ReplaceAllString(comment, "") // not a heading
	const name, headings = `(FORMAT\.md|docs/[a-z]+\.md)`, `((?:"[^"]+"(?:,? and |, )?)+)`
	for _, m := range regexp.MustCompile(name+`(?:,|, section)? `+headings).FindAllStringSubmatch(comment, -1) {
		out = append(out, l.unknownHeadings(m[1], m[2])...)
	}
	for _, m := range regexp.MustCompile(headings+` (?:of|in) `+name).FindAllStringSubmatch(comment, -1) {
		out = append(out, l.unknownHeadings(m[2], m[1])...)
	}
	return out
}

// unknownHeadings lists those of the quoted headings that a document lacks.
func (l library) unknownHeadings(document, quoted string) []string {
	if !l.documents[document] {
		return nil // said already
	}
	var out []string
	for _, heading := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(quoted, -1) {
		if !hasHeading(l.headings(document), strings.ReplaceAll(strings.ToLower(heading[1]), " ", "-")) {
			out = append(out, fmt.Sprintf("%s has no heading %q", document, heading[1]))
		}
	}
	return out
}

// has reports whether a name, as a comment in the folder dir writes it, is that
// of a document or of a folder of documents; also a pattern, or an example of a
// memory file.
func (l library) has(dir, name string) bool {
	if strings.ContainsAny(name, "<*") || regexp.MustCompile(`-[0-9a-z]{7}\.md$`).MatchString(name) {
		return true
	}
	for document := range maps.Keys(l.documents) {
		switch {
		case document == name, document == name+".md", document == path.Join(dir, name), strings.HasPrefix(document, name+"/"):
			return true
		case strings.HasPrefix(document, dir+"/testdata/") && path.Base(document) == name:
			return true
		}
	}
	return false
}

// markdown lists all Markdown files of the module, testdata included.
func markdown(t *testing.T) []string {
	t.Helper()
	root := filepath.Join("..", "..")
	var names []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if rel, err := filepath.Rel(root, p); err == nil && strings.HasSuffix(p, ".md") {
			names = append(names, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return names
}

func TestUnknownCitations(t *testing.T) {
	l := library{
		documents: map[string]bool{"FORMAT.md": true, "docs/plain.md": true, "docs/design/0001-a.md": true, "memory/testdata/vectors/README.md": true},
		headings:  func(string) string { return "# Format\n## Status and decay\n## Ids\n" },
	}
	for comment, want := range map[string]int{
		`See FORMAT.md, "Ids".`: 0,
		`It implements "Ids" and "Status and decay" of FORMAT.md.`:  0,
		`The reasons are in docs/design and docs/design/0001-a.md.`: 0,
		`See testdata/vectors/README.md and decisions.md.`:          0,
		`use-bluge-1f2e3d4.md has the shape "memory" of FORMAT.md.`: 0,
		`Files are <type>/<yyyy-mm>/<slug>-<id7>.md.`:               0,
		`A design, in style and reliability.`:                       0,
		`The table of DESIGN §2.`:                                   2,
		`See AGENTS-REFERENCE 1a and GIT-FACTS.`:                    2,
		`See NOTES.md.`:                                             1,
		`See docs/design/0009-z.md.`:                                1,
		`See docs/plans.`:                                           1,
		`See FORMAT.md, "Idds".`:                                    1,
		`It implements "Capture" and "Ids" of FORMAT.md.`:           1,
		`FORMAT.md "Capture": a merge`:                              1,
		`See docs/plain.md, "Ids".`:                                 0,
		`It implements "Capture" of docs/plain.md.`:                 1,
	} {
		if got := l.unknown("memory", comment); len(got) != want {
			t.Errorf("%s\n%d complaints, want %d: %q", comment, len(got), want, got)
		}
	}
}
