package explore

import (
	"context"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
)

// PlanList has the plans of a view, the open ones first, and of these the active one.
type PlanList struct {
	Plans []PlanState `json:"plans"`
}

// PlanState is how far a plan came.
type PlanState struct {
	ID    memory.ID   `json:"id"`
	Title string      `json:"title"`
	Open  bool        `json:"open"` // neither finished, replaced nor lapsed
	Said  string      `json:"said"` // how far it came, in words; "" for a plan without steps
	Steps []StepState `json:"steps"`
}

// StepState is one step of a plan.
type StepState struct {
	Text    string    `json:"text"`
	Done    bool      `json:"done"`
	Current bool      `json:"current"`      // work is at it
	By      memory.ID `json:"by,omitempty"` // the memory by which it is done; "" where the plan says so
	Mark    string    `json:"-"`
}

// mostPlans is how many plans are listed.
const mostPlans = 20

// Plans returns the plans of a view, and the one that is noted for its branch.
func Plans(ctx context.Context, w *workspace.Workspace, view workspace.ViewOptions) (*PlanList, error) {
	v, err := w.View(ctx, view)
	if err != nil {
		return nil, err
	}
	entries := v.List(ctx, workspace.ListOptions{Types: []memory.Type{memory.Plan, memory.Progress}, Code: true})
	records := append(recordsOf(entries), workspace.NotedPlan(ctx, w.Journal, v)...)
	states := projection.States(records)
	list := &PlanList{Plans: []PlanState{}}
	for _, s := range states[:min(len(states), mostPlans)] {
		plan := PlanState{ID: s.Plan.ID, Title: s.Plan.Title, Open: s.Open, Said: s.Said, Steps: []StepState{}}
		for _, step := range s.Steps {
			plan.Steps = append(plan.Steps, stepState(&step))
		}
		list.Plans = append(list.Plans, plan)
	}
	return list, nil
}

func stepState(s *projection.Step) StepState {
	out := StepState{Text: s.Text, Done: s.Done, Current: s.Current, Mark: s.Mark}
	if s.By != nil {
		out.By = s.By.ID
	}
	return out
}
