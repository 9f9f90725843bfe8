package origin

import (
	"strings"
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
		mine, theirs := s.paragraph(p, i > 0 && i == len(paragraphs)-1)
		own, foreign = append(own, mine...), append(foreign, theirs...)
		if mark := s.introduces(p, paragraphs[i+1:]); mark {
			s.foreign = true
		}
	}
	return strings.Join(own, "\n"), strings.Join(foreign, "\n")
}

// splitter goes through a prompt line by line.
type splitter struct {
	fenced  bool   // within a fence
	tag     string // within an element of this name
	foreign bool   // a document has begun
}

// paragraph sorts the lines of one paragraph. The last one of a prompt may be the
// person's again, when it is short and plain.
func (s *splitter) paragraph(p string, last bool) (typed, pasted []string) {
	if last && s.foreign && !s.fenced && s.tag == "" && plain(p) {
		s.foreign = false
	}
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
	case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
		s.fenced = !s.fenced
		return true
	case s.fenced, strings.HasPrefix(line, ">"):
		return true
	case s.tag != "":
		if strings.Contains(line, "</"+s.tag+">") {
			s.tag = ""
		}
		return true
	}
	if name := opens(line); name != "" {
		if !strings.Contains(line, "</"+name+">") {
			s.tag = name
		}
		return true
	}
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "---") || letterHead(line) {
		s.foreign = true
	}
	return s.foreign
}

// opens is the name of the element that begins a line, "" for none.
func opens(line string) string {
	rest, ok := strings.CutPrefix(line, "<")
	if !ok {
		return ""
	}
	end := strings.IndexAny(rest, " >")
	if end < 1 || strings.Trim(strings.ToLower(rest[:end]), "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		return ""
	}
	return rest[:end]
}

// letterHead holds for a line such as "Subject: …", the head of a letter or of an issue:
// a word with a capital, a colon, and a text behind it, without an end.
func letterHead(line string) bool {
	name, rest, ok := strings.Cut(line, ": ")
	return ok && len(name) > 1 && name[0] >= 'A' && name[0] <= 'Z' && !strings.ContainsAny(name, " \t`'\"") &&
		rest != "" && !strings.ContainsAny(rest[len(rest)-1:], ".!?,;")
}

// introduces reports whether a paragraph ends in a line that introduces a longer text.
func (s *splitter) introduces(p string, rest []string) bool {
	if !strings.HasSuffix(strings.TrimSpace(p), ":") {
		return false
	}
	words := 0
	for _, r := range rest {
		if listed(r) {
			return false
		}
		words += len(strings.Fields(r))
	}
	return words >= introducedW
}

// listed reports whether most lines of a paragraph are items of a list, which people type.
func listed(p string) bool {
	items, lines := 0, 0
	for line := range strings.SplitSeq(p, "\n") {
		line = strings.TrimSpace(line)
		lines++
		if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || numbered(line) {
			items++
		}
	}
	return items > 1 && 2*items > lines
}

func numbered(line string) bool {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	return digits > 0 && len(line) > digits+1 && strings.ContainsAny(line[digits:digits+1], ".)")
}

// plain holds for a short paragraph without anything that documents have.
func plain(p string) bool {
	return len(strings.Fields(p)) <= typedWords && !strings.ContainsAny(p, "#<>|{}") && !listed(p)
}
