package output

import (
	"fmt"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/proposal"
)

// Proposed shows which memories are offered for review, why, and what to do next.
func Proposed(p *console.Printer, out *proposal.Proposal) {
	for _, item := range out.Items {
		m := item.Memory
		p.Printf("%s %s  %s  %s\n", console.Good("+"), console.Bold(m.ID.Short()), console.Pad(string(m.Type), 12),
			console.Cut(m.Title, p.Width-26))
		p.Printf("%s", console.Dim(p.Wrap(item.Reason, "           ")))
	}
	switch {
	case len(out.Items) == 0:
		p.Printf("Nothing to propose.\n")
	case out.Branch == "":
		p.Printf("%s would be proposed on %s.\n", console.Plural(len(out.Items), "memory", "memories"), out.Base)
	default:
		p.Printf("%s proposed on %s: %s\n", console.Plural(len(out.Items), "memory", "memories"), out.Base,
			console.Bold(out.Branch))
	}
	if out.Waiting > 0 {
		p.Printf("%s\n", console.Dim(fmt.Sprintf("%d more wait for the next proposal.", out.Waiting)))
	}
	if out.Settled > 0 {
		p.Printf("%s", console.Dim(p.Wrap(fmt.Sprintf(
			"%s proposed before, and not again: cortex review",
			console.Plural(out.Settled, "memory was", "memories were")), "")))
	}
	if out.Next != "" {
		p.Printf("Next: %s\n", console.Bold(out.Next))
	}
}
