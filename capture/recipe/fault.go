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
		if !c.done || !c.failed || c.output == "" || len(out) == maxFaults {
			continue
		}
		called := c.name
		switch {
		case c.tool == transcript.ToolShell:
			if probe(Head(c.line)) {
				continue
			}
			if called = f.code(flat(c.line)); committed(c.line) { // its message was not kept by anybody
				called = f.code(Head(c.line))
			}
		case c.path != "":
			called += " of " + f.code(c.path)
		}
		said := telling(saidLines(f.Redactor.Text(c.output)))
		if len(said) == 0 || c.tool != transcript.ToolShell && transient().MatchString(said[0]) {
			continue
		}
		var lines []string
		for _, l := range said[:min(len(said), faultLines)] {
			lines = append(lines, f.shown(l, faultSize))
		}
		key := c.name + " " + Signature(said[0])
		if seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, Fault{c.record, c.time, called + " failed:\n" + strings.Join(lines, "\n")})
	}
	return out
}
