package capture

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
)

// backIn is how many words may stand before "back to", and about how many behind it
// say what to.
const (
	backIn    = 6
	backWords = 6
)

// returns reads "back to the relays" at the beginning of a request, and finds the
// topic that it names: the one whose words hold most of what is said, and more than
// those of the topic at hand. "Back to main" and "back to the old version" name none.
// line is that of the request.
func (tp *topics) returns(words []string, line int) (topic int, ok bool) {
	at := 0
	for i := range words[:min(len(words), backIn+1)] {
		if n := lexicon().Begins("back to", words[i:]); n > 0 {
			at = i + n
			break
		}
	}
	last := len(tp.s.Topics) - 1
	if at == 0 || at == len(words) || last < 1 {
		return 0, false
	}
	said := roots(words[at:min(len(words), at+backWords)])
	best, most := 0, 0
	for i := range tp.s.Topics {
		if n := shared(said, tp.words(i, i+1, line)); n > most {
			best, most = i, n
		}
	}
	return best, best != last && most > shared(said, tp.words(last, last+1, line))
}

// again is the topic that goes back to another: a part if that one is a part of the
// topic at hand, or that topic itself.
func (tp *topics) again(i int) session.Topic {
	depth := 0
	if parent := tp.span(0); i >= parent {
		depth = 1
	}
	return session.Topic{Depth: depth, Cue: "back", Back: tp.s.Topics[i].Record + 1}
}

// words are the roots of what was asked in some topics before a line, and of the files
// that they touched.
func (tp *topics) words(from, to, line int) []string {
	if to < len(tp.s.Topics) {
		line = tp.s.Topics[to].Record
	}
	var all []string
	for _, q := range tp.s.Requests {
		if q.Record >= tp.s.Topics[from].Record && q.Record < line {
			all = append(all, prose.Words(q.Text)...)
		}
	}
	for _, t := range tp.s.Topics[from:to] {
		all = append(all, prose.Words(t.About)...)
		for _, f := range t.Files {
			all = append(all, prose.Words(strings.ReplaceAll(f, "_", " "))...)
		}
	}
	return roots(all)
}

// plainWord reports whether a word says nothing of the subject.
func plainWord(w string) bool { return is("plain", w) }

// roots are the distinct telling words, without the endings of the plural.
func roots(words []string) []string {
	var out []string
	for _, w := range words {
		if !plainWord(w) && !generalWord(w) {
			out = append(out, strings.TrimSuffix(strings.TrimSuffix(w, "s"), "e"))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// shared counts the words of a that b has too; both are sorted.
func shared(a, b []string) int {
	n := 0
	for _, w := range a {
		if _, ok := slices.BinarySearch(b, w); ok {
			n++
		}
	}
	return n
}
