package main

import (
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

// lines are the card at hand for a terminal of so many columns, each line with
// its styles and no longer than that.
func (d *dialogue) lines(width int) []text {
	switch {
	case d.at == len(d.cards):
		rest := styled(dim, foldLines("Skipped memories stay as they are. Press u to undo the last decision, b to go back.", width))
		return append([]text{nil, bold("That was everything."), nil}, rest...)
	case d.cards[d.at].stray != nil:
		return d.strayLines(*d.cards[d.at].stray, width)
	}
	return d.itemLines(d.cards[d.at].item, width)
}

func (d *dialogue) strayLines(s workspace.Stray, width int) []text {
	out := styled(bold, foldLines(strayText(s)+".", width))
	out = append(out, nil)
	to := d.w.Repo.Topic
	if s.Renamed != "" {
		to = s.Renamed
	}
	for _, title := range s.Titles[:min(len(s.Titles), maxTitles)] {
		out = append(out, unstyled("  "+cut(title, width-2)))
	}
	if more := s.Pending - maxTitles; more > 0 {
		out = append(out, dim(fmt.Sprintf("  and %d more", more)))
	}
	out = append(out, nil)
	rest := foldLines("Nothing is lost, and nothing lands by itself. Press m to make it pending for "+to+", or s to leave it where it is.", width)
	return append(out, styled(unstyled, rest)...)
}

// maxTitles is how many memories of a branch that is gone are named.
const maxTitles = 8

func (d *dialogue) itemLines(r review.Item, width int) []text {
	m := r.Memory
	out := styled(bold, foldLines(m.Title, width))
	out = append(out, styled(dim, foldLines(strings.Join(facts(r.Entry, d.now()), " · "), width))...)
	if m.Text != "" {
		out = append(out, nil)
		for _, line := range foldLines(m.Text, width-2) {
			out = append(out, unstyled("  "+line))
		}
	}
	out = append(out, nil)
	row := func(name string, as func(string) text, value string) {
		if value == "" {
			return
		}
		for i, line := range foldLines(value, width-rowIndent) {
			label := ""
			if i == 0 {
				label = name
			}
			out = append(out, join(dim(pad(label, rowIndent)), as(line)))
		}
	}
	row("waits", unstyled, r.Why)
	row("question", warn, r.Question)
	for _, o := range r.Contradict {
		row("contradicts", unstyled, otherText(o))
	}
	for _, o := range r.Replaces {
		row("supersedes", unstyled, otherText(o))
	}
	for _, o := range r.Duplicates {
		row("similar to", unstyled, fmt.Sprintf("%s (%.0f %%)", otherText(o), 100*o.Alike))
	}
	row("learned", unstyled, layerText(m.Source.Layer))
	row("source", dim, sourceText(r.Entry))
	row("files", dim, strings.Join(m.Files, ", "))
	row("tags", dim, strings.Join(m.Tags, ", "))
	return out
}

// rowIndent is the column at which the values of a card's rows begin.
const rowIndent = 12

func otherText(o review.Counterpart) string {
	return fmt.Sprintf("%s, %s %s: %s", o.ID.Short(), o.Stage, o.Type, o.Title)
}

// layerText says in words what kind of evidence a memory rests on.
func layerText(layer string) string {
	switch layer {
	case "tag":
		return "tagged as a memory"
	case "answer":
		return "an answer to the agent's question, or the approval of a plan"
	case "user":
		return "the user's own words"
	case "structure":
		return "a plan, a to-do list or a commit message of the agent"
	case "pattern":
		return "a sentence that reads like a memory"
	case "llm":
		return "a model's reading of the session"
	}
	return ""
}

// keys are what can be pressed now.
func (d *dialogue) keys() []string {
	var keys []string
	switch {
	case d.at == len(d.cards):
		keys = []string{"b back"}
	case d.cards[d.at].stray != nil:
		keys = []string{"m move", "s skip"}
		if s := d.cards[d.at].stray; s.Renamed != "" && s.Renamed != d.w.Repo.Topic && d.w.Repo.Topic != "" {
			keys = []string{"m move to " + s.Renamed, "h move here", "s skip"}
		}
	case d.cards[d.at].item.Replaceable() && !d.cards[d.at].item.Elsewhere:
		keys = []string{"a accept", "p accept and replace", "e edit", "r reject", "s skip"}
	case d.cards[d.at].item.Elsewhere, !isPending(d.cards[d.at].item) && !d.cards[d.at].item.Memory.Contested:
		keys = []string{"e edit", "r reject", "s skip"}
	default:
		keys = []string{"a accept", "e edit", "r reject", "s skip"}
	}
	return append(keys, "u undo", "? help", "q quit")
}

// keyLines are the keys on as few lines as they take.
func (d *dialogue) keyLines(width int) []string {
	out := []string{""}
	for _, key := range d.keys() {
		last := &out[len(out)-1]
		switch {
		case *last == "":
			*last = cut(key, width)
		case columns(*last)+3+columns(key) > width:
			out = append(out, cut(key, width))
		default:
			*last += " · " + key
		}
	}
	return out
}

// position says where in the review we are.
func (d *dialogue) position() string {
	branch := d.w.Repo.Topic
	if d.opt.Branch != "" {
		branch = d.opt.Branch
	} else if branch == "" {
		branch = "a detached HEAD"
	}
	return fmt.Sprintf("%d of %d on %s", min(d.at+1, len(d.cards)), len(d.cards), branch)
}

// helpLines explain the keys.
func helpLines(width int) []text {
	var out []text
	for _, row := range [][2]string{
		{"a", "accept: write it as a file and stage that file; it is in your next commit"},
		{"p", "accept it, and let it supersede the memory that it contradicts"},
		{"e", "edit it first, in the editor that git commit opens"},
		{"r", "reject: never capture it again; cortex restore brings it back"},
		{"s", "skip: leave it pending"},
		{"b", "go back to the one before"},
		{"u", "undo the last decision, then the ones before it"},
		{"m h", "move what waits for a branch that is gone; h: to the branch you are on"},
		{"space", "show more of a long text"},
		{"q", "quit; decisions made so far are kept"},
	} {
		for i, line := range foldLines(row[1], width-8) {
			label := ""
			if i == 0 {
				label = row[0]
			}
			out = append(out, join(bold(pad(label, 8)), unstyled(line)))
		}
	}
	return out
}

// foldLines breaks words into lines of at most width columns: at their own line
// breaks, at spaces, and inside of words that are too long for a line.
func foldLines(words string, width int) []string {
	var out []string
	for _, line := range fold(unstyled(words), width) {
		out = append(out, line.String())
	}
	return out
}
