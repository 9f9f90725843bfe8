package capture

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// lastDocuments says which document items of a turn still stand at its end:
// a file written again replaces what was written before.
func lastDocuments(items []item) map[int]bool {
	out := map[int]bool{}
	whole := map[string]bool{}
	for i := len(items) - 1; i >= 0; i-- {
		it := items[i]
		if it.kind != itDocument || whole[it.path] {
			continue
		}
		out[i] = true
		whole[it.path] = it.whole
	}
	return out
}

// document weighs the sections of a working document that say what was
// decided, left out, left open or found wrong.
func (w *weigher) document(it item, passages []passage.Passage) {
	title := ""
	blocks := prose.Blocks(readable(&it))
	if len(blocks) > 0 && blocks[0].Level == 1 {
		title = planTitle(blocks)
	}
	class := classDocument
	if isWorkingDocument(it.path) {
		class = classDecisions
	}
	var all []draft
	for i := range passages {
		d := draftOf(&passages[i], class)
		d.about, d.path, d.class = title, it.path, class
		d.sign("product document", class == classDocument)
		d.sign("edit of a document", !it.whole)
		all = append(all, d)
	}
	w.addBest(all, perDocument)
}

// sign adds a sign where it holds.
func (d *draft) sign(name string, holds bool) {
	if holds {
		d.signs = append(d.signs, name)
	}
}

// added gives what an edit's new text says and its old one does not: of each
// paragraph and item the sentences that are new.
func added(old, now string) string {
	had := memory.OneLine(old)
	var b, block strings.Builder
	flush := func() {
		b.WriteString(newIn(memory.OneLine(block.String()), had))
		block.Reset()
	}
	for line := range strings.Lines(now) {
		text := strings.TrimSpace(line)
		switch {
		case keptWhole().MatchString(text):
			flush()
			b.WriteString(text + "\n\n")
		case text == "", itemMark().MatchString(text):
			flush()
		}
		if !keptWhole().MatchString(text) {
			block.WriteString(text + " ")
		}
	}
	flush()
	return b.String()
}

// newIn gives the sentences of a paragraph or item that a text does not have, behind the mark of
// the item.
func newIn(block, had string) string {
	mark := itemMark().FindString(block)
	kept := lists.Without(prose.Sentences(block[len(mark):]), func(s string) bool { return strings.Contains(had, s) })
	if len(kept) == 0 {
		return ""
	}
	return mark + strings.Join(kept, " ") + "\n\n"
}

// keptWhole matches a heading, and a line of code or of a table; itemMark the mark of an item.
var (
	keptWhole = lazy.Pattern("^(?:#|```|[|])")
	itemMark  = lazy.Pattern(`^(?:[-*+]|\d{1,3}[.)]) `)
)

func dropFrontmatter(s string) string {
	rest, ok := strings.CutPrefix(s, "---\n")
	if !ok {
		return s
	}
	if _, body, found := strings.Cut(rest, "\n---"); found {
		return body
	}
	return s
}

// commit weighs the body of a commit message or pull request.
func (w *weigher) commit(it item, passages []passage.Passage) {
	var all []draft
	for i := range passages {
		all = append(all, commitDraft(&passages[i], &it))
	}
	w.addBest(all, perCommit)
}

// commitDraft is a passage of a commit message.
func commitDraft(p *passage.Passage, it *item) draft {
	kind, subject := commitSubject(it.title)
	d := draftOf(p, classCommit)
	d.class = classCommit
	d.sign("commit "+commitKind(kind), true)
	d.cue = "commit, " + d.cue
	givesCause := kind == "fix" && slices.Contains(d.signs, "cause")
	if givesCause {
		d.least = MinConfidence
	}
	d.several = namesReview(subject)
	if !d.several || p.Title() == "" {
		d.subject = passage.Shortened(subject, passage.TitleLimit)
	}
	return d
}

// commitSubject splits the title of a commit into its kind and subject; one that says in other words
// that it mends something is a fix.
func commitSubject(title string) (kind, subject string) {
	kind, subject = conventional(title)
	if is("mends", kind) || kind == "" && in("mends", prose.Words(subject)) {
		kind = "fix"
	}
	return kind, subject
}

