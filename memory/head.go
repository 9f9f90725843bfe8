package memory

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adrg/frontmatter"
	"go.yaml.in/yaml/v3"
)

// entry is one key of the frontmatter and its value.
type entry struct {
	key   string
	line  int // of the key, 1-based in the file
	value node
}

// node is a YAML value without anchors, aliases or tags.
type node struct {
	kind   kind
	quoted bool   // a scalar in quotes or as a block
	line   int    // 1-based in the file
	value  string // of a scalar, as it is written
	items  []node // of a list; for a table, its keys and values alternately
}

type kind byte

const (
	scalar kind = iota
	list
	table
)

// empty reports whether the value of a key is blank, as if there were no key.
func (n node) empty() bool { return n.kind == scalar && n.value == "" && !n.quoted }

// cutFences splits a file at its fences. The library trims lines before it
// compares them and treats an unclosed block as text, so both are checked here.
func cutFences(file string) (head, body string, err error) {
	first, _, _ := strings.Cut(file, "\n")
	if !isFence(first) {
		return "", "", &ParseError{Line: 1, Err: ErrNotMemory}
	}
	format := frontmatter.NewFormat("---", "---", func(b []byte, _ any) error {
		head = string(b)
		return nil
	})
	rest, err := frontmatter.MustParse(strings.NewReader(file), nil, format)
	if errors.Is(err, frontmatter.ErrNotFound) {
		return "", "", fail(1, "the frontmatter is never closed: add a line ---")
	}
	if err != nil {
		return "", "", err
	}
	fence, _, _ := strings.Cut(file[len(first)+1+len(head):], "\n")
	if !isFence(fence) {
		line := 2 + strings.Count(head, "\n")
		return "", "", fail(line, "an indented --- inside the frontmatter ends it: write the value in quotes")
	}
	return head, string(rest), nil
}

func isFence(line string) bool { return strings.TrimRight(line, " \t") == "---" }

// readYAML reads any frontmatter.
func readYAML(head string) ([]entry, error) {
	if line := documentMark(head); line > 0 {
		return nil, fail(line, "a second YAML document inside the frontmatter")
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(head), &doc); err != nil {
		return nil, yamlError(err)
	}
	if len(doc.Content) == 0 {
		return nil, fail(1, "the frontmatter is empty")
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0 {
		return nil, fail(root.Line+1, "the frontmatter must be a list of `key: value` lines")
	}
	n, err := nodeOf(root)
	if err != nil {
		return nil, err
	}
	entries := make([]entry, 0, len(n.items)/2)
	for i := 0; i+1 < len(n.items); i += 2 {
		key, value := n.items[i], n.items[i+1]
		if key.kind != scalar || root.Content[i].Column != 1 {
			return nil, fail(key.line, "a frontmatter key must be one word at the start of a line")
		}
		entries = append(entries, entry{key.value, key.line, value})
	}
	return entries, nil
}

// documentMark returns the line of a marker that ends the YAML document, or 0.
// The YAML library would ignore everything behind it.
func documentMark(head string) int {
	n := 1
	for line := range strings.Lines(head) {
		n++
		if isDocumentMark(line) {
			return n
		}
	}
	return 0
}

// isDocumentMark reports whether a line of YAML ends a document or begins another one.
func isDocumentMark(line string) bool {
	switch line[:min(3, len(line))] {
	case "---", "...":
		return strings.IndexAny(line+"\n", " \t\n") == 3
	}
	return false
}

// nodeOf converts a parsed YAML value.
func nodeOf(y *yaml.Node) (node, error) {
	if y.Kind == yaml.AliasNode || y.Anchor != "" {
		return node{}, fail(y.Line+1, "YAML anchors and aliases are not allowed")
	}
	if y.Style&yaml.TaggedStyle != 0 {
		return node{}, fail(y.Line+1, "YAML tags are not allowed")
	}
	n := node{line: y.Line + 1, value: y.Value, quoted: y.Kind == yaml.ScalarNode && y.Style != 0}
	switch y.Kind {
	case yaml.SequenceNode:
		n.kind = list
	case yaml.MappingNode:
		n.kind = table
	}
	n.items = slices.Grow(n.items, len(y.Content))
	for _, c := range y.Content {
		item, err := nodeOf(c)
		if err != nil {
			return node{}, err
		}
		n.items = append(n.items, item)
	}
	return n, nil
}

// yamlError takes the line number out of the parser's message and counts it
// from the top of the file instead of the line below the fence.
func yamlError(err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	var n int
	if _, err := fmt.Sscanf(msg, "line %d:", &n); err == nil {
		line = n + 1
		_, msg, _ = strings.Cut(msg, ": ")
	}
	return fail(line, "reading frontmatter: %s", msg)
}
