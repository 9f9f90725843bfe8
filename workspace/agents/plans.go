package agents

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
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
	asked int            // how many prompts it had
}

func readBeforeOf(s *session.Session) readBefore {
	if s == nil {
		return readBefore{}
	}
	return readBefore{slices.Clone(s.Plan), s.PlanID, len(s.Requests)}
}

// advancePlan adds to what was captured the steps of a known plan that the to-do list of
// the session did, or added, since the list was read last. The list is then no plan of its
// own. It reads nothing when the list is as it was.
func (x *capturer) advancePlan(ctx context.Context, snap *gitops.Snapshot, out *Captured, before readBefore, branch string) error {
	s := out.Session
	if len(s.Plan) < 2 || s.PlanID == before.plan && slices.Equal(s.Plan, before.steps) {
		return nil
	}
	own, records, err := x.knownPlans(ctx, out, branch)
	if err != nil {
		return err
	}
	list := make([]plans.Step, len(s.Plan))
	for i, step := range s.Plan {
		list[i] = plans.Step{Text: step.Text, Done: step.Status == "completed", Worked: step.Worked}
	}
	from := plans.Session{End: s.End, Source: memory.Source{
		Agent: s.Agent, Session: s.ID, Layer: string(session.LayerStructure), Branch: out.Branch, Record: s.PlanRecord,
	}}
	plan, steps := plans.Continue(list, from, records)
	if plan == nil {
		return nil
	}
	s.PlanID = plan.ID
	out.Withdrawn = slices.DeleteFunc(out.Withdrawn, func(id memory.ID) bool { return id == plan.ID })
	if own != nil {
		own.Disposition, own.Reason = capture.Duplicate, "it goes on with the plan "+plan.ID.Short()
	}
	pending, err := places.Pending(ctx, snap, out.Branch)
	if err != nil {
		return err
	}
	for _, m := range steps {
		m.Source.Origin = memory.WeakestOrigin(memory.OriginAgent, plan.Source.Claimed())
		gone, err := places.Has(ctx, snap, workspace.DismissedPath(m.ID))
		if err != nil {
			return err
		}
		there, err := pending(m.ID)
		if err != nil {
			return err
		}
		if gone || len(there) > 0 {
			continue
		}
		out.Candidates = append(out.Candidates, capture.Candidate{
			Memory: m, Layer: session.LayerStructure, Confidence: m.Confidence, Record: s.PlanRecord, Span: m.Title, Cue: stepCue, Disposition: capture.Kept,
		})
	}
	return nil
}

// knownPlans are the plans that are in force on a branch and the steps that are recorded of
// them, without the plan that the session itself just made: that is own, nil for none.
func (x *capturer) knownPlans(ctx context.Context, out *Captured, branch string) (own *capture.Candidate, records []*memory.Memory, err error) {
	v, err := x.w.View(ctx, workspace.ViewOptions{Branch: branch, Local: true, Folders: true})
	if err != nil {
		return nil, nil, err
	}
	without := map[memory.ID]bool{}
	for i := range out.Candidates {
		if c := &out.Candidates[i]; c.Disposition == capture.Kept && c.Memory.Type == memory.Plan && c.Memory.ID == out.Session.PlanID {
			own = c
			without[c.Memory.ID] = true
		}
	}
	received := x.w.Received(ctx)
	for _, e := range v.List(ctx, workspace.ListOptions{Types: []memory.Type{memory.Plan, memory.Progress}}) {
		m := e.Memory
		step := len(m.Linked(memory.StepOf)) > 0
		taken := e.Stage == index.Pending && m.Source.Session == out.Session.ID && slices.Contains(out.Withdrawn, m.ID)
		if taken || without[m.ID] || received.Memory(m.ID) || e.Status == memory.StatusSuperseded || m.Type == memory.Progress && !step {
			continue
		}
		records = append(records, m)
	}
	return own, records, nil
}
