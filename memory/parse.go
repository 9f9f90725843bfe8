package memory

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/adrg/frontmatter"
	"go.yaml.in/yaml/v3"
)

// Limits of a memory file, checked before anything is parsed. See FORMAT.md,
// "Limits".
const (
	MaxFile        = 1 << 20  // bytes of a whole file
	MaxFrontmatter = 16 << 10 // bytes between the fences
	MaxTitle       = 400      // bytes
	MaxList        = 256      // items in any one list
)

// ErrNotMemory is the cause of a [ParseError] for a file without frontmatter.
var ErrNotMemory = errors.New("no frontmatter: the first line must be ---")

// ParseError says where and why a file is not a memory. Line is 1-based; 0
// means the file as a whole.
type ParseError struct {
	Path string
	Line int
	Err  error
}

func (e *ParseError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err)
}

func (e *ParseError) Unwrap() error { return e.Err }

// Parse reads one memory file. The path only names the file in errors, each of
// which is a [*ParseError]. A byte order mark and CRLF line ends are accepted
// and normalised away; data is not modified.
func Parse(path string, data []byte) (*Memory, error) {
	p := &parser{path: path}
	m, err := p.parse(data)
	if err != nil {
		var pe *ParseError
		if errors.As(err, &pe) {
			return nil, pe
		}
		return nil, &ParseError{Path: path, Err: err}
	}
	return m, nil
}

type parser struct {
	path  string
	lines []string // the frontmatter, each line with its "\n"
	m     *Memory
	seen  map[string]bool
}

func (p *parser) fail(line int, format string, args ...any) error {
	return &ParseError{Path: p.path, Line: line, Err: fmt.Errorf(format, args...)}
}

func (p *parser) parse(data []byte) (*Memory, error) {
	if len(data) > MaxFile {
		return nil, p.fail(0, "%d bytes is over the limit of %d for one memory", len(data), MaxFile)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.Contains(data, []byte("\r\n")) {
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	}
	if line := conflictLine(data); line > 0 {
		return nil, p.fail(line, "unresolved merge conflict: keep one side, or both as two files, and remove the markers")
	}
	head, body, err := p.split(data)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(head, &doc); err != nil {
		return nil, p.yamlError(err)
	}
	if err := p.document(&doc); err != nil {
		return nil, err
	}
	if hasFrontmatter(body) {
		return nil, p.fail(len(p.lines)+3, "a second frontmatter block: one file holds one memory")
	}
	p.m.Text = trimBody(string(body))
	return p.m, p.require()
}

// split takes the file apart at its fences. The library finds them; it trims
// lines before comparing and takes an unclosed block for text, so both are
// checked here.
func (p *parser) split(data []byte) (head, body []byte, err error) {
	if !bytes.HasPrefix(data, []byte("---\n")) {
		return nil, nil, &ParseError{Path: p.path, Line: 1, Err: ErrNotMemory}
	}
	var raw []byte
	format := frontmatter.NewFormat("---", "---", func(b []byte, _ any) error {
		raw = bytes.Clone(b)
		return nil
	})
	body, err = frontmatter.MustParse(bytes.NewReader(data), nil, format)
	if errors.Is(err, frontmatter.ErrNotFound) {
		return nil, nil, p.fail(1, "the frontmatter is never closed: add a line ---")
	}
	if err != nil {
		return nil, nil, err
	}
	p.lines = strings.SplitAfter(string(raw), "\n")
	if n := len(p.lines); n > 0 && p.lines[n-1] == "" {
		p.lines = p.lines[:n-1]
	}
	if len(raw) > MaxFrontmatter {
		return nil, nil, p.fail(1, "%d bytes of frontmatter is over the limit of %d", len(raw), MaxFrontmatter)
	}
	end := len("---\n") + len(raw)
	fence, _, _ := bytes.Cut(data[end:], []byte("\n"))
	if string(bytes.TrimRight(fence, " \t\r")) != "---" {
		return nil, nil, p.fail(len(p.lines)+2, "an indented --- inside the frontmatter ends it: write the value in quotes")
	}
	if !utf8.Valid(raw) {
		return nil, nil, p.fail(1, "the frontmatter is not valid UTF-8")
	}
	return raw, body, nil
}

func (p *parser) yamlError(err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		if num, why, ok := strings.Cut(rest, ": "); ok {
			if n, e := strconv.Atoi(num); e == nil {
				line, msg = n+1, why
			}
		}
	}
	return p.fail(line, "frontmatter: %s", msg)
}

