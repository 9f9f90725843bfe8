package dialogue

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

// lines are the card at hand for a terminal of so many columns, each line with
// its styles and no longer than that.
func (d *dialogue) lines(width int) []console.Text {
	switch {
	case d.at == len(d.cards):
		rest := console.Styled(console.Dim, console.FoldLines("Skipped memories stay as they are. Press u to undo "+
			"the last decision, b to go back.", width))
		return append([]console.Text{nil, console.Bold("That was everything."), nil}, rest...)
	case d.cards[d.at].gone != nil:
		return d.goneLines(*d.cards[d.at].gone, width)
	}
	return d.itemLines(d.cards[d.at].item, width)
}

func (d *dialogue) goneLines(s workspace.GoneBranch, width int) []console.Text {
	out := console.Styled(console.Bold, console.FoldLines(output.GoneBranch(s)+".", width))
	out = append(out, nil)
	to := cmp.Or(s.Renamed, d.w.Repo.Topic)
	for _, title := range s.Titles[:min(len(s.Titles), maxTitles)] {
		out = append(out, console.Plain("  "+console.Cut(title, width-2)))
	}
	if more := s.Pending - maxTitles; more > 0 {
		out = append(out, console.Dim(fmt.Sprintf("  and %d more", more)))
	}
	out = append(out, nil)
	rest := console.FoldLines("Nothing is lost, and nothing lands by itself. Press m to make it pending for "+
		to+", or s to leave it where it is.", width)
	return append(out, console.Styled(console.Plain, rest)...)
}

// maxTitles is how many memories of a branch that is gone are named.
const maxTitles = 8

func (d *dialogue) itemLines(r review.Item, width int) []console.Text {
	m := r.Memory
	out := console.Styled(console.Bold, console.FoldLines(m.Quote(m.Title), width))
	out = append(out, console.Styled(console.Dim,
		console.FoldLines(strings.Join(output.Facts(r.Entry, d.Now()), " · "), width))...)
	if m.Text != "" {
		out = append(out, nil)
		for _, line := range console.FoldLines(m.Text, width-2) {
			out = append(out, console.Plain("  "+line))
		}
	}
	out = append(out, nil)
	row := func(name string, as func(string) console.Text, value string) {
		if value == "" {
			return
		}
		for i, line := range console.FoldLines(value, width-rowIndent) {
			label := ""
			if i == 0 {
				label = name
			}
			out = append(out, console.Join(console.Dim(console.Pad(label, rowIndent)), as(line)))
		}
	}
	row("waits", console.Plain, r.Why)
	row("origin", console.Plain, r.Origin)
	row("question", console.Warn, r.Question)
	for _, o := range r.Contradict {
		row("contradicts", console.Plain, otherText(o))
	}
	for _, o := range r.Replaces {
		row("supersedes", console.Plain, otherText(o))
	}
	for _, o := range r.Duplicates {
		row("similar to", console.Plain, fmt.Sprintf("%s (%.0f %%)", otherText(o), 100*o.Alike))
	}
	row("learned", console.Plain, m.Source.LayerText())
	row("record", console.Plain, output.Record(r.Shown, r.Used))
	row("source", console.Dim, output.Source(r.Entry))
	row("files", console.Dim, strings.Join(m.Files, ", "))
	row("tags", console.Dim, strings.Join(m.Tags, ", "))
	return out
}

// rowIndent is the column at which the values of a card's rows begin.
const rowIndent = 12

func otherText(o review.Counterpart) string {
	return fmt.Sprintf("%s, %s %s: %s", o.ID.Short(), o.Stage, o.Type, o.Title)
}

// keys lists the keys that can be pressed now, each with the name of its action.
func (d *dialogue) keys() []string {
	keys := []string{"b back"}
	if d.at < len(d.cards) {
		keys = d.keysOf(&d.cards[d.at])
	}
	if open, _ := d.left(); d.many() {
		keys = append(keys, fmt.Sprintf("x accept %d", len(open)), fmt.Sprintf("z reject %d", len(open)),
			"n next group")
	}
	return append(keys, "u undo", "? help", "q quit")
}

// keysOf are the keys for one card.
func (d *dialogue) keysOf(c *card) []string {
	if c.gone != nil {
		return d.keysOfGone(c.gone)
	}
	var keys []string
	for _, o := range offers(&c.item) {
		keys = append(keys, o.label)
	}
	return keys
}

