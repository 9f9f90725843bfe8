package curate

import (
	"errors"

	"github.com/git-cortex/cortex/memory"
)

// groundedWords: a good part of the words of the new text stand in the evidence.
// A reader may say things in other words, but not other things.
func groundedWords(c *claim) error {
	words, have := memory.Signature(c.said()), map[uint32]bool{}
	for _, w := range memory.Signature(c.evidence) {
		have[w] = true
	}
	n := 0
	for _, w := range words {
		if have[w] {
			n++
		}
	}
	if float64(n) < leastShare*float64(len(words)) {
		return errors.New("most of its words do not stand in the evidence")
	}
	return nil
}

// leastShare is the share of words that must stand in the evidence.
const leastShare = 0.5
