package capture

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/lists"
)

// backIn is how many words may stand before "back to", and about how many behind it
// say what to.
const (
	backIn    = 6
	backWords = 6
)

// returns reads "back to the relays" at the beginning of a request, and goes back to the
// topic that it names: the one whose words hold most of what is said, and more than
// those of the topic at hand. "Back to main" and "back to the old version" name none.
// line is that of the request.
func (tp *topics) returns(words []string, line int) *session.Topic {
	said := roots(backTo(words))
	last := len(tp.s.Topics) - 1
	best, most := last, shared(said, tp.words(last, last+1, line))
	for i := range last {
		if n := shared(said, tp.words(i, i+1, line)); n > most {
			best, most = i, n
		}
	}
	if best == last {
		return nil
	}
	return tp.again(best)
}

// backTo returns the words behind "back to" at the beginning of a request.
func backTo(words []string) []string {
	for i := range words[:min(len(words), backIn+1)] {
		if n := lexicon().Begins("back to", words[i:]); n > 0 {
			behind := words[i+n:]
			return behind[:min(len(behind), backWords)]
		}
	}
	return nil
}

// again is the topic that goes back to another: a part if that one is a part of the
// topic at hand, or that topic itself.
func (tp *topics) again(i int) *session.Topic {
	next := &session.Topic{Cue: "back", Back: tp.s.Topics[i].Record + 1}
	if i >= tp.outermost() {
		next.Depth = 1
	}
	return next
}

// words are the roots of what was asked in some topics before a line, and of the files
// that they touched.
func (tp *topics) words(from, to, line int) []string {
	if to < len(tp.s.Topics) {
		line = tp.s.Topics[to].Record
	}
	texts := tp.requests(from, line)
	for _, t := range tp.s.Topics[from:to] {
		texts = append(texts, t.About, strings.ReplaceAll(strings.Join(t.Files, "\n"), "_", " "))
	}
	return roots(prose.Words(strings.Join(texts, "\n")))
}

// saysNothing reports whether a word says nothing of the subject, or stands in requests about
// anything.
func saysNothing(w string) bool { return is("plain", w) || is("general", w) }

// roots are the distinct telling words, without the endings of the plural.
func roots(words []string) []string {
	out := lists.Without(words, saysNothing)
	for i, w := range out {
		out[i] = strings.TrimSuffix(strings.TrimSuffix(w, "s"), "e")
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
