// Package plans carries a plan from one session to the next. Call [Continue] with the
// to-do list of a session and the plans that are known: it finds the plan that the list
// goes on with, and returns the memories by which that plan advances. It promises that a
// step is recorded once by a session, and that a list which shares little with a plan starts
// its own.
package plans

import (
	"slices"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// Step is one item of a to-do list.
type Step struct {
	Text   string
	Done   bool
	Worked bool // the session worked on it, and did not find it done
}

// Session says where a to-do list comes from.
type Session struct {
	Source memory.Source
	End    time.Time
}

// confidence is that of a step which a tool of the agent reported as done, and open that
// of one which it added to the plan.
const (
	confidence = 0.85
	open       = 0.6
)

// sharedSteps is how many steps of a list a plan must have, if it is not the plan of the
// same session and the list has so many; it must also have half of them.
const sharedSteps = 2

// Continue finds the plan that a to-do list goes on with, the newest where several fit,
// and returns it with the memories of the steps that were done or added since, or done once
// more than another session had done them; nil if the list is a plan of its own. Records are
// all plans that are in force, and all memories that are steps of plans.
func Continue(list []Step, from Session, records []*memory.Memory) (plan *memory.Memory, steps []*memory.Memory) {
	plan, known := planOf(list, records)
	if plan == nil {
		return nil, nil
	}
	for i := range list {
		s := &list[i]
		if m := advance(plan, find(known, s.Text), s, from, records); m != nil {
			steps = append(steps, m)
		}
	}
	return plan, steps
}

// advance is the memory of what a session did about a step, which the plan may not know; nil for
// nothing that is to be recorded.
func advance(plan *memory.Memory, known *projection.Step, s *Step, from Session,
	records []*memory.Memory,
) *memory.Memory {
	step, session := stepOf(plan, s, from), from.Source.Session
	switch {
	case known == nil, s.Done && !known.Done:
		return step
	case !s.Done, !s.Worked:
		return nil
	case doneBy(plan, known).Source.Session == session, saidBy(session, plan, known.Text, records):
		return nil
	}
	return repeated(step, doneBy(plan, known))
}

// planOf is the newest plan that a list goes on with, and its steps; nil for none.
func planOf(list []Step, records []*memory.Memory) (plan *memory.Memory, known []projection.Step) {
	for _, plan := range newest(records) {
		known := projection.Steps(plan, records)
		if goesOn(list, known) {
			return plan, known
		}
	}
	return nil, nil
}

// newest are the plans among records, newest first.
func newest(records []*memory.Memory) []*memory.Memory {
	plans := lists.Where(records, (*memory.Memory).IsPlan)
	lists.Sort(plans, func(a, b *memory.Memory) int {
		return b.Created.Compare(a.Created)
	})
	return plans
}

// goesOn reports whether enough steps of a list are steps of a plan.
func goesOn(list []Step, plan []projection.Step) bool {
	n := shared(list, plan)
	return n >= max(1, min(sharedSteps, len(list))) && 2*n >= len(list)
}

// find is the step of a plan that a text words, in the same words or in others; nil for none.
func find(known []projection.Step, text string) *projection.Step {
	i := sameness.LikestStep(text, lists.Map(known, func(k projection.Step) string { return k.Text }))
	if i < 0 {
		return nil
	}
	return &known[i]
}

// isAlike reports whether two texts word one step.
func isAlike(a, b string) bool { return sameness.SameStep(a, b) >= sameness.StepAlike }

// doneBy is the memory that says that a step is done: one of its own, or the plan.
func doneBy(plan *memory.Memory, s *projection.Step) *memory.Memory {
	if s.By != nil {
		return s.By
	}
	return plan
}

// saidBy reports whether a session has said already that it did a step of a plan, whoever
// did it since: its transcript may be read again.
func saidBy(session string, plan *memory.Memory, text string, records []*memory.Memory) bool {
	return slices.ContainsFunc(records, func(m *memory.Memory) bool {
		if m.Type != memory.Progress || m.Source.Session != session {
			return false
		}
		return slices.Contains(m.Linked(memory.StepOf), plan.ID) && isAlike(text, m.Title)
	})
}

// repeated is the memory of a step that was done before, which it names: so doing it a third
// time is another memory.
func repeated(step, before *memory.Memory) *memory.Memory {
	text := "Done again, after " + before.ID.Short() + " of " + before.Created.Format(time.DateOnly) + ". " + step.Text
	m := memory.New(step.Type, step.Title, text, step.Created)
	m.Confidence, m.Source, m.Links = step.Confidence, step.Source, step.Links
	return m
}

// shared counts the steps of a list that are steps of a plan.
func shared(list []Step, have []projection.Step) int {
	n := 0
	for _, s := range list {
		if find(have, s.Text) != nil {
			n++
		}
	}
	return n
}

// stepOf is the memory of a step that was done, or of one that the plan lacked. It names the
// plan, so that the same step of two plans is two memories.
func stepOf(plan *memory.Memory, s *Step, from Session) *memory.Memory {
	typ, conf := memory.Progress, confidence
	if !s.Done {
		typ, conf = memory.Plan, open
	}
	m := memory.New(typ, s.Text, "A step of the plan: "+plan.Title, from.End)
	m.Confidence, m.Source = conf, from.Source
	m.Links = []memory.Link{{Rel: memory.StepOf, To: plan.ID}}
	return m
}