func (p *parser) document(doc *yaml.Node) error {
	p.m = &Memory{Confidence: 1}
	p.seen = map[string]bool{}
	if len(doc.Content) == 0 {
		return p.fail(1, "the frontmatter is empty")
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode || root.Style&yaml.FlowStyle != 0 {
		return p.fail(root.Line+1, "the frontmatter must be a list of `key: value` lines")
	}
	if err := p.plainNodes(root); err != nil {
		return err
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.Column != 1 {
			return p.fail(key.Line+1, "a frontmatter key must be one word at the start of a line")
		}
		if p.seen[key.Value] {
			return p.fail(key.Line+1, "key %q is there twice", key.Value)
		}
		p.seen[key.Value] = true
		known, err := p.field(key.Value, value)
		if err != nil {
			var pe *ParseError
			if errors.As(err, &pe) {
				return err
			}
			return p.fail(value.Line+1, "%s: %w", key.Value, err)
		}
		end := len(p.lines)
		if i+2 < len(root.Content) {
			end = root.Content[i+2].Line - 1
		}
		p.keep(key.Line-1, end, !known)
	}
	if root.Content[0].Line > 1 {
		p.m.Unknown = comments(p.lines[:root.Content[0].Line-1]) + p.m.Unknown
	}
	return nil
}

// keep stores what Format cannot derive: the lines of an unknown key, and the
// comment lines below any key.
func (p *parser) keep(from, to int, whole bool) {
	span := p.lines[from:to]
	if !whole {
		p.m.Unknown += comments(span[1:])
		return
	}
	p.m.Unknown += strings.Join(span, "")
}

func comments(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		if strings.HasPrefix(l, "#") {
			b.WriteString(l)
		}
	}
	return b.String()
}

// plainNodes refuses what makes YAML more than data: anchors, aliases and
// tags that name a type.
func (p *parser) plainNodes(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return p.fail(n.Line+1, "YAML anchors and aliases are not allowed")
	}
	if n.Style&yaml.TaggedStyle != 0 {
		return p.fail(n.Line+1, "YAML tags are not allowed")
	}
	for _, c := range n.Content {
		if err := p.plainNodes(c); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) field(key string, v *yaml.Node) (known bool, err error) {
	m := p.m
	switch key {
	case "id":
		m.ID, err = parseScalar(v, ParseID)
	case "type":
		m.Type, err = parseScalar(v, parseExactType)
	case "title":
		m.Title, err = parseScalar(v, parseTitle)
	case "created":
		m.Created, err = parseScalar(v, parseTime)
	case "updated":
		m.Updated, err = parseScalar(v, parseTime)
	case "confidence":
		m.Confidence, err = parseScalar(v, parseConfidence)
	case "priority":
		m.Priority, err = parseScalar(v, parsePriority)
	case "tags":
		m.Tags, err = parseStrings(v)
	case "files":
		m.Files, err = parsePaths(v)
	case "entities":
		m.Entities, err = parseStrings(v)
	case "links":
		err = p.links(v)
	case "anchors":
		err = p.anchors(v)
	case "source":
		err = p.source(v)
	case "pinned":
		m.Pinned, err = parseScalar(v, strconv.ParseBool)
	case "contested":
		m.Contested, err = parseScalar(v, strconv.ParseBool)
	default:
		return false, nil
	}
	return true, err
}

