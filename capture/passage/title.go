package passage

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
)

// TitleLimit is how long a title may be, in bytes.
const TitleLimit = 100

// Title finds a title in a unit: a whole sentence, or a clause that is whole,
// with a subject of its own; else what the unit stands under. "" when there is
// none, and then nobody would understand the rest either.
func (p *Passage) Title() string {
	best, most, enough, named := "", 0.0, false, false
	for i, c := range p.candidates() {
		t, worth := titleFrom(c.text, p.topic())
		if c.name {
			t, worth = topical(c.text), nameWorth
		}
		if t == "" {
			continue
		}
		worth -= 0.05 * float64(min(i, 6))
		enough = enough || worth >= titleWorth
		if !c.name {
			worth += c.more - lacks(t)
		}
		if best == "" || worth > most {
			best, most, named = t, worth, c.name
		}
	}
	if over := p.over(); over != "" && !named && (best == "" || most < overWorth) {
		return over
	}
	if !enough {
		best = ""
		if topic := p.topic(); len(prose.Words(topic)) >= 3 && len(topic) <= TitleLimit {
			return topic
		}
	}
	return best
}

// candidate is a line of a unit that could be its title, before it is judged.
type candidate struct {
	text string
	more float64 // how much more it is worth for what it is there
	name bool    // it names what the rest tells, and need not state it
}

// candidates lists what could be a title: of the strongest passage, then of the others.
func (p *Passage) candidates() []candidate {
	out := p.heads()
	for i := range p.Parts {
		if part := &p.Parts[i]; !same(part, p) {
			out = append(out, part.heads()...)
		}
	}
	return out
}

// same reports whether a part of a unit is its strongest passage.
func same(part, p *Passage) bool {
	return part.Lead == p.Lead && part.Text == p.Text && part.Intro == p.Intro && slices.Equal(part.Items, p.Items)
}

// What a title is worth more, or less, for what it is in its passage.
const (
	itemLess  = 0.2 // one item of a list, beside others that say as much
	introLess = 0.1 // the line over a list, which may only lead up to it
	innerLess = 0.1 // a later sentence of an item, which tells of its first
	manyLess  = 0.2 // more, where they are many
	many      = 3
	nameWorth = 0.75 // words in bold that name what follows them
	overWorth = 0.8  // what stands over a list, against its items
	firstMore = 0.1  // the sentence with which a paragraph opens
	leadMore  = 0.1  // the statement in bold that the rest bears out
)

// asserts reports whether words that stand over others are a statement of their own: long
// enough, with a verb that does not stand at their beginning, as that of an order.
func asserts(s string) bool {
	return len(prose.Words(s)) >= sentence.Least && sentence.States(s) && (s[0] == '`' || !sentence.Orders(s)) && !sentence.Narrates(s)
}

// heads lists what could be a title in a passage itself: the statement in bold with which it
// opens, the line over its list, and its sentences.
func (p *Passage) heads() []candidate {
	var out []candidate
	if p.Lead != "" && p.Text != "" && asserts(p.Lead) {
		out = append(out, candidate{text: p.Lead, more: leadMore})
	}
	if p.Lead != "" && p.Text != "" && !asserts(p.Lead) && topical(p.Intro) == "" && topical(p.Lead) != "" {
		out = append(out, candidate{text: p.Lead, name: true})
	}
	if p.Intro != "" && asserts(p.Intro) && !sentence.Circumstance(p.Intro) {
		out = append(out, candidate{text: p.Intro, more: -introLess})
	}
	for i, s := range p.Own() {
		c := candidate{text: s}
		switch {
		case len(p.Items) > many:
			c.more = -itemLess - manyLess
		case len(p.Items) > 1:
			c.more = -itemLess
		case i == 0 && p.Lead == "" && p.Intro == "":
			c.more = firstMore
		case p.Lead != "" && i > 1:
			c.more = -innerLess
		}
		out = append(out, c)
	}
	return out
}

// sentences lists those of the strongest passage, then those of the others.
func (p *Passage) sentences() []string {
	out := p.Own()
	for i := range p.Parts {
		out = append(out, p.Parts[i].Own()...)
	}
	return out
}

