package memory

import (
	"strconv"
	"strings"
	"unicode"
)

// Format writes m in the one canonical encoding of FORMAT.md: keys in fixed
// order, defaults left out, lists on one line, unknown keys after the known
// ones as they were, "\n" line ends and one at the end of the file.
//
// Format writes m as [Memory.Tidy] would leave it, and Parse(Format(m)) equals
// that. Formatting a parsed file again gives the same bytes. If the frontmatter
// is larger than [MaxFrontmatter], the longest lists are cut. Format does not
// change m.
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
	for _, f := range Fields() {
		b = f.value.append(b, f.Key, m)
	}
	b = append(b, m.Unknown...)
	return append(b, "---\n"...)
}

// shrinker is a value of variable length, which can be cut.
type shrinker interface {
	size(m *Memory) int
	halve(m *Memory)
}

func appendText[T ~string](b []byte, s T) []byte { return appendScalar(b, string(s), false) }

func appendConfidence(b []byte, f float64) []byte { return strconv.AppendFloat(b, f, 'f', -1, 64) }

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

func appendItem(b []byte, s string) []byte { return appendScalar(b, s, true) }

func appendLink(b []byte, l Link) []byte {
	b = appendItem(append(b, "{rel: "...), string(l.Rel))
	return append(appendItem(append(b, ", to: "...), string(l.To)), '}')
}

func appendAnchor(b []byte, a Anchor) []byte {
	b = appendItem(append(b, "{path: "...), a.Path)
	return append(appendItem(append(b, ", blob: "...), a.Blob), '}')
}

// halveLongest halves the longest list; false when all lists are empty. Of
// lists of the same length it takes the anchors, which can be computed again,
// or else the first.
func (m *Memory) halveLongest() bool {
	var cut shrinker
	longest := 0
	for _, f := range Fields() {
		l, ok := f.value.(shrinker)
		if !ok {
			continue
		}
		if n := l.size(m); n > longest || n == longest && n > 0 && f.Key == "anchors" {
			cut, longest = l, n
		}
	}
	if longest > 0 {
		cut.halve(m)
	}
	return longest > 0
}

// appendScalar appends s as a YAML scalar on one line: plain if every YAML
// reader reads the same string, otherwise in double quotes. In a flow context
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

// plainSyntax reports whether YAML reads s without quotes as one scalar with
// the text s. When in doubt it returns false.
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

// printable reports whether s needs no escapes between double quotes, other
// than for quotes and backslashes.
func printable(s string) bool {
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// resolvesToOther reports whether a YAML reader, of version 1.1 or 1.2, reads a
// plain s as a number, a boolean, null or a date. When in doubt it returns
// true.
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
