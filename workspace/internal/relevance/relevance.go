// Package relevance says whether a text concerns what somebody wrote, by the words
// that both have: whether a memory helps with a prompt, and whether a line of a
// session record answers a query. Scores of a search order what was found, but say
// nothing in absolute terms.
//
// [Words] takes from a prompt the words that can tell memories apart, and
// [Concerns] compares them with a memory. [Stems] and [Share] do the same for
// single lines, without the endings that inflection gives a word.
package relevance

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// A memory concerns a prompt when at least LeastWords of the prompt's words, and
// at least this share of them weighted by length, stand in it.
const (
	LeastWords = 2
	leastShare = 0.34
	maxWords   = 64 // of a prompt that are looked at
)

// Words are the words of a prompt that can tell memories apart.
func Words(prompt string) []string {
	if len(prompt) > 8<<10 {
		prompt = prompt[:8<<10]
	}
	var out []string
	for _, w := range strings.FieldsFunc(prompt, func(r rune) bool {
		return !(r == '_' || r == '-' || r == '.' || r == '/' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f)
	}) {
		w = strings.Trim(w, "-./_")
		if len(memory.Signature(w)) == 0 || slices.Contains(out, w) {
			continue
		}
		out = append(out, w)
		if len(out) == maxWords {
			break
		}
	}
	return out
}

// Concerns compares a prompt with a memory by shared words, each weighing its
// length: scores of a search order hits, but say nothing in absolute terms.
func Concerns(words []string, m *memory.Memory) bool {
	var text []string
	for word := range strings.FieldsSeq(strings.Join([]string{m.Title, m.Text, strings.Join(m.Entities, " "), strings.Join(m.Files, " ")}, " ")) {
		text = append(text, word, singular(word))
	}
	have := memory.Signature(text...)
	total, matched, n := 0, 0, 0
	for _, word := range words {
		total += len(word)
		if ContainsAll(have, memory.Signature(word)) || ContainsAll(have, memory.Signature(singular(word))) {
			matched += len(word)
			n++
		}
	}
	return n >= LeastWords && float64(matched) >= leastShare*float64(min(total, 60))
}

// singular takes the ending of an English plural off a word.
func singular(word string) string {
	word = strings.TrimRight(word, ".,;:!?)\"'")
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss"):
		return word[:len(word)-1]
	}
	return word
}

func ContainsAll(have, want []uint32) bool {
	if len(want) == 0 {
		return false
	}
	for _, h := range want {
		if _, ok := slices.BinarySearch(have, h); !ok {
			return false
		}
	}
	return true
}

// Share is how much of the words, by length, stands in a text.
func Share(words []string, text string) float64 {
	if len(words) == 0 {
		return 1
	}
	have := map[string]bool{}
	for _, s := range Stems(text) {
		have[s] = true
	}
	total, matched := 0, 0
	for _, word := range words {
		total += len(word)
		if have[word] {
			matched += len(word)
		}
	}
	return float64(matched) / float64(total)
}

// Stems is the words of a text that say something, without the endings that
// inflection gives them.
func Stems(text string) []string {
	var out []string
	for _, word := range Words(strings.ToLower(text)) {
		for _, part := range strings.FieldsFunc(word, func(r rune) bool { return r == '/' || r == '.' || r == '_' || r == '-' }) {
			for _, end := range []string{"ing", "ies", "ed", "es", "s"} {
				if rest, ok := strings.CutSuffix(part, end); ok && len(rest) >= 3 {
					part = rest
					break
				}
			}
			if part = strings.TrimRight(part, "ey"); part != "" && !slices.Contains(out, part) {
				out = append(out, part)
			}
		}
	}
	return out
}
