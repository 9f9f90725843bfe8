package agents

import (
	"context"
	"errors"
	"slices"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/plans"
)

// stepCue is the cue of memories of steps.
const stepCue = "step of a plan"

// advancePlan adds to what was captured the steps of a known plan that the to-do list of
// the session did, or added, and those that it said were done. It reads nothing of a session without
// a list when nothing was said or committed.
func (r *reading) advancePlan(ctx context.Context, out *Captured) error {
	s := out.Session
	r.said.Tags(out.kept())
	own, noted := plans.NotedBy(s)
	if plans.IsOver(own, noted, s, r.before, &r.said) {
		s.PlanID, own = "", nil
	}
	if r.said.Silent() && len(s.Plan) < 2 {
		return nil
	}
	v, err := r.w.Views.Plans(ctx, workspace.ViewOptions{Branch: r.topic, Local: true, Folders: true})
	if err != nil {
		return err
	}
	from := plans.Session{End: s.End, Source: memory.Source{
		Agent: s.Agent, Session: s.ID, Layer: string(session.LayerStructure), Branch: out.Branch, Record: s.PlanRecord,
	}}
	noted = append(noted, plans.Noted(r.w.Journal.Planned(ctx, out.Branch, s.Path()))...)
	known := append(r.knownPlans(ctx, v), noted...)
	listed, did := plans.Continue(plans.ToDo(s), from, known)
	known = slices.Concat(known, own, did)
	plan, steps, told := plans.Reported(&r.said, from, s.PlanID, known)
	noted = append(noted, own...)
	if slices.Contains(noted, plan) {
		told = nil // they stay what somebody wanted remembered
	}
	ofOwn := func(c *capture.Candidate) bool { return slices.Contains(own, c.Memory) }
	return errors.Join(
		r.goOn(ctx, out, advance{plan, steps, told, slices.Contains(noted, plan)}),
		r.goOn(ctx, out,
			advance{listed, did, lists.Where(out.held(capture.Noted), ofOwn), slices.Contains(noted, listed)}),
	)
}

// advance holds what a session did about a plan.
type advance struct {
	plan  *memory.Memory // nil for none
	steps []*memory.Memory
	parts []*capture.Candidate // what was captured, and says nothing that the steps or the plan do not
	noted bool                 // the plan is a note, and so are its steps
}

// goOn adds the steps of the plan that the session goes on with which the journal does not have and nobody
// dismissed.
func (r *reading) goOn(ctx context.Context, out *Captured, a advance) error {
	if a.plan == nil {
		return nil
	}
	out.Session.PlanID = a.plan.ID
	out.keep(a.plan.ID)
	for _, c := range a.parts {
		out.forget(c, "it is part of the plan "+a.plan.ID.Short())
	}
	for _, m := range a.steps {
		m.Source.Origin = memory.WeakestOrigin(memory.OriginAgent, a.plan.Source.Claimed())
		if a.noted {
			out.Session.AddNote(m)
			continue
		}
		out.Candidates = append(out.Candidates, capture.Candidate{
			Memory: m, Layer: session.LayerStructure, Confidence: m.Confidence, Record: out.Session.PlanRecord,
			Span: m.Title, Cue: stepCue, Disposition: capture.Kept,
		})
	}
	return r.foldJournal(ctx, out, journal.MarksIn(ctx, r.snap))
}

// knownPlans are the plans in a view that are in force and the steps that are recorded of
// them.
func (r *reading) knownPlans(ctx context.Context, v *workspace.View) []*memory.Memory {
	received := journal.MarksIn(ctx, r.snap)
	all := v.List(ctx, workspace.ListOptions{Types: []memory.Type{memory.Plan, memory.Progress}})
	open := lists.Where(all, func(e workspace.Entry) bool { return mayGoOnWith(&e, received) })
	return lists.Map(open, func(e workspace.Entry) *memory.Memory { return e.Memory })
}

// mayGoOnWith reports whether a memory is of a plan that is in force and that was not received
// from another clone.
func mayGoOnWith(e *workspace.Entry, received workspace.Marks) bool {
	return e.Memory.OfPlan() && !received.Memory(e.Memory.ID) && e.Status != memory.StatusSuperseded
}
