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

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/internal/words"
)

// LeastWords is how many words a prompt needs for a memory to concern it, and
// maxWords how many of them are looked at.
const (
	LeastWords = 2
	maxWords   = 64
)

// longestPrompt bounds how much of a prompt is looked at, in bytes.
const longestPrompt = 8 << 10

// Words are the words of a prompt that can tell memories apart.
func Words(prompt string) []string {
	var out []string
	for w := range words.Split(prompt[:min(len(prompt), longestPrompt)], "_-./") {
		w = strings.Trim(w, "-./_")
		if len(sameness.Signature(w)) > 0 && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out[:min(len(out), maxWords)]
}

// Share is how much of some stems, by length, stands in a text.
func Share(stems []string, text string) float64 {
	if len(stems) == 0 {
		return 1
	}
	have := Stems(text)
	total, matched := 0, 0
	for _, word := range stems {
		total += len(word)
		if slices.Contains(have, word) {
			matched += len(word)
		}
	}
	return float64(matched) / float64(total)
}

// Stems is the words of a text that say something, without the endings that
// inflection gives them.
func Stems(text string) []string {
	var out []string
	said := strings.Join(Words(strings.ToLower(text)), " ")
	for word := range words.Split(said, "") {
		stem := strings.TrimRight(ending().ReplaceAllString(word, "$1"), "ey")
		if stem != "" && !slices.Contains(out, stem) {
			out = append(out, stem)
		}
	}
	return out
}

// ending matches a word with an ending behind three letters at least.
var ending = lazy.Pattern(`^(.{3,}?)(?:ing|ies|ed|es|s)$`)
