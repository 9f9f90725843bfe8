package recipe

import (
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/transcript"
)

// Fault is a call that failed, as a reader of the session is told of it.
type Fault struct {
	Record int // line of its result
	Time   time.Time
	Text   string // what was called, and the lines that say what went wrong, without secrets
}

// Bounds of the faults of a turn.
const (
	maxFaults  = 40
	faultLines = 2
	faultSize  = 200 // bytes of a command or a line
)

// Faults are the calls of the turn that failed with an error that says something,
// in its order and each error once. Commands that only look are left out, and so
// are those that a person turned down, and what the harness of the agent said of
// its own tools.
func (f *Follower) Faults() []Fault {
	var out []Fault
	seen := map[string]bool{}
	for _, c := range f.calls {
		said := f.faultOf(c)
		if len(said) == 0 || isOfHarness(c, said[0]) {
			continue
		}
		key := c.name + " " + Signature(said[0])
		if !seen[key] && len(out) < maxFaults {
			seen[key] = true
			out = append(out, f.fault(c, said))
		}
	}
	return out
}

// faultOf are the lines of a failed call that say what went wrong, nil where it only
// looked.
func (f *Follower) faultOf(c *call) []string {
	if !c.failed || isProbe(Head(c.line)) {
		return nil
	}
	return telling(Lines(f.Redactor.Text(c.output)))
}

// isOfHarness reports whether the harness of the agent said of its own tool what failed.
func isOfHarness(c *call, said string) bool {
	return c.tool != transcript.ToolShell && matches("transient", said)
}

// fault is how a reader is told of a failed call, and of what it said.
func (f *Follower) fault(c *call, said []string) Fault {
	lines := []string{f.called(c) + " failed:"}
	for _, l := range said[:min(len(said), faultLines)] {
		lines = append(lines, f.shown(l, faultSize))
	}
	return Fault{c.record, c.time, strings.Join(lines, "\n")}
}

// called says what was called.
func (f *Follower) called(c *call) string {
	switch {
	case committed(c.line): // its message was not kept by anybody
		return f.code(Head(c.line))
	case c.tool == transcript.ToolShell:
		return f.code(flat(c.line))
	case c.path != "":
		return c.name + " of " + f.code(c.path)
	}
	return c.name
}
