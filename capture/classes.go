package capture

import (
	_ "embed" // the classes
	"strconv"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/capture/session"
)

//go:embed classes.tsv
var classFile string

// Class is a class of evidence: what a candidate rests on. classes.tsv has them all, with
// what follows from each.
type Class string

// The classes of evidence.
const (
	classTag        Class = "tag"
	classAnswer     Class = "answer"
	classOwnWords   Class = "own words"
	classVague      Class = "vague answer"
	classAskedBack  Class = "asked back"
	classLeftOpen   Class = "left open"
	classTurnedDown Class = "turned down"
	classOption     Class = "option"
	classRefusal    Class = "refusal"
	classRule       Class = "rule"
	classSaid       Class = "said"
	classPasted     Class = "pasted"
	classPlan       Class = "plan"
	classTodo       Class = "to-do list"
	classCommit     Class = "commit"
	classDecisions  Class = "decision document"
	classDocument   Class = "document"
	classChoice     Class = "choice"
	classReport     Class = "report"
	classLastWords  Class = "last words"
	classWork       Class = "work"
	classRecipe     Class = "recipe"
)

// classRow holds the consequences of a class.
type classRow struct {
	layer      session.Layer
	confidence float64 // 0 where the table of weights judges
	counted    bool    // a session keeps only the best of them
}

// classFields is how many fields a row has.
const classFields = 5

var classRows = sync.OnceValue(func() map[Class]classRow {
	out := map[Class]classRow{}
	for line := range strings.Lines(classFile) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != classFields || f[0] == "class" {
			continue
		}
		hundredths, _ := strconv.Atoi(f[2]) // "-" for none
		out[Class(f[0])] = classRow{layer: session.Layer(f[1]), confidence: float64(hundredths) / 100, counted: f[3] == "yes"}
	}
	return out
})

// Layer is the layer of the memories of a class.
func (c Class) Layer() session.Layer { return classRows()[c].layer }

// counted reports whether a session keeps only the best of a class.
func (c Class) counted() bool { return classRows()[c].counted }

// confidence is that of a class by itself, 0 where the table of weights judges.
func (c Class) confidence() float64 { return classRows()[c].confidence }

// recordedClass is the class of a finding of an earlier run, of which the record of the
// session says only the layer and the confidence. The plan is never read from there.
func recordedClass(f session.Finding) Class {
	switch f.Layer {
	case session.LayerTag:
		return classTag
	case session.LayerAnswer:
		return classAnswer
	case session.LayerRecipe:
		return classRecipe
	case session.LayerStructure:
		return classDocument
	case session.LayerUser:
		if f.Confidence >= confRule {
			return classRule
		}
		return classSaid
	}
	return classLastWords
}
