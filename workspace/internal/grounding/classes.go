package grounding

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
)

//go:embed words.tsv
var wordTable string

var classes = lazy.Value(func() map[string][]string { return words.Classes(wordTable) })

// isOf reports whether a word belongs to a class of words.tsv.
func isOf(class, word string) bool { return slices.Contains(classes()[class], word) }

// numerals are the words of words.tsv that stand for a number, with its digits.
var numerals = lazy.Value(func() map[string]string {
	out := map[string]string{}
	for _, row := range classes()["numeral"] {
		word, digits, _ := strings.Cut(row, "=")
		out[word] = digits
	}
	return out
})

// lacking returns those of a list that do not stand somewhere, each once.
func lacking(list []string, stands func(string) bool) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) && !stands(s) {
			out = append(out, s)
		}
	}
	return out
}
