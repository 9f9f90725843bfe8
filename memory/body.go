package memory

import "strings"

// unixLines replaces every line end, "\n" with any number of carriage returns
// before it, by "\n".
func unixLines(s string) string {
	if !strings.Contains(s, "\r\n") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for line := range strings.Lines(s) {
		text, ended := strings.CutSuffix(line, "\n")
		if !ended {
			b.WriteString(line)
			break
		}
		b.WriteString(strings.TrimRight(text, "\r"))
		b.WriteByte('\n')
	}
	return b.String()
}

// trimBody removes the blank lines at both ends of a body.
func trimBody(s string) string {
	s = strings.TrimRight(unixLines(s), " \t\r\n")
	for {
		line, rest, found := strings.Cut(s, "\n")
		if !found || strings.TrimSpace(line) != "" {
			return s
		}
		s = rest
	}
}

// tidyText is [trimBody] for a text that was not read from a file. It indents
// by a space the lines that [Parse] would take for a merge conflict or for the
// frontmatter of another memory.
func tidyText(s string) string {
	s = trimBody(s)
	if conflictLine(s) > 0 {
		s = strings.ReplaceAll("\n"+s, "\n"+conflictStart, "\n "+conflictStart)[1:]
	}
	if opensWithHead(s) {
		s = " " + s
	}
	return s
}

// opensWithHead reports whether a body begins with the frontmatter of another
// memory.
func opensWithHead(body string) bool {
	first, rest, _ := strings.Cut(body, "\n")
	if !isFence(first) {
		return false
	}
	id := false
	for line := range strings.Lines(rest) {
		if isFence(strings.TrimSuffix(line, "\n")) {
			return id
		}
		id = id || strings.HasPrefix(line, "id:")
	}
	return false
}

const conflictStart = "<<<<<<<"

// conflictLine returns the number of the first line of a merge conflict in the
// file, or 0. Fenced code is searched too, because git leaves conflicts there
// as well.
func conflictLine(file string) int {
	if !strings.Contains(file, conflictStart) {
		return 0
	}
	start, size, n := 0, 0, 0
	next := byte('=')
	for line := range strings.Lines(file) {
		n++
		mark, length, _ := marker(line)
		if mark == '<' {
			start, size, next = n, length, '='
			continue
		}
		if mark != next || start == 0 || length != size {
			continue
		}
		if mark == '>' {
			return start
		}
		next = '>'
	}
	return 0
}
