package memory_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

func TestParseType(t *testing.T) {
	for in, want := range map[string]memory.Type{
		"decision": memory.Decision, " Decisions ": memory.Decision, "DECISION_MADE": memory.Decision,
		"approach-rejected": memory.Rejected, "APPROACH_REJECTED": memory.Rejected, "arch": memory.Architecture,
		"PREFERENCE_NOTED": memory.Preference, "convention": memory.Preference, "todo": memory.Plan, "PLAN_CREATED": memory.Plan,
		"fixes": memory.Fix, "todos": memory.Plan, "bugs": memory.Problem, "ERROR_RESOLVED": memory.Fix, "solution": memory.Fix, "warning": memory.Gotcha,
		"KNOWLEDGE_ACQUIRED": memory.Learned, "conclusion": memory.Learned, "insight": memory.Learned, "patterns": memory.Pattern,
		"question": memory.Question, "bug": memory.Problem, "TASK_COMPLETED": memory.Progress, "plan-step-completed": memory.Progress,
		"context": memory.Context, "code_description": memory.Code, "": "", "s": "", "permanent": "", "dec ision": "",
	} {
		got, err := memory.ParseType(in)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("ParseType(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestTypes(t *testing.T) {
	const day = 24 * time.Hour
	type row struct {
		Type     memory.Type
		Priority int
		HalfLife time.Duration
	}
	want := []row{
		{memory.Decision, 9, 0},
		{memory.Rejected, 9, 0},
		{memory.Architecture, 8, 0},
		{memory.Preference, 8, 0},
		{memory.Plan, 8, 30 * day},
		{memory.Fix, 7, 90 * day},
		{memory.Gotcha, 7, 45 * day},
		{memory.Learned, 7, 60 * day},
		{memory.Pattern, 7, 60 * day},
		{memory.Question, 6, 30 * day},
		{memory.Problem, 6, 30 * day},
		{memory.Progress, 6, 7 * day},
		{memory.Context, 5, 30 * day},
		{memory.Code, 5, 0},
	}
	var got []row
	for _, typ := range memory.Types() {
		if parsed, err := memory.ParseType(string(typ)); parsed != typ || err != nil || !typ.Valid() {
			t.Errorf("%q is not itself: %q, %v", typ, parsed, err)
		}
		got = append(got, row{typ, typ.Priority(), typ.HalfLife()})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
	if typ := memory.Type("hunch"); typ.Valid() || typ.Priority() != 5 || typ.HalfLife() != 0 {
		t.Error("an unknown type has the wrong defaults")
	}
}

func TestParseRel(t *testing.T) {
	for _, rel := range memory.Rels() {
		if got, err := memory.ParseRel(string(rel)); got != rel || err != nil {
			t.Errorf("%q is not itself: %q, %v", rel, got, err)
		}
	}
	if got, err := memory.ParseRel(" Derived-From "); got != memory.DerivedFrom || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := memory.ParseRel("resembles"); err == nil {
		t.Error("an unknown relation is accepted")
	}
}
