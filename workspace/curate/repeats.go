package curate

import (
	"hash/maphash"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/words"
)

// Bounds of what counts as said before.
const (
	runWords  = 4   // words in a row that are compared
	sameShare = 0.8 // of the runs of a line that were said before
	newWords  = 8   // words that a passage has to add, to be told again
)

// repeats are runs of words that documents, plans, summaries, commits and reports have
// told so far. A document is written anew with each draft, and its sections are
// what commit and pull request say.
type repeats struct {
	seed maphash.Seed
	said map[uint64]bool
}

func newRepeats() *repeats { return &repeats{maphash.MakeSeed(), map[uint64]bool{}} }

func (p Passage) repeats() bool {
	return slices.Contains([]string{"document", "summary", "commit", "report", "plan"}, p.Kind)
}

// tell notes what a sheet says, but for reports: they are left out if there is no
// room.
func (r *repeats) tell(p Passage) {
	if p.repeats() && p.Kind != "report" {
		for _, run := range r.runs(p.Text) {
			r.said[run] = true
		}
	}
}

// fresh is the text of a passage without the lines that were told before, in the
// same words however they are wrapped, but for its first one and those that
// candidates rest on. Headings and other short lines go with what follows them. It
// reports whether what is left is worth telling.
func (r *repeats) fresh(p Passage, rests []string) (string, bool) {
	if !p.repeats() {
		return p.Text, true
	}
	out, added := r.newLines(strings.Split(p.Text, "\n"), rests)
	tells := added >= newWords || len(rests) > 0 || p.Kind == "plan" // that it was approved
	return strings.TrimSpace(strings.Join(out, "\n")), tells
}

// newLines are the first line and those that a candidate rests on or that say something new, with
// a gap for the others, and how many words they have. Short lines stay with the next one.
func (r *repeats) newLines(lines, rests []string) (out []string, added int) {
	wanted := append(restingOn(lines, rests), 0)
	var short []string
	for i, line := range lines {
		length := len(wordsIn(line))
		if i > 0 && length < runWords {
			short = append(short, line)
			continue
		}
		switch {
		case slices.Contains(wanted, i), !r.repeated(line):
			out = append(append(out, short...), line)
			added += length
		case out[len(out)-1] != gap:
			out = append(out, gap)
		}
		short = nil
	}
	if out[len(out)-1] != gap {
		out = append(out, short...)
	}
	return out, added
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
	list := wordsIn(text)
	if len(list) == 0 {
		return nil
	}
	var out []uint64
	for i := 0; i == 0 || i+runWords <= len(list); i++ {
		out = append(out, maphash.String(r.seed, strings.Join(list[i:min(i+runWords, len(list))], " ")))
	}
	return out
}

func wordsIn(s string) []string { return slices.Collect(words.Split(strings.ToLower(s), "")) }
