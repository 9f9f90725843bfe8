package output

import (
	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/explore"
)

// Plans shows how far plans came: the active one with its steps, one line for each of the others.
func Plans(p *console.Printer, list *explore.PlanList) {
	if len(list.Plans) == 0 {
		p.Printf("No plan yet. %s\n", console.Dim("One that you approve in your agent is kept."))
	}
	p.Evidence(func() {
		for i, plan := range list.Plans {
			title := console.Bold(p.Cut(plan.Title, p.Width-10))
			p.Printf("%s  %s\n%s", plan.ID.Short(), title, p.Wrap(plan.Said, "         "))
			if i > 0 || !plan.Open {
				continue
			}
			for _, s := range plan.Steps {
				p.Printf("         %s\n", p.Cut(s.Mark+s.Text, p.Width-9))
			}
		}
	})
}
