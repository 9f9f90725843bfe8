package memory

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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

func appendText[T ~string](b []byte, s T) []byte { return appendScalar(b, string(s), "") }

func appendConfidence(b []byte, f float64) []byte { return strconv.AppendFloat(b, f, 'f', -1, 64) }

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

func appendItem(b []byte, s string) []byte { return appendScalar(b, s, flowSigns) }

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
		n := 2 * l.size(m)
		if n > 0 && f.Key == "anchors" {
			n++ // before others of this length
		}
		if n > longest {
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
// ([a, b] or {k: v}) the characters of [flowSigns] need quotes too.
func appendScalar(b []byte, s, signs string) []byte {
	if plainSyntax(s, signs) && !resolvesToOther(s) {
		return append(b, s...)
	}
	b = append(b, '"')
	for _, r := range s {
		b = appendQuoted(b, r)
	}
	return append(b, '"')
}

// appendQuoted appends a character as it stands in double quotes.
func appendQuoted(b []byte, r rune) []byte {
	switch {
	case r == '"', r == '\\':
		return append(b, '\\', byte(r))
	case unicode.IsPrint(r):
		return utf8.AppendRune(b, r)
	case r < 0x80:
		return appendHex(append(b, `\x`...), r, 2)
	case r <= 0xffff:
		return appendHex(append(b, `\u`...), r, 4)
	}
	return appendHex(append(b, `\U`...), r, 8)
}

func appendHex(b []byte, r rune, width int) []byte {
	s := strconv.FormatInt(int64(r), 16)
	for range width - len(s) {
		b = append(b, '0')
	}
	return append(b, s...)
}

// flowSigns need quotes inside of brackets.
const flowSigns = ",[]{}:#?&*!|>'\"%@`"

// plainSyntax reports whether YAML reads s without quotes as one scalar with
// the text s, where signs need quotes. When in doubt it returns false.
func plainSyntax(s, signs string) bool {
	if !startsPlain(s) || endsPlain(s) || strings.ContainsAny(s, signs) {
		return false
	}
	return printable(s) && !strings.ContainsRune(s, unicode.ReplacementChar)
}

// endsPlain reports whether a scalar without quotes would end within s or at its end: at a
// colon, a comment or a space.
func endsPlain(s string) bool {
	last := s[len(s)-1]
	return last == ':' || last == ' ' || strings.Contains(s, ": ") || strings.Contains(s, " #")
}

// startsPlain reports whether a scalar without quotes may begin as s does.
func startsPlain(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	if r >= utf8.RuneSelf { // also for no text
		return unicode.IsLetter(r)
	}
	return strings.ContainsRune(lowerLetters+upperLetters+decimals+"_/.(", r)
}

// printable reports whether s needs no escapes between double quotes, other
// than for quotes and backslashes.
func printable(s string) bool {
	return Printable(s) || !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// resolvesToOther reports whether a YAML reader, of version 1.1 or 1.2, reads a
// plain s as a number, a boolean, null or a date. When in doubt it returns
// true.
func resolvesToOther(s string) bool {
	if strings.IndexByte(decimals+".", s[0]) >= 0 {
		return isNumberLike(strings.ToLower(s))
	}
	words := []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}
	return len(s) <= 5 && slices.Contains(words, strings.ToLower(s))
}

// isNumberLike reports whether a text that begins with a digit or a dot may be a number, a
// date or a time.
func isNumberLike(s string) bool {
	switch {
	case s == ".nan", s == ".inf",
		strings.HasPrefix(s, "0x"), strings.HasPrefix(s, "0o"), strings.HasPrefix(s, "0b"):
		return true
	}
	// Decimals, octals, sexagesimals, exponents, dates and times.
	rest := strings.Trim(s, "0123456789._:-+ tz")
	return rest == "" || rest == "e"
}
