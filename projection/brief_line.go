package projection

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// Lengths of a memory in one line, in characters.
const (
	titleLength = 160
	shortLength = 220 // title and text together
	longLength  = 320 // the same for decisions
)

// wording is how a section shows its memories.
type wording struct {
	label  bool // begin with the type even of decisions
	bare   bool // never begin with the type
	title  bool // without the text
	plain  bool // without where it comes from and how sure it is
	remedy bool // of the text, only what works instead
	length int
}

// evidence returns an item as one line: confidence, origin, text and warnings. m
// is its memory with the text.
func (p *packer) evidence(it Item, m *memory.Memory, how wording) string {
	var b strings.Builder
	b.WriteString("- ")
	b.WriteString(how.source(it))
	if !how.bare && (how.label || m.Type != memory.Decision) {
		b.WriteString(string(m.Type) + ": ")
	}
	switch {
	case m.Outside():
		b.WriteString(p.line(m.QuoteWithin(p.say(m, how.length), how.length)))
	case how.remedy:
		b.WriteString(p.say(remedyOf(m), how.length))
	case how.title:
		b.WriteString(memory.Cut(p.line(m.Title), titleLength))
	default:
		b.WriteString(p.say(m, how.length))
	}
	if m.Type == memory.Plan {
		if _, steps := parseSteps(m.Text); len(steps) > 0 {
			f := cmp.Or(p.plans[m.ID], &folded{steps: steps}) // the first has what other memories say of its steps
			b.WriteString(" (" + f.progress() + ")")
		}
	}
	for _, flag := range flags(it) {
		b.WriteString(" [" + flag + "]")
	}
	b.WriteString(" (" + m.ID.Short() + ")")
	return b.String()
}

// source says how sure an item is and where it comes from.
func (how *wording) source(it Item) string {
	if how.plain {
		return ""
	}
	out := Confidence(it.Effective) + " "
	if from := origin(it); from != "" {
		out += "[" + from + "] "
	}
	return out
}

// remedyOf is a recipe with nothing but what works as its text.
func remedyOf(m *memory.Memory) *memory.Memory {
	out := *m
	if _, works, ok := strings.Cut(m.Text, memory.WorksMark); ok {
		out.Text = memory.WorksMark + works
	}
	return &out
}

// origin is the session and the commit from which a memory comes, and its stage
// unless it has landed.
func origin(it Item) string {
	var parts []string
	if it.Session > 0 {
		parts = append(parts, "s"+strconv.Itoa(it.Session))
	}
	if c := it.Memory.Source.Commit; c != "" {
		parts = append(parts, word(shortCommit(c)))
	}
	if !slices.Contains([]string{"", "landed"}, it.Stage) {
		parts = append(parts, word(it.Stage))
	}
	return strings.Join(parts, " ")
}

// word keeps letters, digits and dashes of s.
func word(s string) string {
	const kept = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(kept, r) {
			return r
		}
		return -1
	}, s)
}

// flags are the warnings for an item. A memory that has lost half of its
// original confidence counts as possibly outdated.
func flags(it Item) []string {
	var out []string
	switch it.Status {
	case memory.StatusContested:
		out = append(out, "CONTESTED")
	case memory.StatusSuperseded:
		out = append(out, "SUPERSEDED")
	}
	if it.Stale {
		out = append(out, "CODE CHANGED")
	}
	if it.Outdated || it.Effective < it.Memory.Confidence/2 {
		out = append(out, "POSSIBLY OUTDATED")
	}
	return out
}

// say returns title and text of m in one line of at most length characters,
// without the words that are in both.
func (p *packer) say(m *memory.Memory, length int) string {
	title, body := p.line(m.Title), m.Text
	if m.Type == memory.Plan {
		body, _ = parseSteps(body)
	}
	text := p.line(flat(limitBytes(body, 4*length)))
	// In a question with its answer, the title has the question.
	if _, answer, ok := strings.Cut(text, " Answer: "); ok && strings.HasPrefix(text, "Question: ") {
		text = answer
	}
	switch {
	case text == "" || within(title, text):
		return memory.Cut(title, length)
	case within(text, title):
		return memory.Cut(text, length)
	}
	said := false
	if title, text, said = withoutRepeat(title, text); said {
		return memory.Cut(title+text, length)
	}
	title = memory.Cut(title, min(titleLength, length))
	left := length - utf8.RuneCountInString(title) - 2
	if text == "" || left < 20 {
		return title
	}
	if !endsIn(title, ".!?:…") {
		title += "."
	}
	return title + " " + memory.Cut(text, left)
}

