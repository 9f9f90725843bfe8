package redact

import (
	_ "embed" // for words.txt
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
			list.set = sync.OnceValue(list.made)
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
