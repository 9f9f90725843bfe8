package agents

import (
	"context"
	"errors"
	"slices"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/places"
	"github.com/git-cortex/cortex/workspace/internal/plans"
)

// stepCue is the cue of memories of steps.
const stepCue = "step of a plan"

// readBefore holds what was known of a session when it was read last; the zero value is
// that of a session that was not read before.
type readBefore struct {
	steps []session.Step // its to-do list
	plan  memory.ID      // that it went on with
}

func readBeforeOf(s *session.Session) readBefore {
	if s == nil {
		return readBefore{}
	}
	return readBefore{slices.Clone(s.Plan), s.PlanID}
}

// isCurrent reports whether the to-do list of a session says nothing new: it is as it was, or no list.
func (was *readBefore) isCurrent(s *session.Session) bool {
	if len(s.Plan) < 2 {
		return true
	}
	return s.PlanID == was.plan && slices.Equal(s.Plan, was.steps)
}

// advancePlan adds to what was captured the steps of a known plan that the to-do list of
// the session did, or added, since the list was read last, and those that it said were done.
// It reads nothing when the list is as it was and nothing was said.
func (r *reading) advancePlan(ctx context.Context, out *Captured, was readBefore) error {
	s := out.Session
	asBefore := was.isCurrent(s)
	r.said.Tags(out.kept())
	if asBefore && r.said.Silent() {
		return nil
	}
	v, err := r.w.Views.Plans(ctx, workspace.ViewOptions{Branch: r.topic, Local: true, Folders: true})
	if err != nil {
		return err
	}
	known := r.knownPlans(ctx, v, out)
	from := plans.Session{End: s.End, Source: memory.Source{
		Agent: s.Agent, Session: s.ID, Layer: string(session.LayerStructure), Branch: out.Branch, Record: s.PlanRecord,
	}}
	var list []plans.Step
	if !asBefore {
		list = plans.ToDo(s)
	}
	listed, did := plans.Continue(list, from, known)
	plan, steps, told := plans.Reported(&r.said, from, s.PlanID, append(known, did...))
	for _, tag := range told {
		repeats(tag, "it says that a step of the plan "+plan.ID.Short()+" is done")
	}
	return errors.Join(r.addSteps(ctx, out, plan, steps), r.addSteps(ctx, out, listed, did))
}

// addSteps adds steps of the plan that the session goes on with, nil for none, which the journal does not
// have and nobody dismissed.
func (r *reading) addSteps(ctx context.Context, out *Captured, plan *memory.Memory, steps []*memory.Memory) error {
	if plan == nil {
		return nil
	}
	out.Session.PlanID = plan.ID
	out.keep(plan.ID)
	pending := places.Pending(ctx, r.snap, out.Branch)
	for _, m := range steps {
		m.Source.Origin = memory.WeakestOrigin(memory.OriginAgent, plan.Source.Claimed())
		dismissed, err := places.Has(ctx, r.snap, journal.DismissedPath(m.ID))
		if err != nil {
			return err
		}
		there, err := pending(m.ID)
		if err != nil {
			return err
		}
		if !dismissed && len(there) == 0 {
			out.Candidates = append(out.Candidates, capture.Candidate{
				Memory: m, Layer: session.LayerStructure, Confidence: m.Confidence, Record: out.Session.PlanRecord,
				Span: m.Title, Cue: stepCue, Disposition: capture.Kept,
			})
		}
	}
	return nil
}

// knownPlans are the plans in a view that are in force and the steps that are recorded of
// them.
func (r *reading) knownPlans(ctx context.Context, v *workspace.View, out *Captured) []*memory.Memory {
	received := journal.MarksIn(ctx, r.snap)
	var records []*memory.Memory
	for _, e := range v.List(ctx, workspace.ListOptions{Types: []memory.Type{memory.Plan, memory.Progress}}) {
		if out.mayGoOnWith(&e, received) {
			records = append(records, e.Memory)
		}
	}
	return records
}

// mayGoOnWith reports whether a memory is of a plan that is in force and that was not received
// from another clone.
func (out *Captured) mayGoOnWith(e *workspace.Entry, received workspace.Marks) bool {
	if !ofPlan(e.Memory) || out.takesBack(e) {
		return false
	}
	return !received.Memory(e.Memory.ID) && e.Status != memory.StatusSuperseded
}

// ofPlan reports whether a memory is a plan or a step of one.
func ofPlan(m *memory.Memory) bool { return m.Type == memory.Plan || len(m.Linked(memory.StepOf)) > 0 }

// takesBack reports whether the session takes a memory back.
func (out *Captured) takesBack(e *workspace.Entry) bool {
	if e.Stage != index.Pending || e.Memory.Source.Session != out.Session.ID {
		return false
	}
	return slices.Contains(out.Withdrawn, e.Memory.ID)
}
