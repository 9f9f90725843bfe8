package projection

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/memory"
)

// inline makes user text safe inside one line of a page: one line, nothing
// invisible, no HTML, no stray backtick. Code spans stay as they are.
func inline(s string) string {
	return escapeOutsideCode(memory.OneLine(memory.Defang(s)), "[]")
}

// quoted returns a body as a block quote, from which nothing escapes: an
// unclosed fence or list ends with the quote, and none of its lines can be taken
// for a record. Headings become bold lines, HTML is shown as text.
//
// Lines are rewritten by hand, because goldmark parses Markdown but cannot write
// it back as it was, and a page should keep the spelling of the memory. Code is
// recognised line by line too, sometimes wrongly, above all in lists. So goldmark
// checks the result: if it finds HTML, the body is quoted without any code.
func quoted(s string) string {
	s = memory.Defang(strings.ReplaceAll(s, "\r", ""))
	quote := quoteLines(s)
	if strings.ContainsRune(quote, '<') && memory.HasHTML(quote) {
		return quoteText(s)
	}
	return quote
}

func quoteLines(s string) string {
	var b strings.Builder
	var fence string // the opening run of the code block we are in
	var last string  // the line before
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\n")
		trimmed := strings.TrimLeft(line, " ")
		run := fenceRun(trimmed)
		switch {
		case fence == "" && run != "":
			fence = run
		case fence != "":
			if strings.HasPrefix(run, fence) && strings.TrimSpace(strings.TrimLeft(trimmed, run[:1])) == "" {
				fence = ""
			}
		default:
			if last != "" {
				b.WriteString(breakBefore(line))
			}
			line = escapeOutsideCode(demoted(line, trimmed), "")
		}
		writeQuoted(&b, line)
		last = line
	}
	return b.String()
}

// breakBefore returns the end of a paragraph before a line that names what it says, as in
// "Answer: yes": hosts would show it as part of the line before.
func breakBefore(line string) string {
	label, _, named := strings.Cut(line, ": ")
	first, _ := utf8.DecodeRuneInString(label)
	if !named || !unicode.IsUpper(first) || strings.ContainsAny(label, ".,;`*") {
		return ""
	}
	return ">\n"
}

// quoteText quotes a body without code, so that it can escape all HTML.
func quoteText(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\n")
		line = escapeAll(demoted(line, strings.TrimLeft(line, " ")))
		writeQuoted(&b, line)
	}
	return b.String()
}

func writeQuoted(b *strings.Builder, line string) {
	b.WriteString(strings.TrimRight("> "+line, " "))
	b.WriteByte('\n')
}

// escapeAll escapes all characters that open HTML or code.
func escapeAll(line string) string {
	return strings.NewReplacer("<", "&lt;", "`", "\\`", "~", `\~`).Replace(line)
}

// fenceRun returns the backticks or tildes that open or close a code block at
// the beginning of a line, or "".
func fenceRun(line string) string {
	for _, mark := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, mark)
		if run := line[:len(line)-len(rest)]; len(run) >= 3 && (mark == "~" || !strings.Contains(rest, mark)) {
			return run
		}
	}
	return ""
}

// demoted turns a heading into a bold line, and escapes a line of "=" or "-",
// which would make a heading of the line above.
func demoted(line, trimmed string) string {
	if len(line)-len(trimmed) > 3 {
		return line
	}
	if text, ok := headingText(trimmed); ok {
		if text == "" {
			return ""
		}
		return "**" + text + "**"
	}
	if isUnderline(trimmed) {
		return `\` + strings.TrimRight(trimmed, " \t")
	}
	return line
}

// headingText is the text of a heading, which begins with "#" to "######".
func headingText(line string) (text string, ok bool) {
	rest := strings.TrimLeft(line, "#")
	if level := len(line) - len(rest); level < 1 || level > 6 {
		return "", false
	}
	return strings.Trim(rest, " \t#"), rest == "" || strings.ContainsAny(rest[:1], " \t")
}

// isUnderline reports whether a line makes a heading of the one above.
func isUnderline(line string) bool {
	line = strings.TrimRight(line, " \t")
	return line != "" && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

// escapeOutsideCode escapes HTML, unpaired backticks and the characters of
// special in one line of Markdown, outside its code spans.
func escapeOutsideCode(line, special string) string {
	if !strings.ContainsAny(line, "<`"+special) {
		return line
	}
	var b strings.Builder
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && line[i+1] < utf8.RuneSelf:
			b.WriteString(line[i : i+2])
			i += 2
		case c == '`':
			n := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
			if end := closingRun(line[i+n:], n); end >= 0 {
				b.WriteString(line[i : i+n+end+n])
				i += n + end + n
				continue
			}
			b.WriteString(strings.Repeat("\\`", n))
			i += n
		case c == '<' && opensHTML(line[i+1:]):
			b.WriteString("&lt;")
			i++
		case strings.IndexByte(special, c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// closingRun finds a run of exactly n backticks in s, -1 when there is none.
func closingRun(s string, n int) int {
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if run == n {
			return i
		}
		i += run
	}
	return -1
}

func opensHTML(rest string) bool {
	if rest == "" || strings.HasPrefix(rest, "http://") || strings.HasPrefix(rest, "https://") {
		return false
	}
	return strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/!?", rune(rest[0]))
}

func codeSpans(all []string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = codeSpan(s)
	}
	return out
}

// codeSpan returns s as inline code, whatever backticks it contains; "" if s is
// empty.
func codeSpan(s string) string {
	if s = memory.OneLine(memory.Defang(s)); s == "" {
		return ""
	}
	ticks := "`"
	for strings.Contains(s, ticks) {
		ticks += "`"
	}
	if len(ticks) > 1 {
		return ticks + " " + s + " " + ticks
	}
	return ticks + s + ticks
}
