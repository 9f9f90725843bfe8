package words

import (
	"strings"
	"sync"
)

// IsStop reports whether a folded word of a query carries no meaning of its own.
// The list is Lucene's, with the question words and auxiliaries that people type
// into a search box.
func IsStop(term string) bool { return len(term) <= longestStopWord && stopWords()[term] }

const longestStopWord = 6

var stopWords = sync.OnceValue(func() map[string]bool {
	const text = `a about am an and any are as at be because been being but by can could did do does doing dont
for from had has have having he her here hers him his how i if in into is it its just me my no nor not of on or our
ours out over own please s she should so some such than that the their theirs them then there these they this those
to too under until up us very was we were what when where which while who whom whose why will with would you your yours`
	words := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		words[w] = true
	}
	return words
})
