package curate

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
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
	first := c.worded.Evidence[0]
	title, span := statementOf(c.worded.Title), statementOf(first.Span)
	kind, _ := contradiction.Between(&title.position, &span.position)
	if kind == contradiction.Again || kind == contradiction.Dropped || title.denies(&span) || title.turns(&span) {
		return fmt.Errorf("the title says the opposite of line %d: %s", first.Line, grounding.Line(first.Span, 80))
	}
	return nil
}

// statement is a sentence as [claim.agrees] compares it. Words are sorted stems, without those that say
// whether it is so.
type statement struct {
	position contradiction.Position
	words    []string // all of them
	said     []string // of what it says
	besides  []string // of what it names as not so beside that
	negated  bool     // what it says has an odd number of negations
	denied   bool     // all of it has
}

func statementOf(sentence string) statement {
	said, besides := contradiction.Sides(sentence)
	kept, negations := withoutPolarity(said)
	all, denials := withoutPolarity(sentence)
	return statement{
		position: contradiction.Said(sentence), words: stemsOf(all), said: stemsOf(kept), besides: stemsOf(besides),
		negated: negations%2 == 1, denied: denials%2 == 1,
	}
}

// stemsOf are the stems of the words of a text that say something, sorted.
func stemsOf(text string) []string {
	told := lists.Where(new(words.Analyser).Plain(text), func(t words.Token) bool { return !words.IsStop(t.Term) })
	stems := lists.Unique(lists.Map(told, func(t words.Token) string { return t.Stem }))
	slices.Sort(stems)
	return stems
}

// denies reports whether one of two sentences that say something in nearly the same words is negated.
func (s *statement) denies(o *statement) bool {
	return s.negated != o.negated && s.denied != o.denied &&
		len(s.said) >= leastClause && sameness.Jaccard(s.said, o.said) >= leastAlike
}

// turns reports whether a sentence says, in words of the other one alone, what that names as not so: "flush in every
// write" where it is "flush in Close rather than in every write".
func (s *statement) turns(o *statement) bool {
	ours := !s.negated && within(s.said, o.words)
	return ours && len(o.besides) > 0 && within(o.besides, s.said) && !within(o.said, s.said)
}

// within reports whether every word of a is in b. Both are sorted.
func within(a, b []string) bool { return sameness.Shared(a, b) == len(a) }

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
