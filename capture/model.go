package capture

import (
	"slices"

	"github.com/git-cortex/cortex/capture/transcript"
)

// modelsKept bounds how many changes of the model are remembered.
const modelsKept = 1000

// models are the models that a session ran on, each with the line that first names
// it after another.
type models struct {
	first string // by the head of the transcript, "" when it names none
	seen  []modelFrom
}

type modelFrom struct {
	record int
	name   string
}

// note takes the model of an event in.
func (m *models) note(e *transcript.Event, name string) {
	if n := len(m.seen); name == "" || n >= modelsKept || n > 0 && m.seen[n-1].name == name {
		return
	}
	m.seen = append(m.seen, modelFrom{e.Record, name})
}

// at returns the model at a line: the last that was named up to there, or the first
// of all for what stands before it.
func (m *models) at(record int) string {
	for _, x := range slices.Backward(m.seen) {
		if x.record <= record {
			return x.name
		}
	}
	if m.first == "" && len(m.seen) > 0 {
		return m.seen[0].name
	}
	return m.first
}
