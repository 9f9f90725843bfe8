package memory

import "strings"

// TriggerKind says at what a memory comes back without being asked for. Other
// kinds than these are kept and mean nothing to this version.
type TriggerKind string

// The kinds of triggers, as FORMAT.md lists them under "Triggers".
const (
	TriggerError   TriggerKind = "error"   // a failed call whose output has this stable part
	TriggerCommand TriggerKind = "command" // a command line that begins so: program and subcommand
	TriggerTool    TriggerKind = "tool"    // a call of this tool of the agent
	TriggerFile    TriggerKind = "file"    // a file that is opened or changed: a path or its pattern
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

// Marks of a recipe's text: the call that failed, what it said and what works
// instead stand behind them, each in a code span.
const (
	TriedMark = "Tried: "
	ErrorMark = "Error: "
	WorksMark = "What works: "
)
