package capture

import (
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
)

// Sizes of a unit, in words.
const (
	unitWords   = 90   // what belongs together is one memory up to here
	idleBelow   = 0.15 // of a rule's score: what is not said together with the rest
	unitSection = 60   // a new heading begins a new unit after so many
)

// unite puts the passages of one message that stand together into units, each of
// which may be one memory: a statement is understood with what stands around it.
// A unit is its strongest passage, with all of them as parts.
func unite(passages []passage) []passage {
	var out []passage
	for from := 0; from < len(passages); {
		to, size := from+1, wordsOf(&passages[from])
		for to < len(passages) {
			n := wordsOf(&passages[to])
			if size+n > unitWords || size >= unitSection && strings.Join(passages[to].section, "\n") != strings.Join(passages[to-1].section, "\n") {
				break
			}
			size, to = size+n, to+1
		}
		out = append(out, unitOf(passages[from:to]))
		from = to
	}
	for i := range out {
		out[i].index, out[i].of = i, len(out)
	}
	return out
}

func wordsOf(p *passage) int { return len(strings.Fields(p.body())) + len(strings.Fields(p.intro)) }

// unitOf makes one unit of some passages.
func unitOf(parts []passage) passage {
	best, most := 0, -1.0
	for i := range parts {
		if conf, _, _ := parts[i].score(); conf > most {
			best, most = i, conf
		}
	}
	p := parts[best]
	p.parts = parts
	return p
}

// whole is the text of a unit.
func (p *passage) whole() string { return p.together((*passage).body) }

// told is the text of a unit as one memory holds it: without what only says that
// something was done. It is "" when nothing is left.
func (p *passage) told() string { return p.together((*passage).telling) }

// telling is the text of a passage without its sentences and items that are deeds.
func (p *passage) telling() string {
	if len(p.items) > 0 {
		return strings.Join(telling(p.items), "\n")
	}
	rest := strings.Join(telling(prose.Sentences(p.text)), " ")
	switch {
	case p.lead == "" || rest == "" && onlyDone(p.lead):
		return rest
	case rest == "":
		return p.lead
	}
	return led(p.lead, rest)
}

// opened makes the opening of a unit's text one that can be read alone: without the
// words with which it hangs on what was said before, and, where its subject
// stands there, behind the heading that names it.
func (p *passage) opened(text string) string {
	if rest, ok := strings.CutPrefix(text, "- "); ok && !strings.Contains(rest, "\n") {
		text = rest
	}
	if bare := sentence.Bare(text); bare != text {
		text = prose.Sentence(bare)
		if strings.HasSuffix(bare, ".") {
			text += "."
		}
	}
	first, _, _ := strings.Cut(text, "\n")
	if parts := prose.Sentences(first); len(parts) > 0 && sentence.Dangles(prose.Words(parts[0])) {
		if topic := p.topic(); topic != "" && !strings.HasPrefix(text, topic) {
			return topic + ": " + text
		}
	}
	return text
}

// together puts the text of a unit together from that of its passages.
func (p *passage) together(body func(*passage) string) string {
	if len(p.parts) < 2 {
		return body(p)
	}
	var lines []string
	intro := ""
	for i := range p.parts {
		part := &p.parts[i]
		if conf, _, _ := part.score(); conf < idleBelow && len(part.items) == 0 {
			continue
		}
		words := body(part)
		if words == "" {
			continue
		}
		if part.intro != "" && part.intro != intro {
			lines = append(lines, part.intro+":")
		}
		intro = part.intro
		switch {
		case len(part.items) > 0:
			lines = append(lines, "- "+strings.ReplaceAll(words, "\n", "\n- "))
		case part.place == placeLead || part.place == placeList || part.intro != "":
			lines = append(lines, "- "+words)
		default:
			lines = append(lines, words)
		}
	}
	return strings.Join(lines, "\n")
}
