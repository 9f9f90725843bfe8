package memory

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Format writes m in the one canonical encoding of FORMAT.md: keys in fixed
// order, defaults left out, lists on one line, unknown keys after the known
// ones as they were, "\n" line ends and one at the end of the file.
// Parse(Format(m)) equals m, and Format(Parse(x)) is a fixed point.
func Format(m *Memory) []byte {
	var w writer
	w.WriteString("---\n")
	w.key("id", string(m.ID))
	w.key("type", string(m.Type))
	w.key("title", quote(m.Title, false))
	w.key("created", formatTime(m.Created))
	if !m.Updated.IsZero() {
		w.key("updated", formatTime(m.Updated))
	}
	if m.Confidence != 1 {
		w.key("confidence", formatFloat(m.Confidence))
	}
	if m.Priority != 0 && m.Priority != m.Type.Priority() {
		w.key("priority", strconv.Itoa(m.Priority))
	}
	w.list("tags", m.Tags)
	w.list("files", m.Files)
	w.list("entities", m.Entities)
	w.links(m.Links)
	w.anchors(m.Anchors)
	w.source(m.Source)
	if m.Pinned {
		w.key("pinned", "true")
	}
	if m.Contested {
		w.key("contested", "true")
	}
	w.WriteString(m.Unknown)
	w.WriteString("---\n")
	if m.Text != "" {
		w.WriteString(m.Text)
		w.WriteByte('\n')
	}
	return []byte(w.String())
}

type writer struct{ strings.Builder }

func (w *writer) key(name, value string) {
	w.WriteString(name)
	w.WriteString(": ")
	w.WriteString(value)
	w.WriteByte('\n')
}

func (w *writer) list(name string, items []string) {
	if len(items) == 0 {
		return
	}
	quoted := make([]string, len(items))
	for i, s := range items {
		quoted[i] = quote(s, true)
	}
	w.key(name, "["+strings.Join(quoted, ", ")+"]")
}

func (w *writer) links(links []Link) {
	if len(links) == 0 {
		return
	}
	items := make([]string, len(links))
	for i, l := range links {
		items[i] = "{rel: " + string(l.Rel) + ", to: " + quote(string(l.To), true) + "}"
	}
	w.key("links", "["+strings.Join(items, ", ")+"]")
}

func (w *writer) anchors(anchors []Anchor) {
	if len(anchors) == 0 {
		return
	}
	items := make([]string, len(anchors))
	for i, a := range anchors {
		items[i] = "{path: " + quote(a.Path, true) + ", blob: " + quote(a.Blob, true) + "}"
	}
	w.key("anchors", "["+strings.Join(items, ", ")+"]")
}

func (w *writer) source(s Source) {
	var items []string
	add := func(key, value string) {
		if value != "" {
			items = append(items, key+": "+quote(value, true))
		}
	}
	add("agent", s.Agent)
	add("session", s.Session)
	add("layer", s.Layer)
	add("branch", s.Branch)
	add("commit", s.Commit)
	if s.Record > 0 {
		items = append(items, "record: "+strconv.Itoa(s.Record))
	}
	add("ref", s.Ref)
	if len(items) > 0 {
		w.key("source", "{"+strings.Join(items, ", ")+"}")
	}
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func formatFloat(f float64) string {
	return strconv.FormatFloat(math.Round(f*1000)/1000, 'f', -1, 64)
}

// quote writes s as a YAML scalar on one line: plain where every reader of
// YAML sees the same string, in double quotes otherwise. In a flow context
// ([a, b] or {k: v}) more characters need quotes.
func quote(s string, flow bool) string {
	if plain(s, flow) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			b.WriteString(`\x` + hex(r, 2))
		case !unicode.IsPrint(r) && r <= 0xffff:
			b.WriteString(`\u` + hex(r, 4))
		case !unicode.IsPrint(r):
			b.WriteString(`\U` + hex(r, 8))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func hex(r rune, width int) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", width-len(s)) + s
}

func plain(s string, flow bool) bool {
	if s == "" || !utf8.ValidString(s) || resolvesToOther(s) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsLetter(first) && !unicode.IsDigit(first) && first != '_' && first != '/' && first != '.' && first != '(' {
		return false
	}
	if strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":") || strings.HasSuffix(s, " ") {
		return false
	}
	if flow && strings.ContainsAny(s, ",[]{}:#?&*!|>'\"%@`") {
		return false
	}
	for _, r := range s {
		if r != ' ' && !unicode.IsPrint(r) || r == unicode.ReplacementChar || r == 0x85 || r == 0x2028 || r == 0x2029 {
			return false
		}
	}
	return true
}

// resolvesToOther reports whether YAML readers would see a number, a boolean,
// null or a date where a plain s stands. It errs on the side of yes.
func resolvesToOther(s string) bool {
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n", ".nan", ".inf":
		return true
	}
	c := s[0]
	if c != '.' && (c < '0' || c > '9') {
		return false
	}
	// Ids, hashes and versions begin with digits; anything that could be a
	// number in any YAML (sexagesimal, octal, exponent) or a date is quoted.
	return strings.Trim(s, "0123456789._:-+eExXoOabcdefABCDEFTZtz ") == ""
}
