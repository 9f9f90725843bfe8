// Package snippet cuts the passage out of a text that shows why it was found. Call [Cut].
package snippet

import (
	"strings"
	"unicode/utf8"

	"github.com/git-cortex/cortex/index/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// Snippet is the passage that shows why a memory was found, on one line.
type Snippet struct {
	Text  string `json:"text"`
	Marks []Span `json:"marks"` // matched words, in order, not overlapping
}

// Span is a range of bytes.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Width is the number of characters of a snippet by default.
const Width = 160

// maxSnippetText is how much of a text is searched for the best passage.
const maxSnippetText = 64 << 10

// Cut cuts the passage of a text of at most width characters that holds the most different
// marked words, as the analyser makes them, the earliest of several. Without a match it
// is the beginning.
func Cut(a *words.Analyser, text string, marks map[string]bool, width int) Snippet {
	if len(text) > maxSnippetText {
		text = strings.ToValidUTF8(text[:maxSnippetText], "")
	}
	line := memory.OneLine(memory.Clean(memory.Plain(text)))
	var hits []words.Token
	for _, t := range a.Analyse(line) {
		if marks[t.Stem] && t.Stem != "" || t.Stem == "" && marks[t.Term] {
			hits = append(hits, t)
		}
	}
	start, end := passage(line, bestWindow(hits, width), width)
	s := Snippet{Text: line[start:end], Marks: []Span{}}
	if start > 0 {
		s.Text = "…" + s.Text
	}
	if end < len(line) {
		s.Text += "…"
	}
	shift := start
	if start > 0 {
		shift -= len("…")
	}
	last := 0
	for _, t := range hits {
		if t.Start >= start && t.End <= end && t.Start-shift >= last {
			s.Marks = append(s.Marks, Span{t.Start - shift, t.End - shift})
			last = t.End - shift
		}
	}
	return s
}

// bestWindow is where the passage's first matched word begins.
func bestWindow(hits []words.Token, width int) int {
	best, at := 0, 0
	for i := range hits {
		seen := map[string]bool{}
		for _, t := range hits[i:] {
			if t.End > hits[i].Start+width*3/4 {
				break
			}
			seen[t.Term+"\x00"+t.Stem] = true
		}
		if len(seen) > best {
			best, at = len(seen), hits[i].Start
		}
	}
	return at
}

// passage widens a place to at most width characters, at borders of words.
func passage(line string, at, width int) (start, end int) {
	start = max(0, at-width/4)
	for start > 0 && line[start-1] != ' ' && at-start < width/2 {
		start--
	}
	for start > 0 && start < len(line) && !utf8.RuneStart(line[start]) {
		start++
	}
	end = start
	for n := 0; end < len(line) && n < width; n++ {
		_, size := utf8.DecodeRuneInString(line[end:])
		end += size
	}
	if end < len(line) {
		if cut := strings.LastIndexByte(line[start:end], ' '); cut > width/2 && start+cut > at {
			end = start + cut
		}
	} else if start > 0 && utf8.RuneCountInString(line[start:end]) < width {
		start = stepBack(line, end, width)
	}
	return start, end
}

// stepBack is where the last width characters of line begin, at a word.
func stepBack(line string, end, width int) int {
	start := end
	for n := 0; start > 0 && n < width; n++ {
		_, size := utf8.DecodeLastRuneInString(line[:start])
		start -= size
	}
	if start > 0 && line[start-1] != ' ' {
		if cut := strings.IndexByte(line[start:end], ' '); cut >= 0 && cut < width/4 {
			start += cut + 1
		}
	}
	return start
}
