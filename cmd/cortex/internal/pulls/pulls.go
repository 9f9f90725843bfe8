// Package pulls prints what a reviewer of a pull request reads: [Text] what a change
// does to memories, [Markdown] the same as a comment, [Findings] what `cortex check`
// found, [Certificate] what a merge did. It promises that what a memory says acts on nothing where it
// is shown: not on a terminal, not on the page of a host, not on the log of a runner.
package pulls

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/linediff"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/changes"
)

// Text prints a report for people and agents.
func Text(p *console.Printer, r *changes.Report) {
	p.Printf("%s", p.Wrap(Summary(r)+".", ""))
	if r.Quiet() && len(r.Waits) == 0 {
		return
	}
	p.Evidence(func() {
		t := &texter{p}
		t.section("Settings", len(r.Policy), func(i int) { t.policy(r.Policy[i]) })
		t.section("By no reviewer", len(r.Unreviewed), func(i int) { t.below(unreviewedText(r.Unreviewed[i])) })
		t.section("Added", len(r.Added), func(i int) { t.memory(r.Added[i]) })
		t.section("Changed", len(r.Changed), func(i int) { t.change(r.Changed[i]) })
		t.section("Removed", len(r.Removed), func(i int) { t.title(r.Removed[i]) })
		t.section("Superseded", len(r.Superseded), func(i int) { t.turned(r.Superseded[i]) })
		t.section("Contested", len(r.Contested), func(i int) { t.turned(r.Contested[i]) })
		t.section("Stale", len(r.Stale), func(i int) {
			t.title(r.Stale[i].Entry)
			for _, c := range r.Stale[i].Code {
				t.below(codeText(c, strings.Clone))
			}
		})
		t.section("Contradicted", len(r.Contradicts), func(i int) {
			c := r.Contradicts[i]
			t.line(c.Of)
			t.below("by " + c.By.ID.Short() + " " + c.By.Title)
		})
		t.section("Unreadable", len(r.Problems), func(i int) { p.Printf("%s", p.Wrap(r.Problems[i].Error(), "  ")) })
		t.section("Waiting: cortex review", min(len(r.Waits), 1), func(int) { t.below(waitText(r.Waits)) })
	})
	if r.Budget.Bytes > 0 {
		p.Printf("\n%s", p.Wrap(budgetText(r.Budget)+".", ""))
	}
}

// texter prints the parts of a report.
type texter struct{ p *console.Printer }

func (t *texter) section(name string, n int, each func(int)) {
	if n > 0 {
		t.p.Printf("\n%s\n", console.Bold(name))
	}
	for i := range n {
		each(i)
	}
}

// margin is as wide as an id and what stands around it.
const margin = "           "

func (t *texter) line(r changes.Ref) {
	t.p.Hang(console.Bold("  "+r.ID.Short()+"  "), console.Plain(t.p.Cut(r.Title, t.p.Width-len(margin))))
	t.below(string(r.Type))
}

func (t *texter) title(e workspace.Entry) { t.line(refOf(e.Memory)) }

func (t *texter) below(words string) { t.p.Printf("%s", t.p.Wrap(words, margin)) }

func (t *texter) memory(e workspace.Entry) {
	t.title(e)
	if from := learned(e); from != "" {
		t.below(from)
	}
	if e.Memory.Text != "" {
		t.below(e.Memory.Text)
	}
}

// learned says where a memory comes from: the branch, the agent or person, and the session. "" if it
// does not say.
func learned(e workspace.Entry) string {
	from := &e.Memory.Source
	said := ""
	for _, part := range []struct{ how, what string }{
		{" on ", from.Branch},
		{" by ", strings.Replace(from.Agent, memory.Human, "a person", 1)},
		{" in session ", from.Session[:min(len(from.Session), shownSession)]},
	} {
		if part.what != "" {
			said += part.how + part.what
		}
	}
	if said == "" {
		return ""
	}
	return "learned" + said
}

// shownSession is how much of the id of a session is shown, in characters.
const shownSession = 8

func (t *texter) change(c changes.Change) {
	t.title(c.Now)
	for _, line := range scalars(c) {
		t.below(line)
	}
	for _, l := range lines(c.Was.Memory.Text, c.Now.Memory.Text) {
		if l.Sign != linediff.Same {
			t.p.Printf("%s", t.p.Wrap(l.Sign+" "+l.Text, margin))
		}
	}
}

