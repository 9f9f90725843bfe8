package agents

import (
	"errors"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index/recall"
)

// Described is one way of describing a moment by hand: a text that stands for a kind of
// moment. Commands, and tools of servers, have an argument for each.
type Described struct {
	Kind recall.Kind
	Text string // says what the argument means; what it takes stands between backticks
	In   func(*Asked) *string
}

// Name returns the name of its argument.
func (d *Described) Name() string { return string(d.Kind) }

// Moments lists the ways of describing a moment, one for each kind.
func Moments() []Described {
	return []Described{
		{recall.Prompt, "the user has typed `TEXT`", func(a *Asked) *string { return &a.Prompt }},
		{
			recall.Command, "the command line `CMD` is about to run, or has failed",
			func(a *Asked) *string { return &a.Command },
		},
		{recall.File, "the file `PATH` is about to be opened or changed", func(a *Asked) *string { return &a.File }},
		{recall.Search, "the code is about to be searched for `PATTERN`", func(a *Asked) *string { return &a.Search }},
		{
			recall.Question, "the agent is about to ask the user, or a subagent, `TEXT`",
			func(a *Asked) *string { return &a.Question },
		},
		{
			recall.Error, "a call has failed with `TEXT` (- for standard input)",
			func(a *Asked) *string { return &a.Error },
		},
	}
}

// Errors of a moment that is not described as [Asked] wants it.
var (
	ErrNoMoment = errors.New("recall needs a moment")
	ErrMoments  = errors.New("these are several moments")
)

// Check reports whether exactly one moment is described: [ErrNoMoment] or [ErrMoments]
// where it is not.
func (a *Asked) Check() error {
	described := a.described()
	switch {
	case len(described) == 0:
		return ErrNoMoment
	case len(described) == 1, isFailedCall(described):
		return nil
	}
	return ErrMoments
}

// described are the moments that a question describes.
func (a *Asked) described() []recall.Kind {
	var out []recall.Kind
	for _, d := range Moments() {
		if strings.TrimSpace(*d.In(a)) != "" {
			out = append(out, d.Kind)
		}
	}
	return out
}

// isFailedCall reports whether moments are those of a call and of its error.
func isFailedCall(moments []recall.Kind) bool {
	return slices.Equal(moments, []recall.Kind{recall.Command, recall.Error}) ||
		slices.Equal(moments, []recall.Kind{recall.File, recall.Error})
}
