package recall

import (
	"github.com/git-cortex/cortex/internal/lazy"
)

// weights are how much what a part of a moment shares with a memory counts.
type weights struct {
	prompt, search, question, call, error, words float64
}

// tuning holds the figures of a kind of moment. The thresholds of prompts and calls were
// measured on two chains of sessions, and are the higher of the two values
// (docs/design/0011-one-scorer-for-all-moments.md).
type tuning struct {
	weights   weights
	threshold float64 // the score from which a memory is worth saying
	// curated is the threshold of a memory in a reader's words, and of a note: it is longer
	// and names more, and shares words with more moments.
	curated float64
	// the score from which a memory is said that shares a name with it; 0 where words will do
	names float64
	limit int                    // how many memories are said
	size  int                    // bytes of the line that a memory is said in
	heard float64                // the score of a memory that names the moment itself: it clears the threshold alone
	said  func(m *Moment) string // what is said at a moment that is no call; nil for a call
}

var tunings = lazy.Value(func() map[Kind]tuning {
	call := tuning{
		weights:   weights{call: 1, words: 0.5, prompt: 0.2},
		threshold: 5, curated: 6, names: 5, limit: 1, size: callSize, heard: ruleWeight,
	}
	file := call
	file.curated = 8 // a change holds more words than a command
	return map[Kind]tuning{
		Command: call,
		File:    file,
		Prompt: {
			weights:   weights{prompt: 1},
			threshold: 2, curated: 2, names: 4, limit: 4, size: lineSize, heard: 2,
			said: func(m *Moment) string { return m.Prompt },
		},
		Search: {
			weights:   weights{search: 1, words: 0.2},
			threshold: 2.5, curated: 4, names: 2.5, limit: 1, size: lineSize, heard: 5.5,
			said: func(m *Moment) string { return m.Search },
		},
		Question: {
			weights:   weights{question: 1},
			threshold: 6, curated: 6, limit: 2, size: lineSize, heard: 8,
			said: func(m *Moment) string { return m.Question },
		},
		Error: {
			weights:   weights{call: 1, error: 1, words: 0.3},
			threshold: 6, curated: 6, limit: 3, size: lineSize, heard: ruleWeight,
			said: func(m *Moment) string { return m.Error },
		},
	}
})

// tuning returns the figures of a kind of moment.
func (k Kind) tuning() tuning { return tunings()[k] }

// Threshold is the score from which a memory is worth saying at a moment.
func Threshold(k Kind) float64 { return k.tuning().threshold }

// Limit is how many memories are said at a moment.
func Limit(k Kind) int { return k.tuning().limit }

// triggerWeights are how much a trigger counts that a moment and a memory have, by its
// kind; 1 for another.
func triggerWeights() map[string]float64 { return map[string]float64{"error": 8, "command": 3} }

const (
	leastKnown  = 100 // memories that a table counts as having at least: among few, no word is rare
	lengthBase  = 20  // terms that are added to the length of a memory
	lengthScale = 8.0
)
