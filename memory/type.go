package memory

import (
	"fmt"
	"strings"
	"time"
)

// Type is the type of a memory. The set is closed; see [Types].
type Type string

// The types, in order of priority.
const (
	Decision     Type = "decision"
	Rejected     Type = "rejected"
	Architecture Type = "architecture"
	Preference   Type = "preference"
	Plan         Type = "plan"
	Fix          Type = "fix"
	Gotcha       Type = "gotcha"
	Learned      Type = "learned"
	Pattern      Type = "pattern"
	Question     Type = "question"
	Problem      Type = "problem"
	Progress     Type = "progress"
	Context      Type = "context"
	Code         Type = "code"
)

const day = 24 * time.Hour

// Types lists every type, highest priority first.
func Types() []Type {
	return []Type{
		Decision, Rejected, Architecture, Preference, Plan, Fix, Gotcha, Learned, Pattern,
		Question, Problem, Progress, Context, Code,
	}
}

// ParseType reads a type by name or by one of the synonyms that tags and
// imported stores use, in any case, with "-" or "_" between words, and in the
// plural.
func ParseType(s string) (Type, error) {
	name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(s)), "-", "_")
	for _, singular := range [...]string{name, strings.TrimSuffix(name, "s"), strings.TrimSuffix(name, "es")} {
		if t := Type(singular); t.Valid() {
			return t, nil
		}
		if t := synonym(singular); t != "" {
			return t, nil
		}
	}
	return "", fmt.Errorf("unknown memory type %q (one of %s)", s, typeNames())
}

// synonym returns the type that other systems call by this word, or "".
func synonym(name string) Type {
	switch name {
	case "decided", "decision_made":
		return Decision
	case "approach_rejected", "rejection":
		return Rejected
	case "arch":
		return Architecture
	case "preference_noted", "pref", "convention":
		return Preference
	case "plan_created", "todo":
		return Plan
	case "error_resolved", "solution":
		return Fix
	case "trap", "warning":
		return Gotcha
	case "knowledge_acquired", "conclusion", "learning", "fact", "insight":
		return Learned
	case "issue", "bug":
		return Problem
	case "plan_step_completed", "task_completed", "done":
		return Progress
	case "code_description":
		return Code
	}
	return ""
}

// Valid reports whether t is one of [Types].
func (t Type) Valid() bool {
	_, _, ok := t.defaults()
	return ok
}

// Priority is the default priority of the type, 1–10; 5 for an unknown type.
func (t Type) Priority() int {
	priority, _, _ := t.defaults()
	return priority
}

// HalfLife is the time in which confidence halves; 0 means that it never does.
func (t Type) HalfLife() time.Duration {
	_, halfLife, _ := t.defaults()
	return halfLife
}

// defaults returns a row of the table in FORMAT.md, "Types"; ok is false for
// an unknown type.
func (t Type) defaults() (priority int, halfLife time.Duration, ok bool) {
	switch t {
	case Decision, Rejected:
		return 9, 0, true
	case Architecture, Preference:
		return 8, 0, true
	case Plan:
		return 8, 30 * day, true
	case Fix:
		return 7, 90 * day, true
	case Gotcha:
		return 7, 45 * day, true
	case Learned, Pattern:
		return 7, 60 * day, true
	case Question, Problem:
		return 6, 30 * day, true
	case Progress:
		return 6, 7 * day, true
	case Context:
		return 5, 30 * day, true
	case Code:
		return 5, 0, true
	}
	return 5, 0, false
}

func typeNames() string {
	names := make([]string, 0, 14)
	for _, t := range Types() {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}
