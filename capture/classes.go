package capture

import (
	"cmp"
	_ "embed" // the classes
	"math"
	"slices"
	"strconv"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

//go:embed classes.tsv
var classFile string

// Class is a class of evidence: what a candidate rests on. classes.tsv has them all, with
// what follows from each.
type Class string

// The classes of evidence.
const (
	classTag       Class = "tag"
	classAnswer    Class = "answer"
	classOwnWords  Class = "own words"
	classVague     Class = "vague answer"
	classAskedBack Class = "asked back"
	classLeftOpen  Class = "left open"
	classOption    Class = "option"
	classRefusal   Class = "refusal"
	classRule      Class = "rule"
	classObjection Class = "objection"
	classSaid      Class = "said"
	classPasted    Class = "pasted"
	classPlan      Class = "plan"
	classTodo      Class = "to-do list"
	classCommit    Class = "commit"
	classDecisions Class = "decision document"
	classDocument  Class = "document"
	classChoice    Class = "choice"
	classReport    Class = "report"
	classLastWords Class = "last words"
	classWork      Class = "work"
	classRecipe    Class = "recipe"
	classIdle      Class = "idle check"
)

// classRow holds the consequences of a class.
type classRow struct {
	layer      session.Layer
	confidence float64 // 0 where the table of weights judges
	counted    bool    // a session keeps only the best of them
	memoryFrom float64 // confidence from which on it is a memory; below, a note of its session
}

// classFields is how many fields a row has.
const classFields = 6

var classRows = lazy.Value(func() map[Class]classRow {
	out := map[Class]classRow{}
	for f := range words.Rows(classFile, classFields) {
		memoryFrom := hundredths(f[4])
		if f[4] == "never" {
			memoryFrom = math.Inf(1)
		}
		out[Class(f[0])] = classRow{
			layer: session.Layer(f[1]), confidence: hundredths(f[2]), counted: f[3] == "yes",
			memoryFrom: memoryFrom,
		}
	}
	return out
})

// hundredths reads a confidence in hundredths, 0 for "-".
func hundredths(cell string) float64 {
	n, _ := strconv.Atoi(cell)
	return float64(n) / 100
}

// Layer is the layer of the memories of a class.
func (c Class) Layer() session.Layer { return classRows()[c].layer }

// counted reports whether a session keeps only the best of a class.
func (c Class) counted() bool { return classRows()[c].counted }

// note reports whether what rests on a class with a confidence is a note of its session and
// no memory.
func (c Class) note(confidence float64) bool { return confidence < classRows()[c].memoryFrom }

// confidence is that of a class by itself, 0 where the table of weights judges.
func (c Class) confidence() float64 { return classRows()[c].confidence }

// IsNote reports whether a pending memory that capture found is a note by the table of today:
// what it rests on is known by its layer, its title and its confidence alone, and in doubt it is none.
func IsNote(m *memory.Memory) bool {
	f := session.FindingOf(m)
	guesses := []session.Layer{session.LayerPattern, session.LayerUser, session.LayerRecipe, session.LayerStructure}
	return slices.Contains(guesses, f.Layer) && !m.IsStep() && recordedClass(f).note(m.Confidence)
}

// recordedClass is the class of a finding of an earlier run, of which the record of the
// session says only the layer, the title and the confidence. The plan is never read from there.
func recordedClass(f session.Finding) Class {
	sure := f.Confidence >= confUser
	switch {
	case f.Layer == session.LayerPattern && sure:
		return classChoice
	case f.Layer == session.LayerUser && (sure || f.Confidence >= confRule && passage.Rule(f.Title) != ""):
		return classRule
	}
	return cmp.Or(map[session.Layer]Class{
		session.LayerTag: classTag, session.LayerAnswer: classAnswer, session.LayerUser: classSaid,
		session.LayerStructure: classDocument, session.LayerRecipe: classRecipe,
	}[f.Layer], classLastWords)
}
