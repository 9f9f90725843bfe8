package agents

import (
	"github.com/git-cortex/cortex/workspace/internal/outcome"
)

// Outcome is how a hook ended.
type Outcome = outcome.Outcome

// CannotTell is the outcome where git did not say whether cortex is set up: nothing was
// read, and a later hook has to.
func CannotTell(err error) Outcome { return outcome.Because(outcome.Unknown, err) }

// Refuse is the outcome of a hook that was handed what it cannot use.
func Refuse(err error) Outcome { return outcome.Because(outcome.Refused, err) }

// Late is the outcome of a hook that is given up.
func Late(err error) Outcome { return outcome.Because(outcome.Late, err) }

// Fail is the outcome of a hook that could not do its work.
func Fail(err error) Outcome { return outcome.Because(outcome.Failed, err) }

// NotSetUp is the outcome in a clone in which nobody ran `cortex init`.
func NotSetUp() Outcome { return Outcome{Kind: outcome.NotSetUp} }

// Nested is the outcome where a program that cortex itself started calls it.
func Nested() Outcome { return Outcome{Kind: outcome.Nested} }

// Served is the outcome of a hook of git's that did so many things, unless it failed.
func Served(things int, failed error) Outcome {
	if things == 0 {
		return outcome.Of(outcome.Nothing, failed)
	}
	return outcome.Of(outcome.Done, failed)
}

// Told is the outcome of a hook that has this to say to an agent, unless it failed.
func Told(out []byte, failed error) Outcome {
	if len(out) == 0 {
		return outcome.Of(outcome.Nothing, failed)
	}
	return outcome.Of(outcome.Told, failed)
}

func told(out []byte, failed error) ([]byte, Outcome) { return out, Told(out, failed) }