func (p *parser) require() error {
	for _, key := range []string{"id", "type", "title", "created"} {
		if !p.seen[key] {
			return p.fail(1, "the key %q is missing", key)
		}
	}
	if p.m.Priority == 0 {
		p.m.Priority = p.m.Type.Priority()
	}
	return nil
}

func (p *parser) links(v *yaml.Node) error {
	return p.each(v, func(item *yaml.Node) error {
		var l Link
		err := p.keys(item, func(k string, n *yaml.Node) (err error) {
			switch k {
			case "rel":
				l.Rel, err = parseScalar(n, ParseRel)
			case "to":
				l.To, err = parseScalar(n, ParseID)
			default:
				err = fmt.Errorf("unknown key %q in a link (rel and to)", k)
			}
			return err
		})
		if err == nil && (l.Rel == "" || l.To == "") {
			err = errors.New("a link needs rel and to")
		}
		p.m.Links = append(p.m.Links, l)
		return err
	})
}

func (p *parser) anchors(v *yaml.Node) error {
	return p.each(v, func(item *yaml.Node) error {
		var a Anchor
		err := p.keys(item, func(k string, n *yaml.Node) (err error) {
			switch k {
			case "path":
				a.Path, err = parseScalar(n, parsePath)
			case "blob":
				a.Blob, err = parseScalar(n, parseHex)
			default:
				err = fmt.Errorf("unknown key %q in an anchor (path and blob)", k)
			}
			return err
		})
		if err == nil && (a.Path == "" || a.Blob == "") {
			err = errors.New("an anchor needs path and blob")
		}
		p.m.Anchors = append(p.m.Anchors, a)
		return err
	})
}

func (p *parser) source(v *yaml.Node) error {
	s := &p.m.Source
	return p.keys(v, func(k string, n *yaml.Node) (err error) {
		switch k {
		case "agent":
			s.Agent, err = parseScalar(n, parseWord)
		case "session":
			s.Session, err = parseScalar(n, parseWord)
		case "layer":
			s.Layer, err = parseScalar(n, parseWord)
		case "branch":
			s.Branch, err = parseScalar(n, parseWord)
		case "commit":
			s.Commit, err = parseScalar(n, parseHex)
		case "record":
			s.Record, err = parseScalar(n, parseRecord)
		case "ref":
			s.Ref, err = parseScalar(n, parseWord)
		default:
			err = fmt.Errorf("unknown key %q in source", k)
		}
		return err
	})
}

func (p *parser) each(v *yaml.Node, do func(*yaml.Node) error) error {
	if v.Kind != yaml.SequenceNode {
		return errors.New("a list is needed")
	}
	if len(v.Content) > MaxList {
		return fmt.Errorf("%d items is over the limit of %d", len(v.Content), MaxList)
	}
	for _, item := range v.Content {
		if err := do(item); err != nil {
			return p.fail(item.Line+1, "%w", err)
		}
	}
	return nil
}

