package plans

import (
	"slices"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
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
	return plan, session.NotesIn(one, func(m *memory.Memory) bool { return len(m.Linked(memory.StepOf)) > 0 })
}

// CarriedOut reports whether work on a plan of a session, none for no plan, is over as far as anybody can tell:
// something was committed, and nothing that was said names a step of it. Then the code says the rest.
func CarriedOut(plan []*memory.Memory, said *Listener, records []*memory.Memory) bool {
	isCommit := func(r Report) bool { return r.Call != "" && r.Record >= plan[0].Source.Record }
	if len(plan) == 0 || !slices.ContainsFunc(said.heard, isCommit) {
		return false
	}
	return !slices.ContainsFunc(projection.Steps(plan[0], records), func(s projection.Step) bool { return s.Done })
}