// withoutRepeat takes from a text the words with which it repeats a title of the form
// "Label: words". It reports whether the text goes on where a title was cut off: then the
// title is its label alone.
func withoutRepeat(title, text string) (_, _ string, joined bool) {
	for at := 0; ; {
		i := strings.Index(title[at:], ": ")
		if i < 0 {
			return title, text, false
		}
		at += i + len(": ")
		rest, ok := cutPrefixFold(text, stem(title[at:]))
		if !ok {
			continue
		}
		if strings.HasSuffix(title, "…") {
			return title[:at], text, true
		}
		return title, strings.TrimLeft(rest, " .,;:–—-"), false
	}
}

// endsIn reports whether the last character of a text is one of these.
func endsIn(s, signs string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(signs, r)
}

// within reports whether part is contained in all, regardless of letter case
// and final punctuation.
func within(all, part string) bool {
	return strings.Contains(strings.ToLower(all), strings.ToLower(stem(part)))
}

func stem(s string) string { return strings.TrimRight(s, " .…!?") }

func cutPrefixFold(s, prefix string) (string, bool) {
	if prefix == "" || len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// flat returns Markdown as running text: without block markers, with a full
// stop after each block, code spans unchanged.
func flat(markdown string) string {
	if !strings.ContainsAny(markdown, "\n*#>") {
		return markdown
	}
	var blocks []string
	at := &strings.Builder{} // the block that lines are added to
	end := func() {
		if at.Len() > 0 {
			blocks = append(blocks, at.String())
			at = &strings.Builder{}
		}
	}
	for line := range strings.Lines(markdown) {
		bare := strings.TrimSpace(line)
		text := strings.TrimSpace(strings.ReplaceAll(unmarked(bare), "**", ""))
		if text == "" || len(text) != len(bare) { // it begins a block, or ends one
			end()
		}
		if text != "" && fenceRun(text) == "" {
			at.WriteString(" " + text)
		}
	}
	end()
	for i, block := range blocks[:max(0, len(blocks)-1)] {
		if !endsIn(block, ".!?:;,…") {
			blocks[i] += "."
		}
	}
	return strings.TrimPrefix(strings.Join(blocks, ""), " ")
}

// unmarked returns a line without the markers of quotes, headings and list
// items.
func unmarked(line string) string {
	for {
		rest := strings.TrimLeft(line, ">#")
		for _, marker := range []string{"- ", "* ", "+ "} {
			rest = strings.TrimPrefix(rest, marker)
		}
		rest = strings.TrimSpace(rest)
		if rest == line {
			return line
		}
		line = rest
	}
}

// line makes one line of text from a memory, safe inside of the fence.
func (p *packer) line(s string) string {
	return memory.OneLine(p.fence.Text(s))
}

// session is the line above the memories of one session.
func (p *packer) session(s Session) string {
	if s.Number <= 0 {
		return "Outside a session:"
	}
	parts := []string{"s" + strconv.Itoa(s.Number)}
	if !s.Ended.IsZero() {
		parts = append(parts, s.Ended.UTC().Format(time.DateOnly))
	}
	if !p.door {
		parts = append(parts, memory.Cut(p.line(s.Agent), 30))
	}
	if s.Branch != "" && s.Branch != p.branch {
		parts = append(parts, "on "+memory.Cut(p.line(s.Branch), 60))
	}
	parts = lists.Without(parts, func(part string) bool { return part == "" })
	return strings.TrimRight(strings.Join(parts, ", ")+": "+memory.Cut(p.line(s.Title), titleLength), " ")
}