func (p *parser) keys(v *yaml.Node, do func(string, *yaml.Node) error) error {
	if v.Kind != yaml.MappingNode {
		return errors.New("a {key: value} is needed")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(v.Content); i += 2 {
		k := v.Content[i].Value
		if seen[k] {
			return p.fail(v.Content[i].Line+1, "key %q is there twice", k)
		}
		seen[k] = true
		if err := do(k, v.Content[i+1]); err != nil {
			return p.fail(v.Content[i+1].Line+1, "%s: %w", k, err)
		}
	}
	return nil
}

func parseScalar[T any](v *yaml.Node, parse func(string) (T, error)) (T, error) {
	var zero T
	if v.Kind != yaml.ScalarNode {
		return zero, errors.New("one value is needed, not a list")
	}
	return parse(v.Value)
}

func parseStrings(v *yaml.Node) ([]string, error) {
	return parseList(v, func(s string) (string, error) {
		if s = OneLine(s); s == "" {
			return "", errors.New("an empty item")
		}
		return s, nil
	})
}

func parsePaths(v *yaml.Node) ([]string, error) { return parseList(v, parsePath) }

func parseList(v *yaml.Node, parse func(string) (string, error)) ([]string, error) {
	if v.Kind != yaml.SequenceNode {
		return nil, errors.New("a list [a, b] is needed")
	}
	if len(v.Content) > MaxList {
		return nil, fmt.Errorf("%d items is over the limit of %d", len(v.Content), MaxList)
	}
	out := make([]string, 0, len(v.Content))
	for _, n := range v.Content {
		s, err := parseScalar(n, parse)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func parseExactType(s string) (Type, error) {
	if t := Type(s); t.Valid() {
		return t, nil
	}
	return "", fmt.Errorf("unknown memory type %q (one of %s)", s, typeNames())
}

func parseTitle(s string) (string, error) {
	s = OneLine(s)
	switch {
	case s == "":
		return "", errors.New("the title is empty")
	case len(s) > MaxTitle:
		return "", fmt.Errorf("%d bytes is over the limit of %d", len(s), MaxTitle)
	}
	return s, nil
}

func parseTime(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 0 && t.UTC().Year() <= 9999 && t.UTC().Year() > 0 {
			return t.UTC().Truncate(time.Second), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time (2026-11-20T14:03:11Z)", s)
}

func parseConfidence(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 0 && f <= 1) {
		return 0, fmt.Errorf("%q is not a number from 0 to 1", s)
	}
	return math.Round(f*1000) / 1000, nil
}

func parsePriority(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 10 {
		return 0, fmt.Errorf("%q is not a whole number from 1 to 10", s)
	}
	return n, nil
}

func parseRecord(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a line number", s)
	}
	return n, nil
}

func parseWord(s string) (string, error) { return OneLine(s), nil }

func parseHex(s string) (string, error) {
	if len(s) < 4 || len(s) > 64 || strings.Trim(s, "0123456789abcdef") != "" {
		return "", fmt.Errorf("%q is not an object id (hexadecimal)", s)
	}
	return s, nil
}

func parsePath(s string) (string, error) {
	if !ValidPath(s) {
		return "", fmt.Errorf("%q is not a path inside the repository", s)
	}
	return s, nil
}

// ValidPath reports whether s is a slash-separated path that stays inside the
// repository: relative, clean, no "..", no control characters.
func ValidPath(s string) bool {
	if s == "" || s[0] == '/' || len(s) > 1024 || strings.ContainsAny(s, "\\\x00\n\r\t") || s != OneLine(s) {
		return false
	}
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return false
		}
	}
	return len(s) < 2 || s[1] != ':'
}

// hasFrontmatter reports whether a body opens with another memory's head.
func hasFrontmatter(body []byte) bool {
	body = bytes.TrimLeft(body, "\n")
	if !bytes.HasPrefix(body, []byte("---\n")) {
		return false
	}
	head, _, closed := bytes.Cut(body[4:], []byte("\n---"))
	return closed && (bytes.HasPrefix(head, []byte("id:")) || bytes.Contains(head, []byte("\nid:")))
}

// conflictLine finds the first line of a conflict that git left in the file,
// outside of fenced code; 0 when there is none.
func conflictLine(data []byte) int {
	if !bytes.Contains(data, []byte("<<<<<<< ")) {
		return 0
	}
	start, middle, line, fenced := 0, false, 0, false
	for l := range bytes.Lines(data) {
		line++
		switch {
		case bytes.HasPrefix(l, []byte("```")) && start == 0:
			fenced = !fenced
		case fenced:
		case bytes.HasPrefix(l, []byte("<<<<<<< ")):
			start, middle = line, false
		case start > 0 && bytes.HasPrefix(l, []byte("=======")):
			middle = true
		case middle && bytes.HasPrefix(l, []byte(">>>>>>> ")):
			return start
		}
	}
	return 0
}
