package sameness

import (
	"math"
	"strings"
)

// StepAlike is the value of [SameStep] from which two wordings are of one step.
const StepAlike = 0.5

// shortStep is the number of bytes below which a step that stands in another one may be of any
// step.
const shortStep = 12

// SameStep returns how likely two wordings are of one step of a plan, 0–1: 1 for the same
// words, 0.9 where one holds the other, else the Jaccard index of their words without
// plurals.
func SameStep(a, b string) float64 {
	x, y := foldStep(a), foldStep(b)
	if x == y {
		return 1
	}
	if min(len(x), len(y)) >= shortStep && holdsEither(x, y) {
		return 0.9
	}
	return Jaccard(Signature(singular(x)), Signature(singular(y)))
}

func holdsEither(x, y string) bool { return strings.Contains(x, y) || strings.Contains(y, x) }

func foldStep(s string) string {
	return strings.ToLower(strings.Trim(strings.Join(strings.Fields(s), " "), " .!`*…"))
}

// singular is a text without the endings of plurals.
func singular(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if len(w) > 3 && !strings.HasSuffix(w, "ss") {
			words[i] = strings.TrimSuffix(w, "s")
		}
	}
	return strings.Join(words, " ")
}

// LikestStep is the index of the wording that is likest to a step's, the first of several; -1 if none is of it.
func LikestStep(step string, wordings []string) int {
	best, most := -1, math.Nextafter(StepAlike, 0)
	for i, w := range wordings {
		if alike := SameStep(w, step); alike > most {
			best, most = i, alike
		}
	}
	return best
}
