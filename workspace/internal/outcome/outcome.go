// Package outcome says how a hook ended. Every way out of every hook is one [Outcome],
// so that nothing that was not done can be taken for done: only one that [Outcome.Settles]
// lets a later hook pass over what this one was told of.
package outcome

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Kind is one way for a hook to end. docs/behaviour.md lists them.
type Kind string

// The kinds. The first three are of a hook that did its work.
const (
	Read    Kind = "read"    // the session's transcript, up to an offset
	Told    Kind = "told"    // the agent was given something
	Done    Kind = "done"    // git's commit was served
	Nothing Kind = "nothing" // there was nothing to read, to say or to do

	NotSetUp  Kind = "not-set-up" // nobody ran `cortex init` in this clone
	Nested    Kind = "nested"     // a program that cortex itself started calls it
	Elsewhere Kind = "elsewhere"  // the session is one of another folder

	Spooled Kind = "spooled" // read, and kept until the journal can be written
	Unknown Kind = "unknown" // git did not say whether cortex is set up
	Refused Kind = "refused" // what the hook was handed cannot be used
	Late    Kind = "late"    // the hook was ended, or its time was over
	Failed  Kind = "failed"  // anything else
)

// Outcome is how one hook ended. The zero Outcome is none: [Outcome.Known] makes it a
// failure.
type Outcome struct {
	Kind  Kind
	To    int64 // of Read and Spooled: the offset in the transcript, in bytes
	Added int   // of Read and Spooled: new memories
	Err   error // why; nil where all went well
}

// Of is the outcome of a kind, unless something failed.
func Of(kind Kind, failed error) Outcome { return Outcome{Kind: kind}.And(failed) }

// Because is the outcome of a kind that has a reason.
func Because(kind Kind, err error) Outcome { return Outcome{Kind: kind, Err: err} }

// And is the outcome after something more, which may have failed.
func (o Outcome) And(failed error) Outcome {
	if failed == nil {
		return o
	}
	switch o.Kind {
	case Unknown, Refused, Late, Failed:
	default:
		o.Kind = Failed
	}
	o.Err = errors.Join(o.Err, failed)
	return o
}

// Known is the outcome of a hook whose context is at its end or is not. One that
// failed after its time was over is late, whatever it says, and one without a kind
// failed.
func (o Outcome) Known(ctx context.Context) Outcome {
	switch {
	case o.Kind == "":
		return o.And(errors.New("it did not say how it ended"))
	case o.Err != nil && (ctx.Err() != nil || errors.Is(o.Err, context.DeadlineExceeded)):
		o.Kind = Late
	}
	return o
}

// Settles reports whether the transcript was read and nothing is left to do, so that
// in the same state another hook need not read it.
func (o Outcome) Settles() bool { return o.Kind == Read && o.Err == nil }

// Silent reports whether a hook leaves no word of itself.
func (o Outcome) Silent() bool { return slices.Contains([]Kind{NotSetUp, Nested}, o.Kind) }

// troubles say what a person should know of outcomes of a kind, before the reason.
func troubles() map[Kind]string {
	return map[Kind]string{
		Unknown: "could not tell whether cortex is set up: ",
		Refused: "could not use what it was handed: ",
		Late:    "was ended before it was done: ",
	}
}

// Trouble says in words, after "the last stop hook", what a person should know of
// outcomes of a kind; "" for one that is as it should be. Why is the reason that was noted.
func (k Kind) Trouble(why string) string {
	trouble, ok := troubles()[k]
	switch {
	case k == Spooled:
		return "could not write the journal, and kept what it read in the spool"
	case ok:
		return trouble + why
	case why != "":
		return "failed: " + why
	}
	return ""
}

// wordings say what outcomes are that have no more to say.
func wordings() map[Kind]string {
	return map[Kind]string{
		Told:      "told what it knew",
		Done:      "done",
		Nothing:   "nothing new",
		Elsewhere: "a session of another folder",
		Unknown:   "could not tell",
		Refused:   "refused",
		Late:      "late",
		Failed:    "failed",
	}
}

// Words say in a few words what outcomes of a kind are; "" for what is not known. To
// and added are as in [Outcome].
func (k Kind) Words(to int64, added int) string {
	read := fmt.Sprintf("read up to byte %d", to)
	switch {
	case added == 1:
		read += ", 1 new memory"
	case added > 1:
		read += fmt.Sprintf(", %d new memories", added)
	}
	switch k {
	case Read:
		return read
	case Spooled:
		return read + ", kept in the spool"
	}
	return wordings()[k]
}
