package memory

import (
	"slices"
	"strings"
)

// cutCanonical splits a file whose fences are as [Format] writes them.
func cutCanonical(file string) (head, body string, ok bool) {
	if !strings.HasPrefix(file, "---\n") {
		return "", "", false
	}
	if head, body, ok = strings.Cut(file[3:], "\n---\n"); !ok {
		if head, ok = strings.CutSuffix(file[3:], "\n---"); !ok {
			return "", "", false
		}
	}
	if head == "" {
		return "", "", false
	}
	return file[4 : 4+len(head)], body, true
}

// readCanonical reads frontmatter in the small part of YAML that [Format]
// writes: `key: value` lines where a value is a scalar, a list of scalars or
// tables on one line, or a table. ok is false at anything else, and [readYAML]
// takes over, so that no other rule of YAML has to be implemented here.
func (p *Parser) readCanonical(head string) ([]entry, bool) {
	p.entries, p.nodes = slices.Grow(p.entries[:0], 16), slices.Grow(p.nodes[:0], 24) // most have fewer
	line := 1
	for text := range strings.Lines(head) {
		line++
		key, value, ok := strings.Cut(strings.TrimSuffix(text, "\n"), ": ")
		if !ok || !isKey(key) {
			return nil, false
		}
		c := cursor{rest: value, line: line, nodes: p.nodes}
		n, ok := c.value()
		if !ok || c.rest != "" {
			return nil, false
		}
		p.entries, p.nodes = append(p.entries, entry{key, line, n}), c.nodes
	}
	return p.entries, true
}

// isKey reports whether s has the form of our keys. They are far below the
// limit of YAML, 1,024 characters.
func isKey(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, lowerLetters+"_") == ""
}

// cursor walks over the value of one line.
type cursor struct {
	rest  string
	line  int
	nodes []node // read so far, of lists and tables
}

// take returns the items of a list or table, in memory that others share.
func (c *cursor) take(items []node) []node {
	from := len(c.nodes)
	c.nodes = append(c.nodes, items...)
	return c.nodes[from:len(c.nodes):len(c.nodes)]
}

func (c *cursor) value() (node, bool) {
	switch {
	case strings.HasPrefix(c.rest, "["):
		return c.list()
	case strings.HasPrefix(c.rest, "{"):
		return c.table()
	case strings.HasPrefix(c.rest, `"`):
		return c.quoted()
	}
	n := node{line: c.line, value: c.rest}
	c.rest = ""
	return n, plainSyntax(n.value, "")
}

func (c *cursor) list() (node, bool) {
	n := node{kind: list, line: c.line}
	var few [8]node
	items := few[:0]
	for closed := false; !closed; {
		c.rest = c.rest[1:] // the bracket, or the space after a comma
		var item node
		var ok bool
		if strings.HasPrefix(c.rest, "{") {
			item, ok = c.table()
		} else {
			item, ok = c.item()
		}
		if !ok {
			return n, false
		}
		items = append(items, item)
		if closed, ok = c.next(']'); !ok {
			return n, false
		}
	}
	n.items = c.take(items)
	return n, true
}

func (c *cursor) table() (node, bool) {
	n := node{kind: table, line: c.line}
	var few [16]node
	items := few[:0]
	for closed := false; !closed; {
		key, rest, ok := strings.Cut(c.rest[1:], ": ")
		if !ok || !isKey(key) {
			return n, false
		}
		c.rest = rest
		value, ok := c.item()
		if !ok {
			return n, false
		}
		items = append(items, node{line: c.line, value: key}, value)
		if closed, ok = c.next('}'); !ok {
			return n, false
		}
	}
	n.items = c.take(items)
	return n, true
}

// next skips the closing bracket or the comma behind an item, but not the space
// behind the comma.
func (c *cursor) next(bracket byte) (closed, ok bool) {
	switch {
	case c.rest != "" && c.rest[0] == bracket:
		c.rest = c.rest[1:]
		return true, true
	case strings.HasPrefix(c.rest, ", "):
		c.rest = c.rest[1:]
		return false, true
	}
	return false, false
}

// item reads a scalar inside brackets.
func (c *cursor) item() (node, bool) {
	if strings.HasPrefix(c.rest, `"`) {
		return c.quoted()
	}
	end := strings.IndexAny(c.rest, ",]}")
	if end < 0 {
		return node{}, false
	}
	n := node{line: c.line, value: c.rest[:end]}
	c.rest = c.rest[end:]
	return n, plainSyntax(n.value, flowSigns)
}

// quoted reads a string in double quotes that holds no escape.
func (c *cursor) quoted() (node, bool) {
	s, rest, ok := strings.Cut(c.rest[1:], `"`)
	c.rest = rest
	return node{line: c.line, value: s, quoted: true}, ok && printable(s) && strings.IndexByte(s, '\\') < 0
}
