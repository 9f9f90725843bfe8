package grounding

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/git-cortex/cortex/internal/sameness"
)

// groundedWords: a good part of the words of the new text stand in the evidence,
// in some form. A reader may say things in other words, but not other things.
func groundedWords(c *Claim) error {
	have, words, said := stems(c.Evidence), map[uint32]bool{}, stems(c.Said())
	n := 0
	for stem := range said {
		if have[stem] {
			n++
		}
	}
	all := len(said)
	for _, w := range sameness.Signature(c.Evidence) {
		words[w] = true
	}
	if all < 3 { // of a script without spaces, or hardly any
		n, all = 0, 0
		for _, w := range sameness.Signature(c.Said()) {
			if all++; words[w] {
				n++
			}
		}
	}
	if float64(n) < leastShare*float64(all) && !c.saidAround(said, n) {
		return fmt.Errorf("most of its words do not stand in the evidence%s", c.strange(have))
	}
	return nil
}

// strange names words that the evidence lacks, so that a reader can cite the line that has
// them or take them out.
func (c *Claim) strange(have map[string]bool) string {
	var out []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(c.Said()), func(r rune) bool { return !unicode.IsLetter(r) || r >= 0x2e80 }) {
		for stem := range stems(word) {
			if !have[stem] && !slices.Contains(out, word) && len(out) < 2*maxAbsent {
				out = append(out, word)
			}
		}
	}
	if len(out) == 0 {
		return ""
	}
	return ", such as " + strings.Join(out, ", ")
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
	if float64(there) < leastThere*float64(len(said)) {
		return false
	}
	var all strings.Builder
	for _, t := range c.Around {
		all.WriteString(t.Said + "\n")
	}
	have, n := stems(all.String()), 0
	for stem := range said {
		if have[stem] {
			n++
		}
	}
	return float64(n) >= leastAround*float64(len(said))
}

// stems are the beginnings of the words of a text, of four letters at most. That
// is crude, and the same for "drop" and "dropped" in any language.
func stems(s string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) || r >= 0x2e80 }) {
		if runes := []rune(word); len(runes) > 2 && len(sameness.Signature(word)) > 0 {
			out[string(runes[:min(len(runes), 4)])] = true
		}
	}
	return out
}
