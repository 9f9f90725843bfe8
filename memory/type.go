package memory

import (
	"fmt"
	"slices"
	"strings"
	"sync"
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

// typeRow is a row of the table in FORMAT.md, "Types".
type typeRow struct {
	name     Type
	priority int
	halfLife time.Duration // 0 for never
	scope    string        // where memories of the type hold if they do not say so themselves
	synonyms []string
}

// typeRows are the rows of all types, highest priority first.
var typeRows = sync.OnceValue(func() []typeRow {
	return []typeRow{
		{Decision, 9, 0, ScopeBranch, []string{"decided", "decision_made"}},
		{Rejected, 9, 0, ScopeRepository, []string{"approach_rejected", "rejection"}},
		{Architecture, 8, 0, ScopeBranch, []string{"arch"}},
		{Preference, 8, 0, ScopeRepository, []string{"preference_noted", "pref", "convention"}},
		{Plan, 8, 30 * day, ScopeBranch, []string{"plan_created", "todo"}},
		{Fix, 7, 90 * day, ScopeRepository, []string{"error_resolved", "solution"}},
		{Gotcha, 7, 45 * day, ScopeRepository, []string{"trap", "warning"}},
		{Learned, 7, 60 * day, ScopeRepository, []string{
			"knowledge_acquired", "conclusion", "learning", "fact", "insight",
		}},
		{Pattern, 7, 60 * day, ScopeRepository, nil},
		{Question, 6, 30 * day, ScopeRepository, nil},
		{Problem, 6, 30 * day, ScopeRepository, []string{"issue", "bug"}},
		{Progress, 6, 7 * day, ScopeBranch, []string{"plan_step_completed", "task_completed", "done"}},
		{Context, 5, 30 * day, ScopeBranch, nil},
		{Code, 5, 0, ScopeBranch, []string{"code_description"}},
	}
})

// row returns the row of a type; ok is false for an unknown one.
func (t Type) row() (row *typeRow, ok bool) {
	rows := typeRows()
	for i := range rows {
		if rows[i].name == t {
			return &rows[i], true
		}
	}
	return &typeRow{priority: 5, scope: ScopeBranch}, false
}

// Types lists every type, highest priority first.
func Types() []Type {
	rows := typeRows()
	out := make([]Type, len(rows))
	for i := range rows {
		out[i] = rows[i].name
	}
	return out
}

// ParseType reads a type by name or by one of the synonyms that tags and
// imported stores use, in any case, with "-" or "_" between words, and in the
// plural.
func ParseType(s string) (Type, error) {
	name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(s)), "-", "_")
	for _, singular := range [...]string{name, strings.TrimSuffix(name, "s"), strings.TrimSuffix(name, "es")} {
		for _, row := range typeRows() {
			if string(row.name) == singular || slices.Contains(row.synonyms, singular) {
				return row.name, nil
			}
		}
	}
	return "", fmt.Errorf("unknown memory type %q (one of %s)", s, typeNames())
}

// Valid reports whether t is one of [Types].
func (t Type) Valid() bool {
	_, ok := t.row()
	return ok
}

// Priority is the default priority of the type, 1–10; 5 for an unknown type.
func (t Type) Priority() int {
	row, _ := t.row()
	return row.priority
}

// HalfLife is the time in which confidence halves; 0 means that it never does.
func (t Type) HalfLife() time.Duration {
	row, _ := t.row()
	return row.halfLife
}

// Scope is where memories of a type hold if they do not say so themselves.
func (t Type) Scope() string {
	row, _ := t.row()
	return row.scope
}

func typeNames() string {
	var out []string
	for _, t := range Types() {
		out = append(out, string(t))
	}
	return strings.Join(out, ", ")
}
