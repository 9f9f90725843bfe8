package memory

import (
	"slices"
	"strings"
)

// TriggerKind says at what a memory comes back without being asked for. Other
// kinds than these are kept and mean nothing to this version.
type TriggerKind string

// The kinds of triggers, as FORMAT.md lists them under "Triggers".
const (
	TriggerError   TriggerKind = "error"   // a failed call whose output has this stable part
	TriggerCommand TriggerKind = "command" // a command line that begins so: program and subcommand
	TriggerTool    TriggerKind = "tool"    // a call of this tool of the agent
	TriggerFile    TriggerKind = "file"    // a file that is opened or changed: a path or its pattern
	TriggerBefore  TriggerKind = "before"  // a command or a file, before which it is said in any case
	TriggerWhen    TriggerKind = "when"    // words that a prompt, a question, a search or an error has, all of them
)

// Trigger is one item of a memory's triggers; "" when value is.
func Trigger(kind TriggerKind, value string) string {
	if value = OneLine(value); value == "" {
		return ""
	}
	return string(kind) + ": " + value
}

// TriggersOf returns the values of m's triggers of one kind.
func (m *Memory) TriggersOf(kind TriggerKind) []string {
	var out []string
	for _, t := range m.Triggers {
		if k, value, ok := strings.Cut(t, ": "); ok && k == string(kind) {
			out = append(out, value)
		}
	}
	return out
}

// IsTrap reports whether triggers are those of a recipe or a trap, which a call that
// failed has left: others only say when a memory matters.
func IsTrap(triggers []string) bool {
	return slices.ContainsFunc(triggers, func(t string) bool {
		kind, _, _ := strings.Cut(t, ": ")
		return TriggerKind(kind) != TriggerBefore && TriggerKind(kind) != TriggerWhen
	})
}

// Marks of a recipe's text: the call that failed, what it said and what works
// instead stand behind them, each in a code span.
const (
	TriedMark = "Tried: "
	ErrorMark = "Error: "
	WorksMark = "What works: "
)
