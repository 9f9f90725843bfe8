package words

import (
	_ "embed"
	"strings"
	"sync"
)

// IsStop reports whether a folded word of a query carries no meaning of its own.
// The list is Lucene's, with the question words and auxiliaries that people type
// into a search box.
func IsStop(term string) bool { return len(term) <= longestStopWord && stopWords()[term] }

const longestStopWord = 6

// IsEveryday reports whether a folded word belongs to those that people use of
// anything, such as "seems", "please" or "another". It says little of what a text
// is about, however rare it is among the texts at hand. Names of things are not
// among them, common as some are.
func IsEveryday(term string) bool { return everydayWords()[term] }

//go:embed stop.txt
var stopText string

//go:embed everyday.txt
var everydayText string

var (
	stopWords     = sync.OnceValue(func() map[string]bool { return setOf(stopText) })
	everydayWords = sync.OnceValue(func() map[string]bool { return setOf(everydayText) })
)

func setOf(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		set[w] = true
	}
	return set
}
