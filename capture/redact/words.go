package redact

import (
	_ "embed" // for words.tsv and spoken.tsv
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
)

//go:embed words.tsv
var wordTable string

//go:embed spoken.tsv
var spokenTable string

// wordList is a list of words. It becomes a set when a word is looked up: most texts need few
// of the lists.
type wordList struct {
	all []string
	set func() map[string]bool
}

// wordLists are the lists of words.tsv by their names, and those of spoken.tsv by what their words do in
// any language: "spoken-name".
var wordLists = lazy.Value(func() map[string]wordList {
	all := words.Classes(wordTable)
	for row := range words.Rows(spokenTable, 3) {
		name := "spoken-" + row[1]
		all[name] = append(all[name], strings.Split(row[2], "|")...)
	}
	out := make(map[string]wordList, len(all))
	for name, list := range all {
		out[name] = wordList{list, lazy.Value(func() map[string]bool { return lists.Set(list) })}
	}
	return out
})

// is reports whether a list holds a word.
func is(list, word string) bool { return wordLists()[list].set()[word] }

// isAny reports whether one of some lists holds a word.
func isAny(word string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return is(name, word) })
}

// holdsAny reports whether a text holds a word of a list, on its own or within another.
func holdsAny(s, list string) bool { return containsAny(s, wordLists()[list].all) }

// containsAny reports whether a text holds one of some others.
func containsAny(s string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}
