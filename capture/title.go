package capture

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
)

// titleOf finds a title in a unit: a whole sentence, or a clause that is whole,
// with a subject of its own; else what the unit stands under. "" when there is
// none, and then nobody would understand the rest either.
func (p *passage) titleOf() string {
	best, most, enough := "", 0.0, false
	for i, s := range p.sentences() {
		t, worth := titleFrom(s, p.topic())
		if t == "" {
			continue
		}
		worth -= 0.05 * float64(min(i, 6))
		enough = enough || worth >= titleWorth
		if worth -= lacks(t); best == "" || worth > most {
			best, most = t, worth
		}
	}
	if !enough {
		best = ""
		if topic := p.topic(); len(prose.Words(topic)) >= 3 && len(topic) <= titleLimit {
			return topic
		}
	}
	return best
}

// sentences lists what could be a title: those of the strongest passage, then
// those of the others.
func (p *passage) sentences() []string {
	out := p.own()
	for i := range p.parts {
		out = append(out, p.parts[i].own()...)
	}
	return out
}

// own lists the sentences of a passage itself.
func (p *passage) own() []string {
	if len(p.items) > 0 {
		return p.items
	}
	parts := prose.Sentences(p.text)
	if p.lead != "" && len(parts) > 0 {
		return append([]string{led(p.lead, parts[0])}, parts...)
	}
	if p.lead != "" {
		return append([]string{p.lead}, parts...)
	}
	return parts
}

// topic is the heading over a passage that says what it is about, "" when none
// does.
func (p *passage) topic() string {
	for _, h := range slices.Backward(p.section) {
		words := prose.Words(h)
		if len(words) >= 2 && len(h) <= 60 && headings().hits(words) == nil && !strings.HasSuffix(h, "?") {
			return strings.TrimRight(h, ".:")
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
	worth := 1.0
	words := prose.Words(s)
	if len(words) < sentence.Few || len(words) < sentence.Least && prose.Identifiers(s) == 0 || announces(s) || sentence.Labelled(s) || !sentence.Balanced(s) || s[0] == '(' || hashes(s) || sentence.Values(s) {
		return "", 0
	}
	if sentence.Dangles(words) {
		if topic == "" {
			return "", 0
		}
		s, worth = topic+": "+s, worth-0.4
	}
	short := sentence.Shortened(s, titleLimit)
	if short == "" || sentence.Unfinished(prose.Words(short)) {
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

// lacks says what a title wants that another sentence may have: a verb, and more
// than that something was done.
func lacks(t string) float64 {
	v := 0.0
	if !sentence.States(t) {
		v += 0.45
	}
	if onlyDone(t) {
		v += 0.4
	}
	return v
}

// tells says how much of a statement worth remembering is in a sentence: that it
// was done is less than why, or what to mind.
func tells(words []string) float64 {
	n := cues().hits(words)
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
	if o := sentence.Opening(words[0]); o == "self" || o == "you" || o == "past" || o == "gerund" {
		worth -= 0.15
	}
	return min(worth, 0.4)
}