// Own lists the sentences of a passage itself.
func (p *Passage) Own() []string {
	if len(p.Items) > 0 {
		return p.Items
	}
	parts := prose.Sentences(p.Text)
	if p.Lead != "" && len(parts) > 0 {
		return append([]string{led(p.Lead, parts[0])}, parts...)
	}
	if p.Lead != "" {
		return append([]string{p.Lead}, parts...)
	}
	return parts
}

// topic is the heading over a passage that says what it is about, "" when none
// does.
func (p *Passage) topic() string {
	for _, h := range slices.Backward(p.Section) {
		words := prose.Words(h)
		if len(words) >= 2 && len(h) <= 60 && headings().Hits(words) == nil && !strings.HasSuffix(h, "?") && !sentence.Circumstance(h) {
			return strings.TrimRight(sentence.Unnumbered(h), ".:")
		}
	}
	return ""
}

// titleWorth is how good a sentence must be to be a title, see [titleFrom].
const titleWorth = 0.45

// titleFrom makes a title of a sentence, if it can be one, and says how good it
// is.
func titleFrom(s, topic string) (string, float64) {
	s = strings.TrimSpace(strings.TrimRight(sentence.Bare(sentence.Unnumbered(s)), ":"))
	if t, worth := wholeTitle(s, topic); t != "" {
		return t, worth
	}
	if sentence.Labelled(s) || hashes(s) || asksWithin(s) {
		return "", 0
	}
	// of a sentence that is too long, or tells what its writer is about to do
	point := sentence.Point(s)
	if point == "" && Announces(s) {
		point = sentence.Reason(s)
	}
	if point != "" {
		t, worth := wholeTitle(point, "")
		return t, worth - 0.3
	}
	return "", 0
}

func wholeTitle(s, topic string) (string, float64) {
	worth := 1.0
	words := prose.Words(s)
	if len(words) < sentence.Few || len(words) < sentence.Least && prose.Identifiers(s) == 0 || Announces(s) || sentence.Labelled(s) || !sentence.Balanced(s) || s[0] == '(' || hashes(s) || asksWithin(s) || sentence.Values(s) || sentence.Circumstance(s) {
		return "", 0
	}
	if sentence.Dangles(words) {
		if topic == "" {
			return "", 0
		}
		s, worth = topic+": "+s, worth-0.4
	} else if sentence.Subjectless(s) {
		if worth -= 0.4; topic != "" {
			s = topic + ": " + s
		}
	}
	short := sentence.Shortened(s, TitleLimit)
	if short == "" || sentence.Unfinished(prose.Words(short)) || names(short) {
		return "", 0
	}
	if short != s {
		worth -= 0.15
	}
	if prose.Identifiers(short) > 0 {
		worth += 0.1
	}
	worth += tells(words) - sentence.Vague(short, words)
	return prose.Sentence(short), worth
}

// names reports whether a title is nothing but a name: a path, a signature, a piece of
// code. That says what a memory is about, and nothing of it.
func names(s string) bool {
	outside := 0
	for i, part := range strings.Split(s, "`") {
		if i%2 == 0 {
			outside += len(prose.Words(part))
		}
	}
	return outside == 0 || len(strings.Fields(s)) == 1
}

// asksWithin reports whether a sentence is a question, whatever stands behind it.
func asksWithin(s string) bool {
	return strings.HasSuffix(s, "?") || strings.Contains(s, "? ")
}

// lacks says what a title wants that another sentence may have: a verb, more than
// that something was done, and more than how the writer went about it.
func lacks(t string) float64 {
	v := 0.0
	if !sentence.States(t) {
		v += 0.45
	}
	if OnlyDone(t) {
		v += 0.4
	}
	if sentence.Narrates(t) {
		v += 0.4
	}
	return v
}

// tells says how much of a statement worth remembering is in a sentence: that it
// was done is less than why, or what to mind.
func tells(words []string) float64 {
	n := cues().Hits(words)
	if n == nil {
		return 0
	}
	worth := 0.0
	for _, name := range []string{"cause", "limit", "trap", "norm", "choice", "repair", "structure"} {
		if n[groupNamed(name)] > 0 {
			worth += 0.12
		}
	}
	for _, name := range []string{"status", "transient", "offer", "proposal", "routine"} {
		if n[groupNamed(name)] > 0 {
			worth -= 0.3
		}
	}
	if o := sentence.Opening(words[0]); doneWord(words[0]) || o == "self" || o == "you" || o == "past" || o == "gerund" {
		worth -= 0.15
	}
	return min(worth, 0.4)
}
