package passage

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
)

// TitleLimit is how long a title may be, in bytes.
const TitleLimit = 100

// What a title is worth: 1 for a whole sentence, and more or less for what it is and where
// it stands.
const (
	worthCue      = 0.12 // a cue that tells something
	worthReason   = 0.24 // that gives a reason
	worthCues     = 0.4  // at most, of all of them
	worthIdle     = -0.3 // a cue that speaks against it
	worthNames    = 0.1  // names something in code
	worthFirst    = 0.1  // the sentence with which a paragraph opens, the statement in bold
	worthLater    = -0.05
	worthIntro    = -0.1
	worthItem     = -0.2 // one of several, beside others that say as much
	worthManyItem = -0.4
	worthCut      = -0.15
	worthPoint    = -0.3  // a clause of a longer sentence
	worthOpening  = -0.15 // opens with its writer, its reader or a deed
	worthDangling = -0.4  // understood by its heading alone
	worthNoVerb   = -0.45
	worthDeed     = -0.4 // what was done, how the writer went about it, or how they find it

	titleWorth = 0.45 // the least
	overWorth  = 0.8  // below it, what stands over a list is the better title
	laterMost  = 6
	manyItems  = 3

	shortVerdict = 10 // words: a longer sentence says more than how something is found
)

// Title finds a title in a unit: a whole sentence, or a clause that is whole,
// with a subject of its own; else what the unit stands under. "" when there is
// none, and then nobody would understand the rest either.
func (p *Passage) Title() string {
	best, most := "", 0.0
	for i, c := range p.candidates() {
		t, worth := titleOf(c.text, p.topic())
		worth += c.more + worthLater*float64(min(i, laterMost))
		if t != "" && (best == "" || worth > most) {
			best, most = t, worth
		}
	}
	topic := p.topic()
	named := len(prose.Words(topic)) >= 3 && !begins("of any document", prose.Words(topic))
	switch {
	case named && len(p.Items) > 1 && most < overWorth:
		return topic
	case most >= titleWorth:
		return best
	case named:
		return topic
	}
	return ""
}

// candidate is a line of a unit that could be its title, and how much more it is worth for
// where it stands.
type candidate struct {
	text string
	more float64
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
func same(part, p *Passage) bool { return part.Body() == p.Body() && part.Intro == p.Intro }

// asserts reports whether words that stand over others are a statement of their own: long
// enough, with a verb that does not stand at their beginning, as that of an order.
func asserts(s string) bool {
	return wordCount(s) >= Least && States(s) && !Orders(s) && !Circumstance(s)
}

// heads lists what could be a title in a passage itself: the statement in bold with which it
// opens, the line over its list, and its sentences.
func (p *Passage) heads() []candidate {
	var out []candidate
	if p.Text != "" && asserts(p.Lead) {
		out = append(out, candidate{p.Lead, worthFirst})
	}
	if asserts(p.Intro) {
		out = append(out, candidate{p.Intro, worthIntro})
	}
	for i, s := range p.Own() {
		more := 0.0
		switch {
		case len(p.Items) > manyItems:
			more = worthManyItem
		case len(p.Items) > 1:
			more = worthItem
		case i == 0 && p.Intro == "":
			more = worthFirst
		}
		out = append(out, candidate{s, more})
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
	if p.Lead == "" {
		return parts
	}
	if len(parts) == 0 {
		return []string{p.Lead}
	}
	return append([]string{led(p.Lead, parts[0])}, parts...)
}

// topicLimit is how long a heading is that says what something is about, in bytes.
const topicLimit = 60

// topic is the heading over a passage that says what it is about, "" when none
// does.
func (p *Passage) topic() string {
	for _, h := range slices.Backward(p.Section) {
		words := prose.Words(h)
		if len(words) < 2 || len(h) > topicLimit || strings.HasSuffix(h, "?") || Circumstance(h) {
			continue
		}
		if len(cues().find(inHeading, words)) == 0 {
			return strings.TrimRight(Unnumbered(h), ".:")
		}
	}
	return ""
}

// titleOf makes a title of a sentence, if it can be one, and says how good it is. What it
// lacks a subject for stands behind the topic.
func titleOf(s, topic string) (string, float64) {
	s = strings.TrimSpace(strings.TrimRight(Bare(Unnumbered(s)), ":"))
	words := prose.Words(s)
	if !canStand(s, words) || Shortened(s, TitleLimit) == "" {
		return pointOf(s)
	}
	worth := 1 + worthOf(s, words)
	dangling := Dangles(words)
	if dangling && topic == "" {
		return "", 0
	}
	if dangling || Subjectless(s) {
		s, worth = strings.TrimPrefix(topic+": "+s, ": "), worth+worthDangling
	}
	short := Shortened(s, TitleLimit)
	if short == "" || names(short) || ends("unfinished", prose.Words(short)) {
		return "", 0
	}
	if short != s {
		worth += worthCut
	}
	return prose.Sentence(short), worth
}

// pointOf makes a title of the clause of a sentence that says what it is about, where the rest
// leads up to it: what follows a colon or a dash, or a reason.
func pointOf(s string) (string, float64) {
	for _, mark := range []string{": ", " — ", " – ", " because "} {
		_, clause, _ := strings.Cut(s, mark)
		words := prose.Words(clause)
		if hashes(s) || len(clause) > TitleLimit || !canStand(clause, words) || len(words) < Least {
			continue
		}
		if States(clause) && !Subjectless(clause) && !Dangles(words) {
			return prose.Sentence(clause), 1 + worthPoint
		}
	}
	return "", 0
}

// canStand reports whether a sentence may be a title at all.
func canStand(s string, words []string) bool {
	if len(words) < Few || len(words) < Least && prose.Identifiers(s) == 0 {
		return false
	}
	if Announces(words) || Field(s) || hashes(s) || Circumstance(s) || !Balanced(s) {
		return false
	}
	return !strings.Contains(s+" ", "? ") && s[0] != '(' && s[0] != '/'
}

// worthOf is how much more, or less, a sentence tells than others.
func worthOf(s string, words []string) float64 {
	cued := 0.0
	for _, h := range cues().find(inText, words) {
		switch {
		case h.typ == "":
			cued += worthIdle
		case h.name == "cause":
			cued += worthReason
		case is("telling", h.name):
			cued += worthCue
		}
	}
	worth := min(worthCues, cued)
	if prose.Identifiers(s) > 0 {
		worth += worthNames
	}
	if !States(s) || is("names a matter", words[0]) && !strings.Contains(s, ", ") {
		worth += worthNoVerb
	}
	if Deed(s) || Narrates(words) || len(words) < shortVerdict && ends("evaluates", words) {
		worth += worthDeed
	}
	if opensWith(words[0], "self", "you", "past", "gerund") {
		worth += worthOpening
	}
	return worth
}

func opensWith(word string, classes ...string) bool { return slices.Contains(classes, Opening(word)) }

// names reports whether a title is nothing but a name: a path, a signature, a piece of
// code. That says what a memory is about, and nothing of it.
func names(s string) bool {
	outside := 0
	for i, part := range strings.Split(s, "`") {
		if i%2 == 0 {
			outside += len(prose.Words(part))
		}
	}
	return outside == 0 || wordCount(s) == 1
}
