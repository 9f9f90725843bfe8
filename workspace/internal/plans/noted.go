package plans

import (
	"slices"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// Noted are the plan of some sessions, where that is a note, and the steps that they noted of it; of a plan that became
// a memory, the steps alone. Records are those of sessions that made one plan or went on with it.
func Noted(records []*session.Session) []*memory.Memory {
	if len(records) == 0 {
		return nil
	}
	on := records[0].PlanID
	return session.NotesIn(records, func(m *memory.Memory) bool { return m.ID == on || isStepOf(m, on) })
}

func isStepOf(m *memory.Memory, plan memory.ID) bool {
	return slices.Contains(m.Linked(memory.StepOf), plan)
}

// NotedBy are the plan that a session notes, none for no plan, and the steps of plans that it notes.
func NotedBy(s *session.Session) (plan, steps []*memory.Memory) {
	one := []*session.Session{s}
	plan = session.NotesIn(one, func(m *memory.Memory) bool { return m.ID == s.PlanID })
	return plan, session.NotesIn(one, (*memory.Memory).IsStep)
}

// IsOver reports whether the plan that a session was given, none for no plan, is over as far as anybody can tell: the
// session worked on it to the end, its to-do list has no open step, and it does not say how far it came. Then the code
// says the rest. What was over in before, the record of an earlier reading, nil for none, stays so; steps are what that
// reading noted.
func IsOver(plan, steps []*memory.Memory, s, before *session.Session, said *Listener) bool {
	if len(plan) == 0 || hasOpen(s) {
		return false
	}
	return wasOver(s, before) || said.worked >= plan[0].Source.Record && !isCounted(plan[0].ID, steps, s, said)
}

func wasOver(s, before *session.Session) bool {
	return before != nil && before.PlanID == "" && before.PlanText == s.PlanText
}

// isCounted reports whether a session without a to-do list says which steps of a plan it did, by numbers or tags, or
// did so before.
func isCounted(plan memory.ID, steps []*memory.Memory, s *session.Session, said *Listener) bool {
	isStep := func(m *memory.Memory) bool { return isStepOf(m, plan) }
	return len(s.Plan) == 0 && (said.counts() || slices.ContainsFunc(steps, isStep))
}

// hasOpen reports whether the to-do list of a session has a step that is not done.
func hasOpen(s *session.Session) bool {
	return slices.ContainsFunc(s.Plan, func(step session.Step) bool { return step.Status != "completed" })
}
