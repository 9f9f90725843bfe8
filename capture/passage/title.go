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
	topic := p.topic()
	best, most := p.bestTitle(topic)
	named, least := says(topic), titleWorth
	if named && len(p.Items) > 1 {
		least = overWorth
	}
	switch {
	case most >= least:
		return best
	case named:
		return topic
	}
	return ""
}

// says reports whether a heading says enough to be a title.
func says(heading string) bool {
	words := prose.Words(heading)
	return len(words) > 2 && !begins("of any document", words)
}

// bestTitle is the best of the titles that the lines of a unit make, and what it is worth.
func (p *Passage) bestTitle(topic string) (best string, most float64) {
	for i, c := range p.candidates() {
		title, worth := titleOf(c.text, topic)
		worth += c.more + worthLater*float64(min(i, laterMost))
		if title != "" && worth > most {
			best, most = title, worth
		}
	}
	return best, most
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
	return wordCount(s) >= Least && States(s) && !Orders(s)
}

// heads lists what could be a title in a passage itself: the statement in bold with which it
// opens, the line over its list, and its sentences.
func (p *Passage) heads() []candidate {
	var out []candidate
	if asserts(p.Lead) {
		out = append(out, candidate{p.Lead, worthFirst})
	}
	if asserts(p.Intro) {
		out = append(out, candidate{p.Intro, worthIntro})
	}
	for i, s := range p.Own() {
		out = append(out, candidate{s, p.worthAt(i)})
	}
	return out
}

// worthAt is how much more a sentence of a passage is worth for where it stands.
func (p *Passage) worthAt(i int) float64 {
	switch {
	case len(p.Items) > manyItems:
		return worthManyItem
	case len(p.Items) > 1:
		return worthItem
	case i == 0 && p.Intro == "":
		return worthFirst
	}
	return 0
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
		if isTopic(h) {
			return strings.TrimRight(Unnumbered(h), ".:")
		}
	}
	return ""
}

// isTopic reports whether a heading says what something is about, and not of what kind it is.
func isTopic(heading string) bool {
	words := prose.Words(heading)
	if len(words) < 2 || len(heading) > topicLimit || Circumstance(heading) {
		return false
	}
	return len(cues().find(inHeading, words)) == 0
}

// titleOf makes a title of a sentence, or of the clause that is its point, and says how good
// it is.
func titleOf(s, topic string) (string, float64) {
	s = strings.TrimSpace(strings.TrimRight(Bare(Unnumbered(s)), ":"))
	words := prose.Words(s)
	if !canStand(s, words) || Shortened(s, TitleLimit) == "" {
		return pointOf(s), 1 + worthPoint
	}
	worth := 1 + worthOf(s, words)
	switch {
	case Dangles(words) && topic == "":
		return "", 0
	case Dangles(words), Subjectless(s):
		s, worth = behind(topic, s), worth+worthDangling
	}
	title, less := fitted(s)
	return title, worth + less
}

// fitted is a sentence as a title, "" for a mere name, and what it is worth less if it was cut.
func fitted(s string) (string, float64) {
	short := Shortened(s, TitleLimit)
	switch {
	case names(short), ends("unfinished", prose.Words(short)):
		return "", 0
	case short != s:
		return prose.Sentence(short), worthCut
	}
	return prose.Sentence(s), 0
}

// behind puts a sentence behind its topic, if there is one.
func behind(topic, s string) string { return strings.TrimPrefix(topic+": "+s, ": ") }

// pointOf makes a title of the clause of a sentence that says what it is about, where the rest
// leads up to it: what follows a colon or a dash, or a reason.
func pointOf(s string) string {
	if hashes(s) {
		return ""
	}
	for _, mark := range []string{": ", " — ", " – ", " because "} {
		if _, clause, _ := strings.Cut(s, mark); isPoint(clause) {
			return prose.Sentence(clause)
		}
	}
	return ""
}

// isPoint reports whether a clause can be a title without the rest of its sentence.
func isPoint(clause string) bool {
	words := prose.Words(clause)
	return len(clause) <= TitleLimit && canStand(clause, words) && States(clause) && !Dangles(words)
}

// canStand reports whether a sentence may be a title at all.
func canStand(s string, words []string) bool {
	switch {
	case !longEnough(s, words, Least), !Balanced(s), strings.Contains(s+" ", "? "),
		Announces(words), Field(s), hashes(s), Circumstance(s):
		return false
	}
	return s[0] != '(' && s[0] != '/'
}

// worthOf is how much more, or less, a sentence tells than others.
func worthOf(s string, words []string) float64 {
	worth := min(worthCues, worthOfCues(words))
	for _, x := range []struct {
		worth float64
		holds bool
	}{
		{worthNames, prose.Identifiers(s) > 0},
		{worthNoVerb, !States(s) || namesMatter(s, words)},
		{worthDeed, Deed(s) || Narrates(words) || isVerdict(words)},
		{worthOpening, slices.Contains([]string{"self", "you", "past", "gerund"}, Opening(words[0]))},
	} {
		if x.holds {
			worth += x.worth
		}
	}
	return worth
}

// isVerdict reports whether words say how something is found, and little else.
func isVerdict(words []string) bool { return len(words) < shortVerdict && ends("evaluates", words) }

// namesMatter reports whether words such as "How it works" name a matter and say nothing of it.
func namesMatter(s string, words []string) bool {
	return is("names a matter", words[0]) && !strings.Contains(s, ", ")
}

// worthOfCues adds up the worth of the cues of a sentence.
func worthOfCues(words []string) float64 {
	worth := 0.0
	for _, h := range cues().find(inText, words) {
		switch {
		case h.typ == "":
			worth += worthIdle
		case h.name == "cause":
			worth += worthReason
		case is("telling", h.name):
			worth += worthCue
		}
	}
	return worth
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
	return outside == 0 || wordCount(s) == 1
}
