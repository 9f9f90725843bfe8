package recall

import (
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// Bounds of the line that a memory is said in, in bytes.
const (
	lineSize  = 600 // at a prompt, a search and a question, and where a call failed
	callSize  = 320 // before a call
	shortSize = 120 // where it was said before
	saidLimit = 24  // sentences of a memory that are kept
	saidSize  = 900 // of one
)

// sentences are the title and the sentences of a memory, each on one line, none
// twice.
func sentences(m *memory.Memory) []string {
	var out []string
	add := func(s string) {
		if s = memory.OneLine(memory.Clean(s)); s != "" && len(out) < saidLimit {
			out = append(out, cutLine(s, saidSize))
		}
	}
	fenced := false
	for line := range strings.Lines(m.Text) {
		line = strings.TrimSpace(line)
		switch rest := strings.TrimLeft(line, "-*#> "); {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced:
			add(rest)
		default:
			for rest != "" {
				i := sentenceEnd(rest)
				add(rest[:i])
				rest = strings.TrimSpace(rest[i:])
			}
		}
	}
	lead := strings.TrimRight(m.Title[:min(len(m.Title), 40)], "… ")
	if !strings.Contains(strings.Join(out, " "), lead) {
		out = append([]string{memory.OneLine(memory.Clean(m.Title))}, out[:min(len(out), saidLimit-1)]...)
	}
	return out
}

// shortSentence is the byte up to which a mark ends no sentence.
const shortSentence = 25

// sentenceEnd is where the first sentence of a line ends.
func sentenceEnd(line string) int {
	for i := shortSentence; i < len(line); i++ {
		if endsSentence(line[i:]) {
			return i + 1
		}
	}
	return len(line)
}

// endsSentence reports whether a text begins with a mark that ends a sentence. Behind a
// full stop a small letter goes on with it.
func endsSentence(text string) bool {
	if len(text) < 3 || text[1] != ' ' {
		return false
	}
	switch text[0] {
	case '.', '!', '?':
		return strings.IndexByte("abcdefghijklmnopqrstuvwxyz", text[2]) < 0
	case ';':
		return true
	}
	return false
}

// lineOf puts a memory into one line, from its beginning: what it says first is
// what it is about. Choosing the sentences that share most with the moment held what
// was needed less often.
func lineOf(said []string, size int) string { return cutLine(joined(said), size) }

// joined are sentences in one line, each with its full stop.
func joined(said []string) string {
	var b strings.Builder
	for i, s := range said {
		if i > 0 {
			if last := said[i-1]; !strings.ContainsRune(".!?:;…,", rune(last[len(last)-1])) {
				b.WriteByte('.')
			}
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return b.String()
}

// cutLine is the beginning of a sentence, up to a word.
func cutLine(s string, size int) string {
	if len(s) <= size {
		return s
	}
	cut := strings.ToValidUTF8(s[:size-4], "")
	return cut[:max(strings.LastIndexByte(cut, ' '), size/2)] + " …"
}
