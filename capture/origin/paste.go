package origin

import (
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

// Bounds that tell what was typed in a prompt from what was pasted into it.
const (
	typedWords  = 60 // a paragraph that is longer was hardly typed
	introducedW = 40 // words behind a line that ends in a colon, from which on they are somebody else's
)

// Split parts a prompt in what the person typed and what they pasted: code and text in
// fences, quotations, what stands between tags, all from a heading or the head of a letter
// on, long paragraphs, and a longer text that a line ending in a colon introduces. A last short
// paragraph behind pasted ones is typed again.
func Split(prompt string) (typed, pasted string) {
	var own, foreign []string
	s := splitter{}
	paragraphs := strings.Split(strings.ReplaceAll(prompt, "\r\n", "\n"), "\n\n")
	for i, p := range paragraphs {
		if i == len(paragraphs)-1 {
			s.resume(p)
		}
		mine, theirs := s.paragraph(p)
		own, foreign = append(own, mine...), append(foreign, theirs...)
		s.foreign = s.foreign || introduces(p, paragraphs[i+1:])
	}
	return strings.Join(own, "\n"), strings.Join(foreign, "\n")
}

// splitter goes through a prompt line by line.
type splitter struct {
	fenced  bool   // within a fence
	tag     string // within an element of this name
	foreign bool   // a document has begun
}

// resume ends a document before the last paragraph of a prompt, which may be the person's again when it
// is short and plain.
func (s *splitter) resume(p string) {
	if !s.fenced && s.tag == "" && plain(p) {
		s.foreign = false
	}
}

// paragraph sorts the lines of one paragraph.
func (s *splitter) paragraph(p string) (typed, pasted []string) {
	long := len(strings.Fields(p)) > typedWords && !listed(p)
	for line := range strings.SplitSeq(p, "\n") {
		if s.line(line) || long {
			pasted = append(pasted, line)
		} else {
			typed = append(typed, line)
		}
	}
	return typed, pasted
}

// line reports whether a line is foreign, and follows fences, tags and headings.
func (s *splitter) line(line string) bool {
	line = strings.TrimSpace(line)
	switch {
	case begin().fence.MatchString(line):
		s.fenced = !s.fenced
		return true
	case s.fenced, strings.HasPrefix(line, ">"), s.element(line):
		return true
	}
	s.foreign = s.foreign || begin().head.MatchString(line)
	return s.foreign
}

// element reports whether a line is within an element, or begins one.
func (s *splitter) element(line string) bool {
	if m := begin().element.FindStringSubmatch(line); m != nil && s.tag == "" {
		s.tag = m[1]
	}
	within := s.tag != ""
	if within && strings.Contains(line, "</"+s.tag+">") {
		s.tag = ""
	}
	return within
}

// lineKinds are the beginnings of lines that are not typed, and those of items of a list.
type lineKinds struct{ fence, element, head, item *regexp.Regexp }

// begin has the expressions. A document begins with a heading, a rule or a line such as "Subject: …", the head of a
// letter or of an issue: a word with a capital, a colon, and a text without an end.
var begin = lazy.Value(func() lineKinds {
	return lineKinds{
		fence:   regexp.MustCompile("^(?:```|~~~)"),
		element: regexp.MustCompile(`^<([A-Za-z0-9_-]+)[ >]`),
		head:    regexp.MustCompile("^(?:#|---|[A-Z][^ \t`'\"]+: .*[^.!?,;]$)"),
		item:    regexp.MustCompile(`^(?:[*-] |\d+[.)].)`),
	}
})

// introduces reports whether a paragraph ends in a line that introduces a longer text. A list of items
// is the person's own.
func introduces(p string, rest []string) bool {
	if !strings.HasSuffix(strings.TrimSpace(p), ":") || slices.ContainsFunc(rest, listed) {
		return false
	}
	return len(strings.Fields(strings.Join(rest, " "))) >= introducedW
}

// listed reports whether most lines of a paragraph are items of a list, which people type.
func listed(p string) bool {
	items := 0
	for line := range strings.SplitSeq(p, "\n") {
		if begin().item.MatchString(strings.TrimSpace(line)) {
			items++
		}
	}
	lines := 1 + strings.Count(p, "\n")
	return items > 1 && 2*items > lines
}

// plain holds for a short paragraph without anything that documents have.
func plain(p string) bool {
	return len(strings.Fields(p)) <= typedWords && !strings.ContainsAny(p, "#<>|{}") && !listed(p)
}
