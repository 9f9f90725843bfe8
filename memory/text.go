package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Clean makes s safe to show: control characters become visible symbols, and
// what a reader cannot see but a terminal or a model can (bidirectional
// overrides, tag characters, zero-width and filler characters, invalid UTF-8)
// is dropped or replaced. Line breaks and tabs stay.
func Clean(s string) string {
	if isPlainASCII(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r < 0x20:
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune('␡')
		case r >= 0x80 && r < 0xa0, r == 0x2028, r == 0x2029:
			b.WriteRune(utf8.RuneError)
		case invisible(r):
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isPlainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < 0x20 && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// invisible holds for characters that change how text reads without being
// seen. U+200D and U+FE0F stay: emoji are made with them.
func invisible(r rune) bool {
	switch {
	case r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0x200b, r == 0x200c, r == 0x200e, r == 0x200f,
		r == 0x061c, r == 0xfeff, r == 0x00ad, r == 0x034f, r == 0x180e, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0,
		r >= 0xfe00 && r < 0xfe0f, r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

// Defang is [Clean] for text that an agent will read: tags that its harness
// gives a meaning (system reminders, command output, tool results) and HTML
// comments lose their opening bracket, so that a memory cannot speak with the
// harness's voice.
func Defang(s string) string {
	s = Clean(s)
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			return b.String() + s
		}
		b.WriteString(s[:i])
		if harnessTag(s[i+1:]) {
			b.WriteString("‹")
		} else {
			b.WriteByte('<')
		}
		s = s[i+1:]
	}
}

func harnessTag(rest string) bool {
	rest = strings.TrimLeft(rest, "/ \t")
	if strings.HasPrefix(rest, "!--") {
		return true
	}
	rest = strings.ToLower(rest[:min(len(rest), 20)])
	for _, tag := range []string{
		"system", "command-", "local-command", "task-notification", "bash-", "ide_", "user-prompt", "user_query",
		"function", "tool_", "tool-", "antml", "assistant", "human", "instructions", "memory", "claude-",
	} {
		if strings.HasPrefix(rest, tag) {
			return true
		}
	}
	return false
}

// Tokens estimates how many tokens a model's tokenizer makes of s: by runs of
// letters, digits, punctuation and spaces, with weights fitted to byte-pair
// vocabularies of 200,000 entries. Good to about a tenth on prose and code.
func Tokens(s string) int {
	n, spaces := 0.0, 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		j := i + size
		class := classOf(r)
		for j < len(s) {
			next, size := utf8.DecodeRuneInString(s[j:])
			if classOf(next) != class {
				break
			}
			j += size
		}
		length := j - i
		switch class {
		case 'a':
			n += wordTokens(length)
		case '0':
			n += float64((length + 2) / 3)
		case ' ':
			spaces = length
			if spaces > 1 {
				n += 0.6
			}
		case '\n':
			n++
		case 'w':
			n += float64(utf8.RuneCountInString(s[i:j])) * 0.8
		default:
			n += 1 + float64(length-1)/3
		}
		i = j
	}
	return int(n + 0.5)
}

// wordTokens: most words of up to eight letters are one token, longer ones
// break about every six.
func wordTokens(letters int) float64 {
	if letters <= 8 {
		return 1.05
	}
	return 1.3 + float64(letters-8)/6
}

func classOf(r rune) byte {
	switch {
	case r == '\n':
		return '\n'
	case r == ' ' || r == '\t':
		return ' '
	case r >= '0' && r <= '9':
		return '0'
	case r < 0x250 && unicode.IsLetter(r):
		return 'a'
	case r >= 0x250:
		return 'w'
	}
	return '.'
}

// plainLimit bounds what is given to the Markdown parser, whose worst case
// on hostile nesting is far from linear.
const plainLimit = 16 << 10

// Plain is the text of a Markdown document as a reader sees it, without
// markup: paragraphs and list items one a line, code as it stands. Text that
// is too long or nested too deeply to parse safely is returned as it is.
func Plain(markdown string) string {
	if len(markdown) > plainLimit || deep(markdown) {
		return Clean(markdown)
	}
	src := []byte(markdown)
	doc := goldmark.DefaultParser().Parse(text.NewReader(src))
	var b strings.Builder
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(src))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.AutoLink:
			if entering {
				b.Write(n.Label(src))
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering {
				for i := range n.Lines().Len() {
					seg := n.Lines().At(i)
					b.Write(seg.Value(src))
				}
			}
		default:
			if !entering && n.Type() == ast.TypeBlock && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
		}
		return ast.WalkContinue, nil
	})
	return Clean(strings.TrimRight(b.String(), "\n"))
}

// deep reports nesting that no person writes: a line whose indentation and
// quote or list markers run past 40 characters, or brackets past 100.
func deep(s string) bool {
	open := 0
	for line := range strings.Lines(s) {
		if len(line)-len(strings.TrimLeft(line, " \t>*-+0123456789.")) > 40 {
			return true
		}
	}
	for i := range len(s) {
		switch s[i] {
		case '[', '*', '_', '`', '<', '(', '!':
			open++
		}
	}
	return open > 100 && open > len(s)/8
}
