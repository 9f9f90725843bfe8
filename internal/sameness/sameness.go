// Package sameness answers one question for the whole program: do two texts say the same?
//
// Make a [Signature] of each text, its content words, and ask a [Level] how much of them both
// must have: [Answered], [Refined] and the others are all the levels there are. Words in a bag prove
// nothing of numbers, names and negations, so what is dropped as a repetition must also pass
// [Covers]. Steps of plans are short and have a measure of their own, [SameStep].
//
// The answers depend on the texts alone, the same on every machine.
package sameness

import (
	"slices"
	"strings"
	"unicode"
)

// Thresholds of the Jaccard index of two signatures.
const (
	Edge      = 0.1 // an edge in the graph
	Related   = 0.3 // one may go on from the other
	Restated  = 0.4 // they may be one statement
	Candidate = 0.5 // a candidate for merging, or one title in other words
	Same      = 0.6 // a repetition, which adds no memory
)

// Level is how much two signatures must have in common. A bound of 0 asks for nothing.
type Level struct {
	Shared  int     // content words that both have
	Jaccard float64 // see [Jaccard]
	Inside  float64 // the share of the first one's words that the second has
}

// Answered is the level of a question that a later memory answers.
func Answered() Level { return Level{Shared: 3, Inside: 0.5} }

// Refined is the level of an older memory that a newer one says again, and more.
func Refined() Level { return Level{Jaccard: Related, Inside: 0.55} }

// Followed is the level of an older memory that a newer one follows from, where both speak of
// the same named things or have much the same title.
func Followed() Level { return Level{Inside: 0.35} }

// FollowedUnnamed is [Followed] where no name says what both are about.
func FollowedUnnamed() Level { return Level{Shared: 6, Inside: 0.55} }

// Copied is the level of one passage that was read in two places.
func Copied() Level { return Level{Inside: 0.85} }

// Met reports whether two signatures have as much in common as a level asks.
func (l Level) Met(a, b []uint32) bool {
	return Shared(a, b) >= l.Shared && Jaccard(a, b) >= l.Jaccard && Inside(a, b) >= l.Inside
}

// Repeats reports whether gone says nothing that kept does not: every content word, name and number of it
// stands there, and it [Covers] it. A text of fewer than repeatedWords content words must be the same
// words in the same order, since one word more or less makes another statement of it.
func Repeats(kept, gone string) bool {
	words := Signature(gone)
	if len(words) < repeatedWords {
		return slices.Equal(spoken(kept), spoken(gone))
	}
	return Shared(words, Signature(kept)) == len(words) && Covers(kept, gone)
}

// repeatedWords is the number of content words from which on they tell a repetition.
const repeatedWords = 8

// spoken are the words of a text, without what stands around them.
func spoken(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), isBetweenWords)
}

// isBetweenWords reports whether a character is neither a letter nor a digit.
func isBetweenWords(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }

// fewWords is the number of words below which a text is too short to be within another, and of
// every newWords words the other may lack one: "run make lint" and "run make test" have most
// words in common too.
const (
	fewWords = 4
	newWords = 12
)

// Within reports whether nearly all words of a signature stand in another.
func Within(a, b []uint32) bool {
	lacks := len(a) - Shared(a, b)
	return len(a) >= fewWords && lacks*newWords <= len(a)
}
