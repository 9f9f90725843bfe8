package capture

import (
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
	it := &item{kind: itDocument, path: b.relative(p)}
	if it.path == "" {
		it.path = path.Base(p)
	}
	it.text, it.whole, it.replaced = e.Content(), e.Tool == transcript.ToolWrite, e.Replaced()
	if it.text == "" {
		return nil
	}
	return it
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
// gives; nil where it has no body.
func messageOf(cmd string) *item {
	subject, body := transcript.Message(cmd)
	if body == "" {
		return nil
	}
	return &item{kind: itCommit, title: subject, text: body}
}

// planTitle is the first heading of a plan, without the word plan.
func planTitle(blocks []prose.Block) string {
	for _, b := range blocks {
		t := b.Text
		if prefix, rest, found := strings.Cut(t, ":"); found && is("plan prefix", strings.ToLower(prefix)) {
			t = strings.TrimSpace(rest)
		}
		if kind, rest := conventional(t); commitKind(kind) != "other" {
			t = rest
		}
		if t != "" {
			return prose.Clip(prose.Sentence(t), passage.TitleLimit)
		}
	}
	return ""
}

// planBody gives the aim of a plan, its first prose, and then its steps.
func planBody(blocks []prose.Block) string {
	var goal string
	var steps []string
	for i, b := range blocks {
		switch {
		case b.Kind == prose.Paragraph && goal == "" && len(strings.Fields(b.Text)) > 4:
			goal = prose.ClipWords(b.Text, goalWords)
		case len(steps) < mostPlanSteps && (isStep(b) || goal != "" && len(steps) == 0 && opensList(blocks, i)):
			steps = append(steps, prose.ClipWords(b.Text, stepWords))
		}
	}
	return strings.Trim(goal+"\n- "+strings.Join(steps, "\n- "), "\n- ")
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

// opensList reports whether a block is the first item of a list.
func opensList(blocks []prose.Block, i int) bool {
	return blocks[i].Kind == prose.Item && blocks[i].Indent == 0 && i > 0 && blocks[i-1].Kind != prose.Item
}
