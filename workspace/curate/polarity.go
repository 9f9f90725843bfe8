package curate

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// negationsTSV has a row for each word that says whether something is so: the word, with * at
// its end if it is a part of one, "not" if it turns a sentence into its opposite or "always"
// if it does not, and its languages.
//
//go:embed negations.tsv
var negationsTSV string

// polar is a word that says whether something is so, or a part of one.
type polar struct {
	word      string
	negations int
}

// polarity is that file: whole words with how often each negates, and parts of words.
type polarity struct {
	words map[string]int
	parts []polar
}

var polars = lazy.Value(func() polarity {
	out := polarity{words: map[string]int{}}
	for row := range words.Rows(negationsTSV, 3) {
		negations := 0
		if row[1] == "not" {
			negations = 1
		}
		if word, isPart := strings.CutSuffix(row[0], "*"); isPart {
			out.parts = append(out.parts, polar{word, negations})
		} else {
			out.words[word] = negations
		}
	}
	return out
})

// leastAlike is the share of a title's words that a span has, from which on both are taken
// to be about the same thing.
const leastAlike = 0.8

// agrees returns an error if the title says the opposite of the span that is to say it best:
// what was chosen is turned down or the other way round, or one of both is negated.
func (c *claim) agrees() error {
	title, first := c.worded.Title, c.worded.Evidence[0]
	said, rests := contradiction.Said(title), contradiction.Said(first.Span)
	kind, _ := contradiction.Between(&said, &rests)
	reversed := kind == contradiction.Again || kind == contradiction.Dropped
	if reversed || isNegated(title) != isNegated(first.Span) && sameWords(title, first.Span) {
		return fmt.Errorf("the title says the opposite of line %d: %s", first.Line, grounding.Line(first.Span, 80))
	}
	return nil
}

// sameWords reports whether two sentences have nearly the same words but for those that say
// whether it is so.
func sameWords(title, span string) bool {
	title, _ = withoutPolarity(title)
	span, _ = withoutPolarity(span)
	a, b := sameness.Signature(title), sameness.Signature(span)
	return len(a) >= leastClause && sameness.Jaccard(a, b) >= leastAlike
}

// isNegated reports whether a sentence has an odd number of negations.
func isNegated(s string) bool {
	_, negations := withoutPolarity(s)
	return negations%2 == 1
}

// withoutPolarity is a sentence without the words that say whether it is so, and how many of
// them negate it.
func withoutPolarity(s string) (rest string, negations int) {
	s = strings.ToLower(s)
	for _, p := range polars().parts {
		negations += strings.Count(s, p.word) * p.negations
		s = strings.ReplaceAll(s, p.word, "")
	}
	var kept []string
	for _, w := range wordsIn(s) {
		n, polar := polars().words[w]
		if !polar {
			kept = append(kept, w)
		}
		negations += n
	}
	return strings.Join(kept, " "), negations
}
