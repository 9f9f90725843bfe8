package memory

import (
	"fmt"
	"strings"
	"time"
)

// Type is the kind of thing a memory says. The set is closed; see [Types].
type Type string

// The types of DESIGN §2, in order of priority.
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

// typeInfo is one row of the table of types. A zero half-life means never.
type typeInfo struct {
	typ      Type
	priority int
	halfLife time.Duration
	aliases  string // what the tag and the importers also accept, space-separated
}

func typeTable() []typeInfo {
	return []typeInfo{
		{Decision, 9, 0, "decided decision_made"},
		{Rejected, 9, 0, "approach_rejected rejection"},
		{Architecture, 8, 0, "arch"},
		{Preference, 8, 0, "preference_noted pref convention"},
		{Plan, 8, 30 * day, "plan_created todo"},
		{Fix, 7, 90 * day, "error_resolved solution"},
		{Gotcha, 7, 45 * day, "trap warning"},
		{Learned, 7, 60 * day, "knowledge_acquired conclusion learning fact insight"},
		{Pattern, 7, 60 * day, ""},
		{Question, 6, 30 * day, ""},
		{Problem, 6, 30 * day, "issue bug"},
		{Progress, 6, 7 * day, "plan_step_completed task_completed done"},
		{Context, 5, 30 * day, ""},
		{Code, 5, 0, "code_description"},
	}
}

// Types lists every type, highest priority first.
func Types() []Type {
	table := typeTable()
	out := make([]Type, len(table))
	for i, r := range table {
		out[i] = r.typ
	}
	return out
}

// ParseType reads a type by name or by one of the synonyms that tags and
// imported stores use, in any case and with "-" or "_" between words.
func ParseType(s string) (Type, error) {
	want := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(s)), "-", "_")
	for _, r := range typeTable() {
		if want == string(r.typ) || want == string(r.typ)+"s" {
			return r.typ, nil
		}
		for _, a := range strings.Fields(r.aliases) {
			if want == a {
				return r.typ, nil
			}
		}
	}
	return "", fmt.Errorf("unknown memory type %q (one of %s)", s, typeNames())
}

// Valid reports whether t is one of [Types].
func (t Type) Valid() bool { return t.info().typ != "" }

// Priority is the default priority of the type, 1–10; 5 for an unknown type.
func (t Type) Priority() int {
	if r := t.info(); r.typ != "" {
		return r.priority
	}
	return 5
}

// HalfLife is how long it takes for confidence to halve; 0 means never.
func (t Type) HalfLife() time.Duration { return t.info().halfLife }

func (t Type) info() typeInfo {
	for _, r := range typeTable() {
		if r.typ == t {
			return r
		}
	}
	return typeInfo{}
}

func typeNames() string {
	names := make([]string, 0, 14)
	for _, t := range Types() {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}
