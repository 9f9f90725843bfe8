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
	best, most, enough := "", 0.0, false
	items := p.itemsOfLists()
	for i, s := range p.sentences() {
		t, worth := titleFrom(s, p.topic())
		if t == "" {
			continue
		}
		worth -= 0.05 * float64(min(i, 6))
		enough = enough || worth >= titleWorth
		if items[s] {
			worth -= itemLess
		}
		if worth -= lacks(t); best == "" || worth > most {
			best, most = t, worth
		}
	}
	if !enough {
		best = ""
		if topic := p.topic(); len(prose.Words(topic)) >= 3 && len(topic) <= TitleLimit {
			return topic
		}
	}
	return best
}

// sentences lists what could be a title: those of the strongest passage, then
// those of the others.
func (p *Passage) sentences() []string {
	out := p.Own()
	for i := range p.Parts {
		out = append(out, p.Parts[i].Own()...)
	}
	return out
}

// itemLess is how much less a title is worth that is one item of a list, beside others
// that say as much.
const itemLess = 0.2

// itemsOfLists are the sentences that are items of a list with others.
func (p *Passage) itemsOfLists() map[string]bool {
	out := map[string]bool{}
	for i := range p.Parts {
		if part := &p.Parts[i]; len(part.Items) > 1 {
			for _, s := range part.Items {
				out[s] = true
			}
		}
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
		if len(words) >= 2 && len(h) <= 60 && headings().Hits(words) == nil && !strings.HasSuffix(h, "?") {
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
	if len(words) < sentence.Few || len(words) < sentence.Least && prose.Identifiers(s) == 0 || Announces(s) || sentence.Labelled(s) || !sentence.Balanced(s) || s[0] == '(' || hashes(s) || asksWithin(s) || sentence.Values(s) {
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
