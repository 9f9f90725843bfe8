package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Blocks splits Markdown into blocks. It is a reader of chat messages, not
// of CommonMark: good enough to tell prose from code, and linear in its input.
func Blocks(md string) []Block {
	var out []Block
	fence := ""
	open := false // whether a line may continue the last block
	for line := range strings.Lines(md) {
		line = strings.TrimRight(line, " \t\r\n")
		body := strings.TrimLeft(line, " \t")
		indent := columns(line[:len(line)-len(body)])
		if fence != "" {
			if strings.HasPrefix(body, fence) && strings.Trim(body, fence[:1]) == "" {
				fence = ""
			}
			continue
		}
		if strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~") {
			run := len(body) - len(strings.TrimLeft(body, body[:1]))
			fence, open = body[:run], false
			continue
		}
		b, ok := blockOf(body, indent)
		switch {
		case body == "" || isRule(body):
			open = false
		case body[0] == '>' || body[0] == '|' || isDiagram(body):
			open = false
		case ok:
			out = append(out, b)
			open = b.Kind != Heading
		case open:
			last := &out[len(out)-1]
			if len(last.Text) < 8<<10 {
				last.Text += " " + body
			}
		case indent >= 4 && (len(out) == 0 || out[len(out)-1].Kind != Item):
			// indented code
		case indent >= 2 && len(out) > 0 && out[len(out)-1].Kind == Item:
			last := &out[len(out)-1]
			if len(last.Text) < 8<<10 {
				last.Text += " " + body
			}
			open = true
		default:
			out = append(out, Block{Kind: Paragraph, Text: body})
			open = true
		}
	}
	return out
}

// blockOf reads a line that begins a heading, an item or a bold line.
func blockOf(body string, indent int) (Block, bool) {
	if strings.HasPrefix(body, "#") {
		level := len(body) - len(strings.TrimLeft(body, "#"))
		if level <= 6 && level < len(body) && body[level] == ' ' {
			return Block{Kind: Heading, Level: level, Text: strings.TrimSpace(strings.TrimRight(body[level:], "# "))}, true
		}
	}
	if rest, ok := bullet(body); ok {
		return Block{Kind: Item, Indent: indent, Text: rest}, rest != ""
	}
	if rest, ok := number(body); ok {
		return Block{Kind: Item, Indent: indent, Ordered: true, Text: rest}, rest != ""
	}
	if rest, ok := checkmark(body); ok {
		return Block{Kind: Item, Indent: indent, Text: rest}, rest != ""
	}
	if t := strings.TrimSuffix(strings.TrimSpace(body), ":"); len(t) > 4 && strings.HasPrefix(t, "**") && strings.HasSuffix(t, "**") &&
		strings.Count(t, "**") == 2 && len(t) < 90 && !strings.HasSuffix(t, ".**") {
		return Block{Kind: Heading, Level: 7, Text: strings.TrimSuffix(t[2:len(t)-2], ":")}, true
	}
	return Block{}, false
}

func bullet(s string) (string, bool) {
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "– "} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			rest = strings.TrimSpace(rest)
			for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
				rest = strings.TrimPrefix(rest, box)
			}
			if r, ok := checkmark(rest); ok {
				rest = r
			}
			return rest, true
		}
	}
	return "", false
}

func number(s string) (string, bool) {
	i := 0
	for i < len(s) && i < 3 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 || i+1 >= len(s) || s[i] != '.' && s[i] != ')' || s[i+1] != ' ' {
		return "", false
	}
	return strings.TrimSpace(s[i+2:]), true
}

// checkmark reads a line that begins with a symbol instead of a list marker.
func checkmark(s string) (string, bool) {
	r, size := utf8.DecodeRuneInString(s)
	if r < 0x2190 || !unicode.IsSymbol(r) {
		return "", false
	}
	rest := strings.TrimLeft(s[size:], " \ufe0f")
	return rest, rest != ""
}

func isRule(s string) bool {
	return len(s) >= 3 && strings.Trim(s, "-") == "" || len(s) >= 3 && strings.Trim(s, "*") == "" || len(s) >= 3 && strings.Trim(s, "=") == ""
}

// isDiagram holds for lines drawn with box characters and for lone tags.
func isDiagram(s string) bool {
	if s[0] == '<' && s[len(s)-1] == '>' {
		return true
	}
	n := 0
	for _, r := range s {
		if r >= 0x2500 && r <= 0x257f {
			n++
		}
	}
	return n > 2
}

func columns(s string) int {
	n := 0
	for _, c := range s {
		if c == '\t' {
			n += 4
		} else {
			n++
		}
	}
	return n
}

// SplitLead separates a bold opening from what it introduces:
// "**Name stutter:** the type …" gives "Name stutter" and "the type …".
func SplitLead(s string) (lead, rest string) {
	if !strings.HasPrefix(s, "**") {
		return "", s
	}
	end := strings.Index(s[2:], "**")
	if end < 2 || end > 160 {
		return "", s
	}
	lead, rest = s[2:2+end], s[end+4:]
	// "**Case-insensitive matching will bite users.** …" has a sentence as lead
	rest = strings.TrimLeft(rest, " ")
	for _, sep := range []string{":", "—", "–", "- ", "→"} {
		if r, ok := strings.CutPrefix(rest, sep); ok {
			rest = r
			break
		}
	}
	return strings.TrimSpace(strings.TrimRight(lead, ":.")), strings.TrimSpace(rest)
}

// Plain drops emphasis and link targets, keeps code in its backticks, and
// folds white space.
func Plain(s string) string {
	if strings.Contains(s, "](") {
		s = unlink(s)
	}
	s = strings.ReplaceAll(s, "**", "")
	s = strings.ReplaceAll(s, "__", "")
	var b strings.Builder
	b.Grow(len(s))
	code := false
	prev := rune(' ')
	for i, r := range s {
		switch {
		case r == '`':
			code = !code
		case code:
		case r == '*' && (prev == ' ' || prev == '(' || i+1 == len(s) || strings.IndexByte(" .,;:!?)", s[i+1]) >= 0):
			continue
		case r == 0xfe0f, r > 0x2190 && unicode.IsSymbol(r) && r >= 0x2300, r >= 0x1f000 && r < 0x20000:
			continue
		}
		b.WriteRune(r)
		prev = r
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// unlink reduces [text](target) to text.
func unlink(s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, "](")
		if i < 0 {
			return b.String() + s
		}
		open := strings.LastIndexByte(s[:i], '[')
		end := strings.IndexByte(s[i:], ')')
		if open < 0 || end < 0 {
			b.WriteString(s[:i+2])
			s = s[i+2:]
			continue
		}
		b.WriteString(strings.TrimSuffix(s[:open], "!"))
		b.WriteString(s[open+1 : i])
		s = s[i+end+1:]
	}
}
