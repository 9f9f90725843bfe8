package memory

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Format writes m in the one canonical encoding of FORMAT.md: keys in fixed
// order, defaults left out, lists on one line, unknown keys after the known
// ones as they were, "\n" line ends and one at the end of the file.
//
// What is written is m after [Memory.Tidy], which Parse(Format(m)) equals;
// Format(Parse(x)) is a fixed point. When lists alone make the frontmatter
// larger than [MaxFrontmatter], the longest are cut. Format does not change m.
func Format(m *Memory) []byte {
	t := *m
	t.Tidy()
	b := make([]byte, 0, 768+len(t.Unknown)+len(t.Text))
	b = appendHead(b, &t)
	for len(b)-len(fences) > MaxFrontmatter && t.halveLongest() {
		b = appendHead(b[:0], &t)
	}
	if t.Text != "" {
		b = append(b, t.Text...)
		b = append(b, '\n')
	}
	return b
}

const fences = "---\n---\n"

func appendHead(b []byte, m *Memory) []byte {
	b = append(b, "---\n"...)
	b = appendKey(b, "id", string(m.ID))
	b = appendKey(b, "type", string(m.Type))
	b = appendKey(b, "title", m.Title)
	b = appendTime(b, "created", m.Created)
	b = appendTime(b, "updated", m.Updated)
	if m.Confidence != 1 {
		b = append(b, "confidence: "...)
		b = append(strconv.AppendFloat(b, m.Confidence, 'f', -1, 64), '\n')
	}
	if m.Priority != m.Type.Priority() {
		b = append(b, "priority: "...)
		b = append(strconv.AppendInt(b, int64(m.Priority), 10), '\n')
	}
	b = appendList(b, "tags", m.Tags, appendItem)
	b = appendList(b, "files", m.Files, appendItem)
	b = appendList(b, "entities", m.Entities, appendItem)
	b = appendList(b, "links", m.Links, appendLink)
	b = appendList(b, "anchors", m.Anchors, appendAnchor)
	b = appendSource(b, m.Source)
	if m.Pinned {
		b = append(b, "pinned: true\n"...)
	}
	if m.Contested {
		b = append(b, "contested: true\n"...)
	}
	b = append(b, m.Unknown...)
	return append(b, "---\n"...)
}

func appendKey(b []byte, key, value string) []byte {
	b = append(append(b, key...), ": "...)
	return append(appendScalar(b, value, false), '\n')
}

func appendTime(b []byte, key string, t time.Time) []byte {
	if t.IsZero() {
		return b
	}
	b = append(append(b, key...), ": "...)
	return append(t.AppendFormat(b, time.RFC3339), '\n')
}

func appendList[T any](b []byte, key string, items []T, item func([]byte, T) []byte) []byte {
	for i, v := range items {
		if i == 0 {
			b = append(append(b, key...), ": ["...)
		} else {
			b = append(b, ", "...)
		}
		b = item(b, v)
	}
	if len(items) > 0 {
		b = append(b, "]\n"...)
	}
	return b
}

func appendItem(b []byte, s string) []byte { return appendScalar(b, s, true) }

func appendLink(b []byte, l Link) []byte {
	b = appendItem(append(b, "{rel: "...), string(l.Rel))
	return append(appendItem(append(b, ", to: "...), string(l.To)), '}')
}

func appendAnchor(b []byte, a Anchor) []byte {
	b = appendItem(append(b, "{path: "...), a.Path)
	return append(appendItem(append(b, ", blob: "...), a.Blob), '}')
}

