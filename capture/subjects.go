package capture

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/sameness"
)

// subjects counts in how many passages of a session each word stood, up to the
// turn at hand. The words that a session keeps returning to are its subjects.
type subjects map[string]int

// maxSubjects is how many words, the commonest, are carried from one turn to the
// next.
const maxSubjects = 200

// with gives the counts with some passages added.
func (s subjects) with(passages [][]string) subjects {
	out := subjects{}
	maps.Copy(out, s)
	out.add(passages)
	return out
}

func (s subjects) add(passages [][]string) {
	for _, words := range passages {
		for _, w := range words {
			s[w]++
		}
	}
}

// pruned keeps the commonest words.
func (s subjects) pruned() subjects {
	if len(s) <= maxSubjects {
		return s
	}
	out := subjects{}
	for _, x := range s.list()[:maxSubjects] {
		out[x.Word] = x.Count
	}
	return out
}

// list gives the words, the commonest first.
func (s subjects) list() []session.Subject {
	var out []session.Subject
	for w, n := range s {
		out = append(out, session.Subject{Word: w, Count: n})
	}
	slices.SortStableFunc(out, func(a, b session.Subject) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Word, b.Word))
	})
	return out
}

// subjectWords are the distinct words of a passage that can be a subject.
func subjectWords(words []string) []string {
	var out []string
	for _, w := range words {
		if len(w) > 2 && len(w) <= 40 && !plainWord(w) {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// central says how much the words of a passage are those that the session
// returns to: the mean of the logarithms of their counts, and the share of them
// that were met before.
func (s subjects) central(words []string) (mean, known float64) {
	if len(words) == 0 {
		return 0, 0
	}
	for _, w := range words {
		n := s[w] - 1 // the passage itself
		if n > 0 {
			mean += math.Log2(1 + float64(n))
		}
		if n > 1 {
			known++
		}
	}
	size := math.Max(5, float64(len(words)))
	return mean / size, known / size
}

// plainWord reports whether a word says nothing of the subject.
func plainWord(w string) bool { return is("plain", w) }

// How many messages of the turn before one and after it are compared with it, and
// about how many of their passages.
const (
	beside     = 12
	mostBeside = 200
)

// alike is the largest share of words that a passage has in common with one of
// another message of its turn.
func alike(words []string, others [][]string) float64 {
	best := 0.0
	for _, o := range others {
		both := sameness.Shared(words, o)
		if all := len(words) + len(o) - both; all > 0 {
			best = math.Max(best, float64(both)/float64(all))
		}
	}
	return best
}

// met are the words of one message.
type met struct {
	record   int
	passages [][]string
}

// read cuts the messages of a turn into passages, and compares the words of each
// with those of the session up to the end of the turn.
func (w *weigher) read(t *turn, around *passage.Setting) [][]passage.Passage {
	out := make([][]passage.Passage, len(t.items))
	docs := lastDocuments(t.items)
	w.about, w.met = w.before.with(nil), nil
	meet := func(record int, passages [][]string) {
		w.met = append(w.met, met{record, passages})
		w.about.add(passages)
	}
	if t.prompt != "" {
		meet(t.first, [][]string{subjectWords(prose.Words(prose.Clip(t.prompt, 4000)))})
	}
	for i, it := range t.items {
		at, ok := placeOf(&it)
		if !ok || it.kind == itDocument && !docs[i] {
			continue
		}
		out[i] = passage.Of(readable(&it), at, it.record, it.time, around)
		var words [][]string
		for k := range out[i] {
			out[i][k].Subjects = subjectWords(prose.Words(out[i][k].Whole()))
			words = append(words, out[i][k].Subjects)
		}
		meet(it.record, words)
	}
	for i := range out {
		others := besides(out, i)
		for k := range out[i] {
			p := &out[i][k]
			p.Mean, p.Known = w.about.central(p.Subjects)
			p.Alike = alike(p.Subjects, others)
			_, p.Said = w.before.central(p.Subjects)
		}
	}
	return out
}

// besides are the words of the passages of the messages around one.
func besides(all [][]passage.Passage, i int) [][]string {
	var out [][]string
	for j := max(0, i-beside); j < min(len(all), i+beside) && len(out) < mostBeside && len(all[i]) > 0; j++ {
		for k := range all[j] {
			if j != i {
				out = append(out, all[j][k].Subjects)
			}
		}
	}
	return out
}

// upTo gives the counts as they were before a line of the turn that was weighed
// last.
func (w *weigher) upTo(line int) subjects {
	out := w.prior.with(nil)
	for _, m := range w.met {
		if m.record < line {
			out.add(m.passages)
		}
	}
	return out.pruned()
}

// placeOf says where the passages of an item stand.
func placeOf(it *item) (passage.Place, bool) {
	if it.kind == itText && it.handover {
		return passage.Handover, true
	}
	at, ok := map[itemKind]passage.Place{
		itText: passage.Middle, itPlan: passage.Plan, itReport: passage.Report, itDocument: passage.Document, itCommit: passage.Commit,
	}[it.kind]
	return at, ok
}

// readable is the text of an item that its passages are cut from.
func readable(it *item) string {
	if it.kind != itDocument {
		return it.text
	}
	md := passage.WithoutTags(dropFrontmatter(it.text))
	if it.replaced != "" {
		md = added(it.replaced, md)
	}
	return md
}