func (t *texter) turned(turned changes.Turned) {
	t.title(turned.Entry)
	for _, by := range turned.By {
		t.below("by " + by.ID.Short() + " " + by.Title)
	}
}

// Summary says in one sentence, without its full stop, what a change does.
func Summary(r *changes.Report) string {
	var parts []string
	add := func(n int, what string) {
		if n == 0 {
			return
		}
		count := strconv.Itoa(n)
		if len(parts) == 0 {
			count = console.Plural(n, "memory", "memories")
		}
		parts = append(parts, count+" "+what)
	}
	add(len(r.Added), "added")
	add(len(r.Changed), "changed")
	add(len(r.Removed), "removed")
	add(len(r.Superseded), "superseded")
	add(len(r.Contested), "contested")
	clauses := lists.Where([]string{strings.Join(parts, ", ")}, func(s string) bool { return s != "" })
	also := func(n int, form, one, many string) {
		if n > 0 {
			clauses = append(clauses, fmt.Sprintf(form, console.Plural(n, one, many)))
		}
	}
	also(len(r.Stale), "this change makes %s stale", "memory", "memories")
	also(len(r.Contradicts), "%s contradicted", "memory is", "memories are")
	also(len(r.Problems), "%s", "file cannot be read as a memory", "files cannot be read as memories")
	also(len(r.Policy), "%s changed", "setting", "settings")
	text := strings.Join(clauses, "; ")
	if text == "" {
		return "No memory changes"
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// budgetText says how much there is to review.
func budgetText(b changes.Budget) string {
	text := fmt.Sprintf("%s to read, about %d tokens (a briefing has room for %d)", sizeText(b.Bytes), b.Tokens,
		b.Brief)
	switch {
	case b.Over:
		text = fmt.Sprintf("%s added, more than the %d that land on a branch unasked; %s",
			console.Plural(b.Added, "memory", "memories"), b.Most, text)
	case b.Added > 0:
		text = fmt.Sprintf("%s added (at most %d land on a branch unasked); %s",
			console.Plural(b.Added, "memory", "memories"), b.Most, text)
	}
	return text
}

func sizeText(n int) string {
	if n < 1024 {
		return console.Plural(n, "byte", "bytes")
	}
	return fmt.Sprintf("%.1f KB", float64(n)/1024)
}

// codeText says what became of a file, whose path a function shows.
func codeText(c changes.Code, show func(path string) string) string {
	switch {
	case c.Moved != "":
		return show(c.Path) + " is now " + show(c.Moved)
	case c.Gone:
		return show(c.Path) + " is gone"
	}
	return show(c.Path) + " changed"
}

// scalars are the fields of a memory that differ, but its text: each what it was and is,
// where that fits in a line.
func scalars(c changes.Change) []string {
	was, now := c.Was.Memory, c.Now.Memory
	var out []string
	var others []string
	for _, field := range c.Fields {
		switch field {
		case "text":
		case "title":
			out = append(out, "title: was “"+was.Title+"”")
		case "type":
			out = append(out, fmt.Sprintf("type: was %s", was.Type))
		case "confidence":
			out = append(out, fmt.Sprintf("confidence: %.2f, was %.2f", now.Confidence, was.Confidence))
		case "path":
			out = append(out, "moved from "+c.Was.Path)
		case "updated": // as with whatever else somebody changed
			if len(c.Fields) == 1 {
				others = append(others, field)
			}
		default:
			others = append(others, field)
		}
	}
	if len(others) > 0 {
		out = append(out, "other fields: "+strings.Join(others, ", "))
	}
	return out
}

// split are the lines of a text: of an empty one none.
func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// maxLines bounds what is compared line by line: it takes time by the product.
const maxLines = 1000

// lines compares two texts; nil where they are equal.
func lines(was, now string) []linediff.Line {
	if was == now {
		return nil
	}
	a, b := split(was), split(now)
	if max(len(a), len(b)) > maxLines {
		return []linediff.Line{
			{Sign: linediff.Removed, Text: fmt.Sprintf("(%d lines)", len(a))},
			{Sign: linediff.Added, Text: fmt.Sprintf("(%d lines)", len(b))},
		}
	}
	return linediff.Compare(a, b)
}
