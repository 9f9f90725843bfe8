package grounding

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/internal/words"
)

// groundedWords: a good part of the words of the new text stand in the evidence,
// in some form. A reader may say things in other words, but not other things.
func groundedWords(c *Claim) error {
	have, said := stems(c.Evidence), stems(c.Said())
	n, all := shared(said, have), len(said)
	if all < 3 { // of a script without spaces, or hardly any
		list := sameness.Signature(c.Said())
		n, all = sameness.Shared(list, sameness.Signature(c.Evidence)), len(list)
	}
	if float64(n) < leastShare*float64(all) && !c.saidAround(said, n) {
		return fmt.Errorf("most of its words do not stand in the evidence%s", c.strange(have))
	}
	return nil
}

// strange names words that the evidence lacks, so that a reader can cite the line that has
// them or take them out.
func (c *Claim) strange(have map[string]bool) string {
	list := lacking(slices.Collect(lettersOf(c.Said())), func(word string) bool { return holdsAll(have, stems(word)) })
	if len(list) == 0 {
		return ""
	}
	return ", such as " + strings.Join(list[:min(len(list), 2*maxAbsent)], ", ")
}

// Shares of the words that must stand in the evidence: leastShare, or a third and
// nearly all of them somewhere around it.
const (
	leastShare  = 0.5
	leastThere  = 1.0 / 3
	leastAround = 0.7
)

// saidAround reports whether words of which a number stand in the evidence are also
// those of the texts around it.
func (c *Claim) saidAround(said map[string]bool, there int) bool {
	if float64(there) < max(leastThere*float64(len(said)), 1) {
		return false
	}
	var all strings.Builder
	for _, t := range c.Around {
		all.WriteString(t.Said + "\n")
	}
	return float64(shared(said, stems(all.String()))) >= leastAround*float64(len(said))
}

// stems are the beginnings of the words of a text, of four letters at most. That
// is crude, and the same for "drop" and "dropped" in any language.
func stems(s string) map[string]bool {
	out := map[string]bool{}
	for word := range lettersOf(s) {
		if runes := []rune(word); len(runes) > 2 && isCounted(word) {
			out[string(runes[:min(len(runes), 4)])] = true
		}
	}
	return out
}

// isCounted reports whether a word is one of those that a claim is judged by: it says something
// of its own, and is none with which any matter is told.
func isCounted(word string) bool {
	return len(sameness.Signature(word)) > 0 && !words.IsStop(word) && !isOf("telling", word)
}

// lettersOf are the words of a text that are written with letters and spaces, in lower case.
func lettersOf(s string) iter.Seq[string] {
	return strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) || r >= 0x2e80 })
}

// shared counts the stems that are also among others.
func shared(stems, others map[string]bool) int {
	n := 0
	for stem := range stems {
		if others[stem] {
			n++
		}
	}
	return n
}

// holdsAll reports whether some stems are all among others.
func holdsAll(have, want map[string]bool) bool { return shared(want, have) == len(want) }
