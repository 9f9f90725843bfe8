package curate

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode"
)

// Bounds of what counts as said before.
const (
	runWords  = 4   // words in a row that are compared
	sameShare = 0.8 // of the runs of a line that were said before
	newWords  = 8   // words that a passage has to add, to be told again
)

// withoutRepeats leaves out of documents, summaries, commits and reports the lines
// that an earlier one of them has, in the same words however they are wrapped, and
// such passages as then say hardly anything: a document is written anew with each
// draft, and its sections are what commit and pull request say. What candidates
// rest on stays.
func withoutRepeats(passages []Passage, candidates []Candidate) []Passage {
	r := repeats{maphash.MakeSeed(), map[uint64]bool{}}
	var out []Passage
	for _, p := range passages {
		switch p.Kind {
		case "document", "summary", "commit", "report":
		default:
			out = append(out, p)
			continue
		}
		var rests []string
		for _, c := range candidates {
			if c.Line == p.Line {
				rests = append(rests, c.Title+"\n"+c.Text)
			}
		}
		text, added := r.fresh(p.Text, rests)
		for _, run := range r.runs(p.Text) {
			r.said[run] = true
		}
		if p.Text = text; added >= newWords || len(rests) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// repeats are runs of words that passages have said so far.
type repeats struct {
	seed maphash.Seed
	said map[uint64]bool
}

// fresh is a text without the lines that were said before, but for its first one
// and those that rest on it, and how many words that leaves. Headings and other
// short lines go with what follows them.
func (r *repeats) fresh(text string, rests []string) (string, int) {
	lines := strings.Split(text, "\n")
	wanted := restingOn(lines, rests)
	var out, short []string
	added := 0
	for i, l := range lines {
		words := len(wordsIn(l))
		switch {
		case i > 0 && words < runWords:
			short = append(short, l)
			continue
		case i == 0 || slices.Contains(wanted, i) || !r.repeated(l):
			out = append(append(out, short...), l)
			added += words
		case len(out) == 0 || out[len(out)-1] != gap:
			out = append(out, gap)
		}
		short = nil
	}
	if len(out) > 0 && out[len(out)-1] != gap {
		out = append(out, short...)
	}
	return strings.TrimSpace(strings.Join(out, "\n")), added
}

func (r *repeats) repeated(l string) bool {
	list, n := r.runs(l), 0
	for _, run := range list {
		if r.said[run] {
			n++
		}
	}
	return len(list) > 0 && float64(n) >= sameShare*float64(len(list))
}

// runs are the words of a text in their order, each hashed with those that follow
// it. A text of fewer words has one run.
func (r *repeats) runs(text string) []uint64 {
	words := wordsIn(text)
	if len(words) == 0 {
		return nil
	}
	var out []uint64
	for i := 0; i == 0 || i+runWords <= len(words); i++ {
		out = append(out, maphash.String(r.seed, strings.Join(words[i:min(i+runWords, len(words))], " ")))
	}
	return out
}

func wordsIn(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
