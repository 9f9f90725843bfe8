package words

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Snippet is the passage that shows why a text was found, on one line.
type Snippet struct {
	Text  string `json:"text"`
	Marks []Span `json:"marks"` // matched words, in order, not overlapping
}

// Span is a range of bytes.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Cut cuts the passage of a line of at most width characters that holds the most different
// marked words, as the analyser makes them, the earliest of several. Without a match it
// is the beginning. Marks are stems, and of compounds the terms.
func Cut(a *Analyser, line string, marks map[string]bool, width int) Snippet {
	hits := slices.DeleteFunc(a.Analyse(line), func(t Token) bool { return !marks[t.key()] })
	start, end := passage(line, bestWindow(hits, width), width)
	s := Snippet{Text: line[start:end], Marks: []Span{}}
	shift := start
	if start > 0 {
		s.Text = ellipsis + s.Text
		shift -= len(ellipsis)
	}
	if end < len(line) {
		s.Text += ellipsis
	}
	last := start
	for _, t := range hits {
		if t.Start >= last && t.End <= end {
			s.Marks = append(s.Marks, Span{t.Start - shift, t.End - shift})
			last = t.End
		}
	}
	return s
}

const ellipsis = "…"

// key is the name by which a query marks a token: its stem, or the term of a compound.
func (t *Token) key() string {
	if t.Stem != "" {
		return t.Stem
	}
	return t.Term
}

// bestWindow is where the passage's first matched word begins.
func bestWindow(hits []Token, width int) int {
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
	start = wordStart(line, at, width)
	end = start + prefixLength(line[start:], width)
	if end == len(line) {
		if utf8.RuneCountInString(line[start:]) < width {
			start = lastPassage(line, width)
		}
		return start, end
	}
	cut := strings.LastIndexByte(line[start:end], ' ')
	if cut > max(width/2, at-start) {
		end = start + cut
	}
	return start, end
}

// wordStart is where the word begins that stands a quarter of width before at. A word
// that begins more than half of width before at is cut.
func wordStart(line string, at, width int) int {
	start := max(0, at-width/4)
	start = max(strings.LastIndexByte(line[:start], ' ')+1, at-width/2)
	for start < len(line) && !utf8.RuneStart(line[start]) {
		start++
	}
	return start
}

// Head is the beginning of a text, of so many bytes at most; no character is cut.
func Head(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// prefixLength is the length in bytes of the first width characters of a text.
func prefixLength(text string, width int) int {
	length := 0
	for n := 0; length < len(text) && n < width; n++ {
		_, size := utf8.DecodeRuneInString(text[length:])
		length += size
	}
	return length
}

// lastPassage is where the last width characters of line begin, at a word.
func lastPassage(line string, width int) int {
	start := prefixLength(line, utf8.RuneCountInString(line)-width)
	if start == 0 || line[start-1] == ' ' {
		return start
	}
	if cut := strings.IndexByte(line[start:], ' '); cut >= 0 && cut < width/4 {
		start += cut + 1
	}
	return start
}
