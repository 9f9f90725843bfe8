package output

import (
	"cmp"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// BriefingChanges shows how one briefing differs from an earlier one.
func BriefingChanges(p *console.Printer, s *explore.BriefingChanges) {
	if len(s.Added)+len(s.Changed)+len(s.Gone) == 0 {
		p.Printf("The briefing says the same as then.\n")
	}
	p.Evidence(func() {
		for i := range s.Added {
			briefed(p, "+ ", s.Added[i].Memory)
		}
		for _, c := range s.Changed {
			briefed(p, "~ ", c.Entry.Memory)
			p.Printf("%s", console.Dim(p.Wrap(changed(c), "           ")))
		}
		for i := range s.Gone {
			briefed(p, "- ", s.Gone[i].Entry.Memory)
			p.Printf("%s", console.Dim(p.Wrap(gone(s.Gone[i]), "           ")))
		}
	})
	p.Printf("\n%s", console.Dim(p.Wrap(console.Plural(s.Same, "memory", "memories")+" as before, from "+
		state(s.From, s.FromDay)+" to "+state(s.To, s.ToDay), "")))
}

func briefed(p *console.Printer, sign string, m *memory.Memory) {
	p.Printf("%s%s  %s  %s\n", sign, console.Bold(m.ID.Short()), console.Pad(string(m.Type), 12),
		p.Cut(m.Quote(m.Title), p.Width-25))
}

// changed says what was edited in a memory.
func changed(c explore.Changed) string {
	if c.Was != "" {
		return "was: " + c.Was
	}
	return "edited: cortex log " + c.Entry.Memory.ID.Short()
}

// gone says why a briefing no longer shows a memory.
func gone(g explore.Gone) string {
	switch {
	case g.By != "":
		return g.Why + " by " + g.By.Short()
	case g.Why == "room":
		return "no room: others come before it"
	}
	return g.Why
}

// state names a view: its tree and the day that it is as of.
func state(v workspace.ViewShape, day string) string {
	tree := v.Tree
	if len(tree) > 7 {
		tree = tree[:7] + dirty(tree)
	}
	day = cmp.Or(day, "now")
	return "tree " + tree + " (" + day + ")"
}

// dirty is the mark of a tree whose memory files are others.
func dirty(tree string) string {
	const mark = "+dirty"
	if len(tree) > len(mark) && tree[len(tree)-len(mark):] == mark {
		return mark
	}
	return ""
}
