package dialogue

import (
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/review"
)

// fewCards is up to how many cards nobody needs keys for many at once.
const fewCards = 5

// many reports whether there are keys for what is left of a group.
func (d *dialogue) many() bool {
	open, _ := d.left()
	return len(open) > 1 && len(d.cards) > fewCards
}

// left are the open cards of the group of the card at hand, that one first, and
// how many cards the group has.
func (d *dialogue) left() (open []int, size int) {
	if d.at == len(d.cards) || d.cards[d.at].gone != nil {
		return nil, 0
	}
	for i := range d.cards {
		c := &d.cards[i]
		if !c.isOf(d.cards[d.at].item.Group) {
			continue
		}
		if size++; c.verdict == "" {
			open = append(open, i)
		}
	}
	open = slices.DeleteFunc(open, func(i int) bool { return i < d.at })
	return open, size
}

// isOf reports whether a card is of a memory of a group.
func (c *card) isOf(group string) bool { return c.gone == nil && c.item.Group == group }

// nextGroup leaves the rest of a group as it is.
func (d *dialogue) nextGroup() {
	open, _ := d.left()
	if len(open) == 0 {
		d.move(1)
		return
	}
	d.at = open[len(open)-1]
	d.move(1)
}

// bulk decides about what is left of the group at once. Undo takes all of it
// back at once too.
func (d *dialogue) bulk(key rune) {
	open, _ := d.left()
	items := make([]review.Item, len(open))
	for i, at := range open {
		items[i] = d.cards[at].item
	}
	decide := review.AcceptAll
	if key == 'z' {
		decide = review.RejectAll
	}
	b, err := decide(d.ctx, d.w, items)
	if err != nil {
		d.failed(err)
		return
	}
	if len(b.Done) == 0 {
		d.note = "Nothing was decided: " + b.Left[0].Err.Error() + "."
		return
	}
	done := map[string]bool{}
	for _, r := range b.Done {
		done[r.Path] = true
	}
	s := step{decision: b.Decision, at: -1, others: map[int]card{}}
	for _, at := range open {
		if !done[d.cards[at].item.Path] {
			continue
		}
		if s.at < 0 {
			s.at, s.before = at, d.cards[at]
		} else {
			s.others[at] = d.cards[at]
		}
		d.cards[at].verdict = b.Verb
	}
	d.done = append(d.done, s)
	d.note = fmt.Sprintf("%s: %s. Press u to undo.", console.Plural(len(b.Done), "memory", "memories"), b.Verb)
	if n := len(b.Left); n > 0 {
		d.note += fmt.Sprintf(" %d left: %s.", n, b.Left[0].Err)
	}
	if d.cards[d.at].verdict != "" {
		d.move(1)
	}
}