// offer is a key, what it does in a word or two, and how.
type offer struct {
	label string
	can   bool
	do    func(context.Context, *workspace.Workspace, review.Item) (review.Decision, error) // nil opens the editor
}

// offers lists the actions that a memory has.
func offers(r *review.Item) []offer {
	accept := func(ctx context.Context, w *workspace.Workspace, r review.Item) (review.Decision, error) {
		return review.Accept(ctx, w, r, false)
	}
	replace := func(ctx context.Context, w *workspace.Workspace, r review.Item) (review.Decision, error) {
		return review.Accept(ctx, w, r, true)
	}
	return slices.DeleteFunc([]offer{
		{"g keep as yours", r.Personal(), review.Promote},
		{"a accept", r.Acceptable(), accept},
		{"p accept and replace", r.Replaceable(), replace},
		{"e edit", true, nil},
		{"r reject", true, review.Reject},
		{"o note", r.Noteworthy(), review.Shelve},
		{"s skip", true, nil},
	}, func(o offer) bool { return !o.can })
}

// keysOfGone are the keys for what is pending for a branch that is gone.
func (d *dialogue) keysOfGone(gone *workspace.GoneBranch) []string {
	here := d.w.Repo.Topic
	if gone.Renamed == "" || gone.Renamed == here || here == "" {
		return []string{"m move", "s skip"}
	}
	return []string{"m move to " + gone.Renamed, "h move here", "s skip"}
}

// keyLines are the keys on as few lines as they take.
func (d *dialogue) keyLines(width int) []string {
	out := []string{""}
	for _, key := range d.keys() {
		last := &out[len(out)-1]
		switch {
		case *last == "":
			*last = console.Cut(key, width)
		case console.Columns(*last)+3+console.Columns(key) > width:
			out = append(out, console.Cut(key, width))
		default:
			*last += " · " + key
		}
	}
	return out
}

// position says where in the review we are.
func (d *dialogue) position() string {
	branch := cmp.Or(d.opt.Branch, d.w.Repo.Topic, "a detached HEAD")
	at := fmt.Sprintf("%d of %d on %s", min(d.at+1, len(d.cards)), len(d.cards), branch) + d.ahead()
	if open, size := d.left(); size > 1 && size < len(d.cards) && d.cards[d.at].item.Group != "" {
		at += fmt.Sprintf(" · %d left of %s", len(open), d.cards[d.at].item.Group)
	}
	return at
}

// ahead says how many cards are still worth a look, and how long that takes.
func (d *dialogue) ahead() string {
	n := 0
	for i := range d.cards {
		if c := &d.cards[i]; c.verdict == "" && c.item.Worth {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" · %d worth a look first, about %s", n, console.Plural(minutes(n), "minute", "minutes"))
}

// perCard is how long a person looks at a card.
const perCard = 15 * time.Second

// minutes is how long a person needs for so many cards.
func minutes(cards int) int {
	return int((time.Duration(cards)*perCard + time.Minute - 1) / time.Minute)
}

// helpLines explain the keys.
func helpLines(width int) []console.Text {
	var out []console.Text
	for _, row := range [][2]string{
		{"a", "accept: write it as a file and stage that file; it is in your next commit"},
		{"p", "accept it, and let it supersede the memory that it contradicts"},
		{"g", "keep it for all your repositories, in your own store: it is about you"},
		{"e", "edit it first, in the editor that git commit opens"},
		{"r", "reject: never capture it again; cortex restore brings it back"},
		{"o", "make it a note of its session: a search finds it, and nobody is asked about it again"},
		{"s", "skip: leave it pending"},
		{"x z", "accept, or reject, all that is left of this group, from this one on"},
		{"n", "go to the next group and leave the rest of this one pending"},
		{"b", "go back to the one before"},
		{"u", "undo the last decision, then the ones before it"},
		{"m h", "move what waits for a branch that is gone; h: to the branch you are on"},
		{"space", "show more of a long text"},
		{"q", "quit; decisions made so far are kept"},
	} {
		for i, line := range console.FoldLines(row[1], width-8) {
			label := ""
			if i == 0 {
				label = row[0]
			}
			out = append(out, console.Join(console.Bold(console.Pad(label, 8)), console.Plain(line)))
		}
	}
	return out
}
