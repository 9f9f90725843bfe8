package output

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace"
)

// Status shows how a clone stands.
func Status(p *console.Printer, s *workspace.Status, now time.Time) {
	state := setUpText(s)
	p.Printf("%s  %s, on %s\n", console.Bold("cortex"), state,
		p.Cut(cmp.Or(s.Branch, "(no branch)"), p.Width-state.Columns()-13))
	row := func(name string, value console.Text) { p.Hang(console.Plain("  "+console.Pad(name, 10)), value) }
	row("landed", console.Plain(console.Plural(s.Landed, "memory", "memories")))
	row("pending", pendingText(s))
	if s.Global > 0 {
		row("global", console.Plain(console.Plural(s.Global, "memory", "memories")))
	}
	for _, remote := range slices.Sorted(maps.Keys(s.Unsent)) {
		row("sync", console.Plain(console.Plural(s.Unsent[remote], "change", "changes")+" not sent to "+remote))
	}
	if s.Similar.Due > 0 {
		row("alike", console.Plain(console.Plural(s.Similar.New, "new memory", "new memories")+
			", of which some may say the same; if you like: cortex consolidate"))
	}
	if s.Unused > 0 {
		row("unused", console.Plain(console.Plural(s.Unused, "memory", "memories")+
			" that the latest sessions did not use, marked ? in cortex list"))
	}
	row("sessions", console.Plain(strconv.Itoa(s.Sessions)))
	for _, o := range s.Overdue {
		row("too old", console.Plain(overdueText(o)+": cortex gc --yes removes them"))
	}
	row("search", console.Plain(map[bool]string{
		true:  "by words and meaning",
		false: "by words (by meaning: cortex help embed)",
	}[s.Tier.Parts["vectors"]]+", "+indexText(s.Index.State)))
	if s.Enabled {
		row("hooks", partsText(s.Hooks,
			map[string]string{"config": " in git's configuration", "script": " as scripts"}[s.HooksBy]))
		row("merging", partsText(s.Drivers, ""))
	}
	if s.Curation != nil {
		row("wording", console.Plain(curationText(s.Curation, now)))
	}
	printRuns(p, s, now)
	for _, problem := range s.Problems {
		p.Printf("%s", p.WrapText(console.Plain(problem), console.Join(console.Bad("!"), console.Plain(" "))))
	}
	if len(s.Problems) > 0 {
		p.Printf("%s\n", console.Dim("for details: cortex doctor"))
	}
}

// setUpText says whether the clone is set up.
func setUpText(s *workspace.Status) console.Text {
	if s.Enabled {
		return console.Good("set up")
	}
	why := " (run cortex init)"
	if s.Root == "" {
		why = " (there is no working tree)"
	}
	return console.Join(console.Warn("not set up"), console.Dim(why))
}

// curationText says how much the command that reads worksheets has read.
func curationText(c *workspace.CurationStatus, now time.Time) string {
	waits := console.Plural(c.Waiting, "session", "sessions") +
		" that a model or an agent could word better, if you like: cortex curate"
	if c.Command == "" {
		return waits
	}
	said := fmt.Sprintf("by %s, %s today of at most %d", strings.Fields(c.Command)[0],
		console.Plural(c.Today, "worksheet", "worksheets"), c.Daily)
	if c.Tokens > 0 {
		said += fmt.Sprintf(", about %d tokens", c.Tokens)
	}
	if c.Last != "" {
		said += ", the last " + since(c.Last, now)
	}
	if c.Waiting > 0 {
		said += "; " + waits
	}
	return said
}

// since says how long ago a time was that is written in RFC 3339, or the time as it is
// written.
func since(written string, now time.Time) string {
	t, err := time.Parse(time.RFC3339, written)
	if err != nil {
		return written
	}
	return Ago(now.Sub(t))
}

// printRuns prints when each hook ran last, and how that ended.
func printRuns(p *console.Printer, s *workspace.Status, now time.Time) {
	var ran []string
	for _, event := range slices.Sorted(maps.Keys(s.Heartbeat)) {
		b := s.Heartbeat[event]
		said := event + " " + since(b.Time, now) + " in " + Milliseconds(b.MS)
		if words := b.Words(); words != "" {
			said += " (" + words + ")"
		}
		ran = append(ran, said)
	}
	if len(ran) == 0 {
		return
	}
	label := console.Pad("  last runs", 12)
	for line := range strings.Lines(p.List(ran, console.Pad("", 12)).String()) {
		p.Printf("%s\n", console.Dim(label+strings.TrimSpace(line)))
		label = console.Pad("", 12)
	}
}

func indexText(state string) string {
	if state == "absent" {
		return "no index yet"
	}
	return "index " + state
}

// landing says what becomes of the pending memories of a view.
func landing(s *workspace.Status) string {
	switch waits := s.Pending - s.Lands; {
	case s.Full:
		return "no more fit here for now: cortex review"
	case s.Land != "commit":
		return Landing(s.Land)
	case waits > 0:
		return console.Plural(s.Lands, "lands", "land") + " with your next commit, " +
			console.Plural(waits, "waits", "wait") + ": cortex review"
	}
	return console.Plural(s.Lands, "lands", "land") + " with your next commit"
}

func pendingText(s *workspace.Status) console.Text {
	out := console.Plain(console.Plural(s.Pending, "memory", "memories"))
	if s.Pending > 0 {
		out = console.Join(out, console.Plain(" ("+landing(s)+")"))
	}
	if s.Backlog > 0 {
		out = console.Join(out, console.Dim(", "),
			console.Plain(fmt.Sprintf("%d of them learned on other branches: cortex propose", s.Backlog)))
	}
	if s.Gone > 0 {
		out = console.Join(out, console.Dim(", "),
			console.Plain(fmt.Sprintf("%d of them from branches that are gone", s.Gone)))
	}
	if s.Elsewhere > 0 {
		out = console.Join(out, console.Dim(", "),
			console.Plain(console.Plural(s.Elsewhere, "memory", "memories")+" on other branches"))
	}
	if s.Received > 0 {
		out = console.Join(out, console.Dim(", "), console.Plain(fmt.Sprintf("%d of them from others", s.Received)))
	}
	if said := s.Unsaid.Text(); said != "" {
		out = console.Join(out, console.Dim(", "), console.Plain(said))
	}
	return out
}

// partsText says which parts of the set-up are installed, in which way, and
// which are missing.
func partsText(parts map[string]bool, way string) console.Text {
	var there, missing []string
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if parts[name] {
			there = append(there, name)
		} else {
			missing = append(missing, name)
		}
	}
	var out console.Text
	if len(there) > 0 {
		out = console.Join(console.Good("installed"), console.Plain(way+": "+strings.Join(there, ", ")))
	}
	if len(missing) > 0 {
		if len(there) > 0 {
			out = console.Join(out, console.Plain("; "))
		}
		out = console.Join(out, console.Bad("missing"), console.Plain(": "+strings.Join(missing, ", ")))
	}
	return out
}

// NeverAgreed says to which remotes nothing is ever sent, because nobody has agreed to it.
func NeverAgreed(p *console.Printer, remotes []string) {
	p.Printf("\n%s", p.Wrap("Nobody has agreed to exchange what is pending with "+strings.Join(remotes, ", ")+
		", so a sync there sends nothing. To look first: cortex sync --dry-run", ""))
}
