package pulls

import (
	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/threads"
)

// Done says how far the lessons and the replies of a review were followed.
type Done struct {
	Dry     bool // nothing
	Applied bool // what its replies ask for
}

// Learned prints what a review teaches, and what its replies ask for.
func Learned(p *console.Printer, r *threads.Review, done Done) {
	t := &texter{p}
	p.Evidence(func() {
		if !done.Applied {
			t.section("Proposed by the review", len(r.Lessons), func(i int) { t.lesson(r.Lessons[i]) })
		}
		t.section("Asked for in replies", len(r.Replies), func(i int) { t.reply(r.Replies[i]) })
	})
	switch {
	case done.Applied:
		p.Printf("%s.\n", console.Plural(len(r.Replies), "reply was followed", "replies were followed"))
	case len(r.Lessons) == 0:
		p.Printf("%s taught nothing new.\n", console.Plural(r.Threads, "thread", "threads"))
	case done.Dry:
		p.Printf("\nNothing was written (--dry-run).\n")
	default:
		p.Printf("\n%s. To decide: cortex review\n", console.Plural(len(r.Lessons), "memory waits for you",
			"memories wait for you"))
	}
}

func (t *texter) lesson(l threads.Lesson) {
	t.line(refOf(l.Memory))
	if l.Memory.Text != "" {
		t.below(l.Memory.Text)
	}
	t.below(l.Why + ": " + l.Memory.Source.Ref)
}

func (t *texter) reply(a threads.Act) {
	t.line(refOf(a.Memory))
	t.below(replyText(a))
}

// replyText says who asks for what.
func replyText(a threads.Act) string {
	verb := "refused"
	if a.Keep {
		verb = "kept"
	}
	return verb + " by " + a.By.By
}
