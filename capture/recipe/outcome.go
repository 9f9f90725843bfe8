package recipe

import (
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/transcript"
)

// Bounds of what is held of calls.
const (
	maxRunning = 100 // calls whose result is waited for
	keySize    = 160 // bytes of a key
)

// Outcomes notes how the calls of a session end: which the user turned down, and by which key a
// command line that failed is known in any session. The zero value works.
type Outcomes struct {
	Redactor *redact.Redactor

	running   map[string]string // command lines whose result is not read yet, by the id of the call
	corrected bool              // the event before is a correction
}

// Event takes an event in. It returns 1 for a correction: the user stops the agent, or turns a
// call down. An agent that is stopped at several calls writes each down, so what follows on
// another counts as the same one. It returns the key of a command line that failed, "" for none.
func (o *Outcomes) Event(e *transcript.Event) (corrections int, failed string) {
	corrects := e.Kind == transcript.Interrupt || e.Refused
	if corrects && !o.corrected {
		corrections = 1
	}
	o.corrected = corrects
	switch e.Kind {
	case transcript.Call:
		o.runs(e)
	case transcript.Result:
		failed = o.failure(e)
		delete(o.running, e.ID)
	}
	return corrections, failed
}

// runs waits for the result of a call that runs a command line.
func (o *Outcomes) runs(e *transcript.Event) {
	if o.running == nil || len(o.running) >= maxRunning {
		o.running = map[string]string{}
	}
	o.running[e.ID] = e.Shell()
}

// failure is the key of a command line that failed; "" for another result.
func (o *Outcomes) failure(e *transcript.Event) string {
	line := o.running[e.ID]
	if line == "" || !e.FailedAtWork() {
		return ""
	}
	key := failureKey(line, o.Redactor.Text(ends(e.Output)))
	return prose.Clip(o.Redactor.Line(key), keySize)
}

// ends is an output of which the head and the end are kept, where it is long.
func ends(output string) string {
	n := len(output)
	if n <= outputSize {
		return output
	}
	return output[:outputSize*2/3] + "\n" + output[n-outputSize/3:]
}

// failureKey is how a command line begins, and the stable part of the most telling line of its
// output; "" where these tell nothing.
func failureKey(line, output string) string {
	for _, l := range telling(Lines(output)) {
		if s := Signature(l); strings.Contains(s, " ") { // a word alone is said of many errors
			return Head(line) + ": " + s
		}
	}
	return ""
}
