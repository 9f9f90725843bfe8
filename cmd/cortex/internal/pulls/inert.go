package pulls

import (
	"cmp"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/memory"
)

// unseen keeps a host from seeing a mention, a reference or an address in two parts
// of a text. It is written as an entity, so that whoever reads the source sees it.
const unseen = "&#8203;"

// inert is a line as it may stand in Markdown of ours: it looks as it is written and
// does nothing. HTML, links, images, emphasis, mathematics and tables are characters;
// a mention of a person, a reference to an issue and an address are no links; nothing
// at its start is a command of GitLab's or begins a block. Simple code spans stay.
func inert(s string) string {
	s = memory.OneLine(memory.Defang(s))
	var b strings.Builder
	for s != "" {
		before, code, after, found := cutCode(s)
		escape(&b, before)
		if found {
			b.WriteString("`" + code + "`")
		}
		s = after
	}
	return guarded(b.String())
}

// cutCode cuts a line at its first code span that stands between single backticks.
func cutCode(s string) (before, code, after string, found bool) {
	for at := 0; at < len(s); {
		start := strings.IndexByte(s[at:], '`')
		if start < 0 {
			break
		}
		start += at
		run := 1
		for start+run < len(s) && s[start+run] == '`' {
			run++
		}
		at = start + run
		if run > 1 {
			continue
		}
		end := strings.IndexByte(s[at:], '`')
		if end < 1 || strings.HasPrefix(s[at+end+1:], "`") || strings.TrimSpace(s[at:at+end]) == "" {
			continue
		}
		return s[:start], s[at : at+end], s[at+end+1:], true
	}
	return s, "", "", false
}

// escape writes text that has no code spans.
func escape(b *strings.Builder, s string) {
	for i, r := range s {
		shown, behind := cmp.Or(replaced()[r], string(r)), ""
		switch r {
		case ':':
			if strings.HasPrefix(s[i+1:], "//") {
				behind = unseen
			}
		case '.', '-':
			if opensReference(s[:i], r) {
				shown = unseen + shown
			}
		case '@', '#', '!', '%', '~':
			behind = unseen
		}
		b.WriteString(shown + behind)
	}
}

// replaced says what stands for a character that means something to Markdown or HTML.
var replaced = lazy.Value(func() map[rune]string {
	out := map[rune]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '$': "&#36;"}
	for _, r := range "\\`*_{}[]()|^=~!" {
		out[r] = "\\" + string(r)
	}
	return out
})

// opensReference reports whether a host makes a link of "www." or of "GH-1" with this mark behind it.
func opensReference(before string, mark rune) bool {
	word := map[rune]string{'.': "www", '-': "gh"}[mark]
	return strings.HasSuffix(strings.ToLower(before), word)
}

// guarded is an escaped line that begins no block and is no command.
func guarded(s string) string {
	if s == "" {
		return s
	}
	switch s[0] {
	case '/':
		return "&#47;" + s[1:]
	case '-', '+':
		return "\\" + s
	}
	rest := strings.TrimLeft(s, "0123456789")
	if len(rest) < len(s) && strings.HasPrefix(rest, ".") {
		return s[:len(s)-len(rest)] + "\\" + rest
	}
	return s
}

// code is a code span of s, whatever is in it.
func code(s string) string {
	s = memory.OneLine(memory.Defang(s))
	if s == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// longestRun is the length of the longest run of backticks in s.
func longestRun(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// quoted is the text of a memory as a quotation: its paragraphs, its lists and its
// code stay what they are, everything else in it is inert.
func quoted(text string) string {
	var b strings.Builder
	var block []string // lines of the code that is open
	open := ""         // what its fence is made of
	line := func(s string) {
		b.WriteString(strings.TrimRight("> "+s, " ") + "\n")
	}
	flush := func() {
		fence := strings.Repeat("`", max(3, longestRun(strings.Join(block, "\n"))+1))
		line(fence)
		for _, l := range block {
			line(l)
		}
		line(fence)
		block, open = nil, ""
	}
	for raw := range strings.SplitSeq(memory.Defang(text), "\n") {
		trimmed := strings.TrimSpace(raw)
		switch {
		case open != "" && strings.HasPrefix(trimmed, open):
			flush()
		case open != "":
			block = append(block, raw)
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			open = trimmed[:3]
		default:
			line(item(raw))
		}
	}
	if open != "" {
		flush()
	}
	return b.String()
}

// item is a line outside of code: an item of a list keeps its mark and its depth.
func item(raw string) string {
	text := strings.TrimLeft(raw, " \t")
	if len(text) > 1 && strings.ContainsRune("-*+", rune(text[0])) && text[1] == ' ' &&
		strings.Trim(text, "-*+ ") != "" {
		depth := min(len(raw)-len(text), 8) / 2
		return strings.Repeat("  ", depth) + "- " + inert(text[2:])
	}
	return inert(text)
}