func appendSource(b []byte, s Source) []byte {
	if s == (Source{}) {
		return b
	}
	b = append(b, "source: {"...)
	start := len(b)
	add := func(key, value string) {
		if value == "" {
			return
		}
		if len(b) > start {
			b = append(b, ", "...)
		}
		b = append(append(b, key...), ": "...)
		b = appendItem(b, value)
	}
	add("agent", s.Agent)
	add("session", s.Session)
	add("layer", s.Layer)
	add("branch", s.Branch)
	add("commit", s.Commit)
	if s.Record > 0 {
		if len(b) > start {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(append(b, "record: "...), int64(s.Record), 10)
	}
	add("ref", s.Ref)
	return append(b, "}\n"...)
}

// halveLongest cuts the list that takes most of the frontmatter; false when
// there is nothing left to cut.
func (m *Memory) halveLongest() bool {
	anchors := 0
	for _, a := range m.Anchors {
		anchors += len(a.Path) + len(a.Blob)
	}
	sizes := []int{size(m.Tags), size(m.Files), size(m.Entities), anchors, len(m.Links)}
	switch longest := slices.Max(sizes); {
	case longest == 0:
		return false
	case longest == anchors:
		m.Anchors = m.Anchors[:len(m.Anchors)/2]
	case longest == sizes[0]:
		m.Tags = m.Tags[:len(m.Tags)/2]
	case longest == sizes[1]:
		m.Files = m.Files[:len(m.Files)/2]
	case longest == sizes[2]:
		m.Entities = m.Entities[:len(m.Entities)/2]
	default:
		m.Links = m.Links[:len(m.Links)/2]
	}
	return true
}

func size(items []string) int {
	n := 0
	for _, s := range items {
		n += len(s)
	}
	return n
}

// appendScalar writes s as a YAML scalar on one line: plain where every reader
// of YAML sees the same string, in double quotes otherwise. In a flow context
// ([a, b] or {k: v}) more characters need quotes.
func appendScalar(b []byte, s string, flow bool) []byte {
	if plainSyntax(s, flow) && !resolvesToOther(s) {
		return append(b, s...)
	}
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == ' ' || unicode.IsPrint(r):
			b = append(b, string(r)...)
		case r < 0x80:
			b = appendHex(append(b, `\x`...), r, 2)
		case r <= 0xffff:
			b = appendHex(append(b, `\u`...), r, 4)
		default:
			b = appendHex(append(b, `\U`...), r, 8)
		}
	}
	return append(b, '"')
}

func appendHex(b []byte, r rune, width int) []byte {
	s := strconv.FormatInt(int64(r), 16)
	for range width - len(s) {
		b = append(b, '0')
	}
	return append(b, s...)
}

// plainSyntax reports whether YAML reads s, without quotes, as one scalar
// spelled s. It errs on the side of no.
func plainSyntax(s string, flow bool) bool {
	if s == "" || s[len(s)-1] == ':' || s[len(s)-1] == ' ' {
		return false
	}
	for i, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '/', r == '.', r == '(':
		case i == 0 && (r < 0x80 || !unicode.IsLetter(r)):
			return false
		case r == ':' && (flow || s[i+1] == ' '), r == '#' && (flow || s[i-1] == ' '):
			return false
		case flow && r < 0x80 && strings.IndexByte(",[]{}?&*!|>'\"%@`", byte(r)) >= 0:
			return false
		case !unicode.IsPrint(r) || r == unicode.ReplacementChar:
			return false
		}
	}
	return true
}

// printable reports whether all of s stands for itself between double quotes.
func printable(s string) bool {
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// resolvesToOther reports whether a reader of YAML, of version 1.1 too, would
// see a number, a boolean, null or a date where a plain s stands. It errs on
// the side of yes.
func resolvesToOther(s string) bool {
	if c := s[0]; c == '.' || c >= '0' && c <= '9' {
		s = strings.ToLower(s)
		if len(s) > 1 && s[0] == '0' && strings.IndexByte("xob", s[1]) >= 0 {
			return true
		}
		// Decimals, octals, sexagesimals, exponents, dates and times.
		rest := strings.Trim(s, "0123456789._:-+ tz")
		return rest == "" || rest == "e" || s == ".nan" || s == ".inf"
	}
	if len(s) > 5 {
		return false
	}
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return true
	}
	return false
}
