package output

import (
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/exchange"
)

// maxPaths is how many paths of one kind are printed.
const maxPaths = 10

// Paths lists paths of the journal, each behind a mark.
func Paths(p *console.Printer, mark console.Text, paths []string) {
	for i, path := range paths {
		if i == maxPaths {
			p.Printf("  %s and %d more\n", mark, len(paths)-i)
			return
		}
		p.Printf("  %s %s\n", mark, console.Cut(strings.TrimPrefix(path, "pending/"), p.Width-5))
	}
}

// Synced says what an exchange with a remote brought and sent, or would.
func Synced(p *console.Printer, out *exchange.Result, dryRun, quiet bool) {
	received, sent := "Received", "Sent"
	if dryRun {
		received, sent = "Would receive", "Would send"
	}
	syncedWith(p, out, dryRun)
	if out.Rewound {
		p.Printf("%s %s was rewound: what it lost was pushed again, and nothing was removed here\n", console.Warn("!"),
			out.Remote)
	}
	tally(p, received, "from", out.Remote, &out.Received, dryRun)
	tally(p, sent, "to", out.Remote, &out.Sent, dryRun)
	troubles(p, out)
	if len(out.Received.Added) > 0 && !dryRun && !quiet {
		p.Printf("%s\n", console.Dim("to see them: cortex list --stage pending; to take one over: cortex land ID"))
	}
}

// syncedWith says how the remote stood.
func syncedWith(p *console.Printer, out *exchange.Result, dryRun bool) {
	switch {
	case out.Received.Empty() && out.Sent.Empty():
		p.Printf("Up to date with %s.\n", out.Remote)
	case out.New && !dryRun:
		p.Printf("Created a journal on %s.\n", out.Remote)
	}
}

func tally(p *console.Printer, what, direction, remote string, t *exchange.Tally, paths bool) {
	if t.Empty() {
		return
	}
	var parts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{len(t.Added) + len(t.Changed), "memory", "memories"},
		{t.Sessions, "session record", "session records"},
		{t.Other, "counter or dismissal", "counters and dismissals"},
		{len(t.Removed), "removal", "removals"}, // landed, dropped or moved
	} {
		if part.n > 0 {
			parts = append(parts, console.Plural(part.n, part.one, part.many))
		}
	}
	p.Printf("%s %s %s: %s.\n", what, direction, remote, strings.Join(parts, ", "))
	if paths {
		Paths(p, console.Good("+"), t.Added)
		Paths(p, console.Warn("~"), t.Changed)
		Paths(p, console.Bad("-"), t.Removed)
	}
}

func troubles(p *console.Printer, out *exchange.Result) {
	if out.Asks != "" {
		p.Printf("%s would ask first: %s\n", console.Warn("!"), out.Asks)
	}
	for i, h := range out.HeldBack {
		if i == maxPaths {
			p.Printf("%s and %d more were held back\n", console.Warn("!"), len(out.HeldBack)-i)
			break
		}
		p.Printf("%s held back: %s (%s)\n", console.Warn("!"), h.Path, h.Kind)
	}
	for i, r := range out.Refused {
		if i == maxPaths {
			p.Printf("%s and %d more were not accepted\n", console.Warn("!"), len(out.Refused)-i)
			break
		}
		p.Printf("%s not accepted: %s: %s\n", console.Warn("!"), r.Path, r.Reason)
	}
}

// Received says what an exchange that failed has brought all the same.
func Received(p *console.Printer, out *exchange.Result) {
	tally(p, "Received", "from", out.Remote, &out.Received, false)
	troubles(p, out)
}

// Removal asks a person about an exchange that would remove many memories.
func Removal(p *console.Printer, m *exchange.MassRemoval) {
	p.Raw(console.LineBegin)
	p.Printf("%s %s:\n", console.Warn("!"), m.Error())
	Paths(p, console.Bad("-"), m.Paths)
	p.Printf("Remove them here too? History keeps them. [y/N] ")
}

// Publication asks a person whether a remote may be sent to for the first time.
func Publication(p *console.Printer, m *exchange.Publication) {
	p.Raw(console.LineBegin)
	p.Printf("%s This is the first time that anything of the journal goes to %s (%s).\n", console.Warn("!"), m.Remote,
		m.Address)
	tally(p, "To be sent", "to", m.Remote, &m.Sent, true)
	if m.Sent.Sessions > 0 {
		p.Printf("A session record says what was asked, and which files and commands it was about.\n")
	}
	p.Printf("Whoever can read %s can read all of it then. Send it? [y/N] ", m.Remote)
}
