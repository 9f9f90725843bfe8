package pulls

import (
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/linediff"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/changes"
)

// Marker is the first line of every comment, by which it is found again.
const Marker = "<!-- cortex:diff -->"

// maxComment bounds a comment: GitHub takes 65,536 characters.
const maxComment = 60_000

// maxListed is how many memories of a kind a comment names.
const maxListed = 100

// refusing says how a reviewer refuses a memory.
const refusing = "To refuse a memory, delete its file, or reply with a line <code>cortex: no ID</code>: " +
	"<code>cortex learn-from-review --apply</code> does what the replies of those who may write here ask for."

// part is one memory of a comment: in full, and as one line where there is no room.
type part struct{ full, brief string }

// Markdown is a report as a comment of a pull request, with an end of line.
func Markdown(r *changes.Report) string {
	var b strings.Builder
	b.WriteString(Marker + "\n### " + heading(r) + "\n")
	end := ""
	if len(r.Waits) > 0 {
		end = "\n" + inert(waitText(r.Waits)) + ".\n"
	}
	if r.Budget.Bytes > 0 {
		end += "\n<sub>" + budgetText(r.Budget) + ".<br>" + refusing + "</sub>\n"
	}
	sections := []struct {
		name  string
		parts []part
	}{ // what asks for a decision stands first
		{"Settings, guards, templates and files for agents: who may decide them?", lists.Map(r.Policy, policyPart)},
		{
			"Committed by no reviewer: a reviewer has to accept it",
			lists.Map(r.Unreviewed, func(u changes.Unreviewed) part { return oneLine(code(u.Path)) }),
		},
		{
			"Unreadable: mend or remove",
			lists.Map(r.Problems, func(p index.Problem) part { return oneLine(code(at(p)) + " " + inert(p.Text)) }),
		},
		{
			"Contradicted: let one supersede the other, or leave one out",
			lists.Map(r.Contradicts, func(c changes.Contradiction) part {
				return oneLine(refText(c.Of) + " by " + refText(c.By))
			}),
		},
		{"Contested", lists.Map(r.Contested, turnedPart)},
		{"Stale: verify or remove what no longer holds", lists.Map(r.Stale, stalePart)},
		{"Added", lists.Map(r.Added, entryPart)},
		{"Changed", lists.Map(r.Changed, changePart)},
		{"Removed", lists.Map(r.Removed, func(e workspace.Entry) part { return oneLine(titleOf(e)) })},
		{"Superseded", lists.Map(r.Superseded, turnedPart)},
	}
	room := maxComment - b.Len() - len(end)
	for _, s := range sections {
		room -= len(s.name) + 60 // its heading, and what says that there are more
		for _, p := range s.parts[:min(len(s.parts), maxListed)] {
			room -= len(p.brief)
		}
	}
	for _, s := range sections {
		if len(s.parts) > 0 {
			fmt.Fprintf(&b, "\n#### %s\n\n", s.name)
		}
		for i, p := range s.parts {
			if i == maxListed || b.Len()+len(p.brief)+len(end)+60 > maxComment {
				fmt.Fprintf(&b, "- and %d more\n", len(s.parts)-i)
				break
			}
			if extra := len(p.full) - len(p.brief); extra <= room {
				b.WriteString(p.full)
				room -= extra
			} else {
				b.WriteString(p.brief)
			}
		}
	}
	b.WriteString(end)
	return b.String()
}

// at is the place of a problem, with its line where there is one.
func at(p index.Problem) string {
	if p.Line == 0 {
		return p.Path
	}
	return fmt.Sprintf("%s:%d", p.Path, p.Line)
}

// heading says what the comment is about.
func heading(r *changes.Report) string {
	if r.Quiet() {
		return "Cortex: no memory changes"
	}
	text := Summary(r)
	return "Cortex: " + strings.ToLower(text[:1]) + text[1:]
}

func oneLine(s string) part { return part{"- " + s + "\n", "- " + s + "\n"} }

func titleOf(e workspace.Entry) string { return refText(refOf(e.Memory)) }

// refOf names a memory; the words of something that was read are a quotation.
func refOf(m *memory.Memory) changes.Ref {
	return changes.Ref{ID: m.ID, Type: m.Type, Title: m.Quote(m.Title)}
}

func refText(r changes.Ref) string {
	return fmt.Sprintf("**%s** (%s, `%s`)", inert(r.Title), inert(string(r.Type)), r.ID.Short())
}

func entryPart(e workspace.Entry) part {
	title := titleOf(e)
	if from := learned(e); from != "" {
		title += ", " + inert(from)
	}
	p := oneLine(title)
	p.full = title + "\n\n"
	if e.Memory.Text != "" {
		p.full += quoted(e.Memory.Text) + "\n"
	}
	return p
}

func changePart(c changes.Change) part {
	p := oneLine(titleOf(c.Now))
	var b strings.Builder
	b.WriteString(titleOf(c.Now) + "\n\n")
	if other := c.Now.Memory.OtherTitle(); other != "" {
		const head = "| one title | the other title |\n| --- | --- |\n"
		b.WriteString(head + "| " + inert(c.Now.Memory.Title) + " | " + inert(other) + " |\n\n")
	}
	for _, l := range scalars(c) {
		b.WriteString("> " + inert(l) + "  \n")
	}
	if compared := lines(c.Was.Memory.Text, c.Now.Memory.Text); len(compared) > 0 {
		b.WriteString("\n" + diffBlock(compared))
	}
	p.full = b.String() + "\n"
	return p
}

// diffBlock shows two texts line by line, as hosts colour it.
func diffBlock(compared []linediff.Line) string {
	var text strings.Builder
	for _, l := range compared {
		fmt.Fprintf(&text, "%s %s\n", l.Sign, strings.ReplaceAll(memory.Defang(l.Text), "\t", "    "))
	}
	fence := strings.Repeat("`", max(3, longestRun(text.String())+1))
	return fence + "diff\n" + text.String() + fence + "\n"
}

func turnedPart(t changes.Turned) part {
	text := titleOf(t.Entry)
	for i, by := range t.By {
		text += []string{", by ", " and "}[min(i, 1)] + refText(by)
	}
	return oneLine(text)
}

func stalePart(s changes.Stale) part {
	return part{
		"- " + titleOf(s.Entry) + ": " + strings.Join(lists.Map(s.Code, codeMarkdown), ", ") + "\n",
		oneLine(titleOf(s.Entry)).brief,
	}
}

func codeMarkdown(c changes.Code) string { return codeText(c, code) }
