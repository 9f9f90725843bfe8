// Package relevance takes apart what somebody wrote, so that it can be said how
// much of it stands in a text, such as a line of a session record.
//
// [Words] takes from a prompt the words that can tell memories apart; one with
// fewer than [LeastWords] calls for nothing. [Stems] and [Share] compare single
// lines, without the endings that inflection gives a word.
package relevance

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// LeastWords is how many words a prompt needs for a memory to concern it, and
// maxWords how many of them are looked at.
const (
	LeastWords = 2
	maxWords   = 64
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

// ContainsAll reports whether a signature holds all of another, which is not empty.
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