// namesReview reports whether the subject of a commit only says that it answers a review:
// "Address review feedback", "Apply 7 findings". What was found stands in its body.
func namesReview(subject string) bool {
	words := prose.Words(subject)
	return len(words) > 1 && is("review verb", words[0]) && in("review", words[1:])
}

// commitKind is a conventional commit's kind as a sign.
func commitKind(kind string) string {
	switch kind {
	case "fix", "feat", "docs", "chore", "test", "refactor", "ci", "build", "perf":
		return kind
	}
	return "other"
}

// conventional splits "fix(search): subject" into its kind and subject.
func conventional(s string) (kind, subject string) {
	head, rest, found := strings.Cut(s, ": ")
	head = strings.TrimRight(head, " ") // French has a space before the colon
	if !found || strings.Contains(head, " ") {
		return "", s
	}
	kind, _, _ = strings.Cut(strings.TrimSuffix(head, "!"), "(")
	return strings.ToLower(kind), rest
}

// planText is a plan's title, a line break, and its goal and steps.
func planText(md string) string {
	blocks := prose.Blocks(md)
	return memory.Clean(planTitle(blocks) + "\n" + planBody(blocks))
}

// boxes are the steps of a plan as checkboxes, and how many of them are open: every step
// that was approved, ticked where the to-do list says that it is done, and behind them what
// the list has besides. What it did before the approval, or beside it, is left out.
func boxes(approved []string, list []session.Step) (lines []string, open int) {
	add := func(text string, done bool) {
		box := "[ ] "
		if done {
			box = "[x] "
		} else {
			open++
		}
		lines = append(lines, "- "+box+text)
	}
	left := lists.Map(list, func(s session.Step) string { return s.Text }) // "" once it is taken
	for _, text := range approved {
		at := sameness.LikestStep(text, left)
		if at >= 0 {
			left[at] = ""
		}
		add(text, at >= 0 && isDone(list[at]))
	}
	for i, s := range list {
		if left[i] != "" && (len(approved) == 0 || !isDone(s)) {
			add(s.Text, isDone(s))
		}
	}
	return lines, open
}

func isDone(s session.Step) bool { return s.Status == "completed" }

// plan adds the session's one plan: every step that was approved, and those of the to-do list.
func (w *weigher) plan() {
	d, some := w.planDraft()
	if !some {
		return
	}
	if f := w.add(d); f != nil && f.kept() {
		w.s.PlanID = f.c.Memory.ID
	}
}

// planDraft is the plan of the session, by what was approved or else by the to-do list; there is
// none without either, nor of one open step.
func (w *weigher) planDraft() (d draft, some bool) {
	title, body, _ := strings.Cut(w.s.PlanText, "\n")
	goal, rest, _ := strings.Cut("\n"+body, "\n- ")
	var approved []string
	if rest != "" {
		approved = strings.Split(rest, "\n- ")
	}
	steps, open := boxes(approved, w.s.Plan)
	d = draft{
		class: classPlan, typ: memory.Plan, title: title, text: body, span: title, record: w.s.PlanRecord,
		time: w.s.End, cue: "plan", place: passage.Document,
	}
	if len(steps) > 1 {
		d.text = strings.TrimSpace(goal + "\n" + strings.Join(steps, "\n"))
	}
	if title != "" {
		return d, true
	}
	if open == 0 || len(steps) < 2 {
		return draft{}, false
	}
	d.title, d.cue, d.class = w.todoTitle(len(steps)), "to-do list", classTodo
	return d, true
}

// todoTitle makes a title of the request that a to-do list carries out, else of its first step.
func (w *weigher) todoTitle(steps int) string {
	if len(w.s.Requests) > 0 && !strings.Contains(w.s.Requests[0].Text, "?") {
		if title := passage.Shortened("Plan: "+w.s.Requests[0].Text, passage.TitleLimit); title != "" {
			return title
		}
	}
	return "Plan: " + w.s.Plan[0].Text + " and " + itoa(steps-1) + " more steps"
}
