package redact

import (
	_ "embed" // for words.txt
	"strings"
	"sync"
)

//go:embed words.txt
var wordLists string

// words are the lists of words.txt by their names.
var words = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	var list map[string]bool
	for line := range strings.Lines(wordLists) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") && !strings.Contains(line, " ") && len(line) > 3:
			list = map[string]bool{}
			out[line[1:len(line)-1]] = list
		default:
			for w := range strings.FieldsSeq(line) {
				list[w] = true
			}
		}
	}
	return out
})

// is reports whether a list of words.txt holds a word.
func is(list, word string) bool { return words()[list][word] }
