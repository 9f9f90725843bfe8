package redact

import (
	_ "embed" // for words.txt
	"slices"
	"strings"
	"sync"
)

//go:embed words.txt
var wordLists string

// wordList is a list of words.txt. Its words become a set when one is looked up: most
// texts need few of the lists.
type wordList struct {
	text string // the lines below its name
	set  func() map[string]bool
	all  func() []string // in order
}

// words are the lists of words.txt by their names.
var words = sync.OnceValue(func() map[string]*wordList {
	out := make(map[string]*wordList, 64)
	var list *wordList
	at, from := 0, 0 // of the line, and of the first of the list
	for line := range strings.Lines(wordLists) {
		name := strings.TrimSpace(line)
		if len(name) > 3 && name[0] == '[' && name[len(name)-1] == ']' && !strings.Contains(name, " ") {
			list = &wordList{}
			list.set, list.all = sync.OnceValue(list.made), sync.OnceValue(list.listed)
			out[name[1:len(name)-1]], from = list, at+len(line)
		}
		if at += len(line); list != nil {
			list.text = wordLists[from:at]
		}
	}
	return out
})

// made returns the set of the words of a list.
func (l *wordList) made() map[string]bool {
	set := map[string]bool{}
	l.each(func(word string) { set[word] = true })
	return set
}

// listed returns the words of a list, in order.
func (l *wordList) listed() []string {
	var out []string
	l.each(func(word string) { out = append(out, word) })
	return out
}

// each calls visit for the words of a list, in order.
func (l *wordList) each(visit func(word string)) {
	for line := range strings.Lines(l.text) {
		if !strings.HasPrefix(line, "# ") {
			for w := range strings.FieldsSeq(line) {
				visit(w)
			}
		}
	}
}

// is reports whether a list of words.txt holds a word.
func is(list, word string) bool { return words()[list].set()[word] }

// holdsAny reports whether a text holds a word of a list of words.txt, on its own or within another.
func holdsAny(s, list string) bool { return containsAny(s, words()[list].all()) }

// containsAny reports whether a text holds one of some others.
func containsAny(s string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}
