package capture

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

func itoa(n int) string { return strconv.Itoa(n) }

func oneLine(s string) string { return memory.OneLine(memory.Clean(s)) }

// documentOf reads a Write or Edit of a working document: plans, findings,
// decisions, notes. Product documentation and code are left alone.
func documentOf(e *transcript.Event, b *book) *item {
	p := slashed(e.Path())
	if !isDocument(p) {
		return nil
	}
	text := e.Content()
	if text == "" {
		return nil
	}
	return &item{
		kind: itDocument, path: cmp.Or(b.relative(p), path.Base(p)), text: text,
		whole: e.Tool == transcript.ToolWrite, replaced: e.Replaced(),
	}
}

func isDocument(p string) bool {
	if strings.Contains(strings.ToLower(path.Base(p)), "changelog") {
		return false // the history says it
	}
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".mdx", ".markdown", ".txt":
		return true
	}
	return false
}

// isWorkingDocument reports whether a path is that of a plan, a decision, notes or the like.
func isWorkingDocument(p string) bool {
	return in("working document", prose.Words(strings.ReplaceAll(p[max(0, len(p)-160):], "_", " ")))
}

// messageOf is the message of a git commit, or the text of a pull request, that a shell command
// gives; nil where it gives none. One without a body says that what was planned was committed.
func messageOf(cmd string) *item {
	subject, body := transcript.Message(cmd)
	if subject+body == "" {
		return nil
	}
	return &item{kind: itCommit, title: subject, text: body}
}

// planTitle is the first heading of a plan, without the word plan.
func planTitle(blocks []prose.Block) string {
	for _, b := range blocks {
		if t := withoutKind(b.Text); t != "" {
			return prose.Clip(prose.Sentence(t), passage.TitleLimit)
		}
	}
	return ""
}

// withoutKind is a title without the word plan in front of it, and without the kind of a commit.
func withoutKind(title string) string {
	if prefix, rest, found := strings.Cut(title, ":"); found && is("plan prefix", strings.ToLower(prefix)) {
		title = strings.TrimSpace(rest)
	}
	if kind, rest := conventional(title); commitKind(kind) != "other" {
		return rest
	}
	return title
}

// planBody gives the aim of a plan, its first prose, and then its steps.
func planBody(blocks []prose.Block) string {
	var p planParts
	for _, b := range blocks {
		if b.Kind == prose.Paragraph {
			p.paragraph(b.Text)
		}
		if isStep(b) || p.beginsSteps(b) {
			p.steps = append(p.steps, prose.ClipWords(b.Text, stepWords))
		}
	}
	steps := p.steps[:min(len(p.steps), mostPlanSteps)]
	body := strings.TrimRight(p.goal+"\n- "+strings.Join(steps, "\n- "), "\n- ")
	return strings.TrimLeft(body, "\n")
}

// planParts are the aim of a plan and its steps, as far as it was read.
type planParts struct {
	goal  string
	steps []string
}

// paragraph takes the first paragraph that says enough for the aim.
func (p *planParts) paragraph(text string) {
	if p.goal == "" && len(strings.Fields(text)) > 4 {
		p.goal = prose.ClipWords(text, goalWords)
	}
}

// beginsSteps reports whether a block is the first item below the aim, before any step.
func (p *planParts) beginsSteps(b prose.Block) bool {
	return p.goal != "" && len(p.steps) == 0 && b.Kind == prose.Item
}

// Sizes of an approved plan.
const (
	mostPlanSteps = 40
	stepWords     = 16
	goalWords     = 45
)

// isStep reports whether a block is a step of a plan: an item of a numbered list, a heading such
// as "1. Config loader" and "Step 2: …".
func isStep(b prose.Block) bool {
	switch b.Kind {
	case prose.Item:
		return b.Ordered && b.Indent == 0
	case prose.Heading:
		return b.Level > 1 && opensStep(b.Text)
	}
	return false
}

// opensStep reports whether a heading begins with a number or a word such as "Step".
func opensStep(heading string) bool {
	words := prose.Words(heading)
	return len(words) > 0 && (is("plan step", words[0]) || strings.IndexByte("0123456789", heading[0]) >= 0)
}
