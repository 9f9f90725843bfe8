package passage

import (
	"slices"
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
func unite(passages []Passage) []Passage {
	var out []Passage
	for from := 0; from < len(passages); {
		to, size := from+1, wordsOf(&passages[from])
		for to < len(passages) {
			n := wordsOf(&passages[to])
			if size+n > unitWords || size >= unitSection && strings.Join(passages[to].Section, "\n") != strings.Join(passages[to-1].Section, "\n") {
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

func wordsOf(p *Passage) int { return len(strings.Fields(p.Body())) + len(strings.Fields(p.Intro)) }

// unitOf makes one unit of some passages.
func unitOf(parts []Passage) Passage {
	best, most := 0, -1.0
	for i := range parts {
		if conf, _, _ := parts[i].Score(); conf > most {
			best, most = i, conf
		}
	}
	p := parts[best]
	p.Parts = parts
	return p
}

// Whole is the text of a unit.
func (p *Passage) Whole() string { return p.together((*Passage).Body, false) }

// Told is the text of a unit as one memory holds it: without what only says that
// something was done, and each list under the words that say what it lists. It is "" when
// nothing is left.
func (p *Passage) Told() string {
	return p.together(func(part *Passage) string {
		var kept []string
		for line := range strings.SplitSeq(part.telling(), "\n") {
			if outcome(line) || len(part.Items) == 0 && len(p.Parts) > 1 && remark(line) {
				continue
			}
			kept = append(kept, plain(line))
		}
		return strings.Join(kept, "\n")
	}, true)
}

// plain is a line without the sentences that only tell how its writer came to the others,
// and without one at its end that was cut.
func plain(line string) string {
	parts := prose.Sentences(line)
	if len(parts) < 2 {
		return line
	}
	if strings.HasSuffix(line, "…") {
		parts = parts[:len(parts)-1]
	}
	for len(parts) > 1 && remark(parts[0]) {
		parts = parts[1:]
	}
	return strings.Join(parts, " ")
}

// remarkWords is how many words a sentence has at most that is only a remark on another.
const remarkWords = 10

// remark holds for a short sentence about what was said elsewhere, "That's the catch I meant".
func remark(s string) bool {
	words := prose.Words(s)
	return len(words) <= remarkWords && sentence.Dangles(words) && prose.Identifiers(s) == 0 && !explains(s)
}

// telling is the text of a passage without its sentences and items that are deeds.
func (p *Passage) telling() string {
	if len(p.Items) > 0 {
		return strings.Join(telling(p.Items), "\n")
	}
	if p.Lead != "" && filed(p.Body()) {
		return ""
	}
	rest := strings.Join(telling(prose.Sentences(p.Text)), " ")
	switch {
	case p.Lead == "" || rest == "" && OnlyDone(p.Lead):
		return rest
	case rest == "":
		if p.Text == "" && len(strings.Fields(p.Lead)) < 3 && prose.Identifiers(p.Lead) == 0 {
			return "" // the name of a field whose value was code
		}
		return p.Lead
	}
	return led(p.Lead, rest)
}

// Opened makes the opening of a unit's text one that can be read alone: without the
// words with which it hangs on what was said before, and, where its subject
// stands there, behind the heading that names it.
func (p *Passage) Opened(text string) string {
	if rest, ok := strings.CutPrefix(text, "- "); ok && !strings.Contains(rest, "\n") {
		text = rest
	}
	if bare := sentence.Bare(text); bare != text {
		text = prose.Sentence(bare)
		if strings.HasSuffix(bare, ".") {
			text += "."
		}
	}
	text = withoutReply(text)
	first, rest, more := strings.Cut(text, "\n")
	if parts := prose.Sentences(first); more && !slices.ContainsFunc(parts, func(s string) bool { return !tellsOfWork(s) }) {
		text = rest
		first, _, _ = strings.Cut(text, "\n")
	}
	if parts := prose.Sentences(first); len(parts) > 0 && !strings.HasSuffix(first, ":") && sentence.Dangles(prose.Words(parts[0])) {
		if topic := p.topic(); topic != "" && !strings.HasPrefix(text, topic) {
			return topic + ": " + text
		}
	}
	return text
}

// replyWords is how many words a sentence has at most that only answers somebody.
const replyWords = 8

// withoutReply drops the sentences at the beginning of a text that state nothing and name
// nothing, "No." or "Not as an open issue.", and a line that only announces the next ones.
func withoutReply(text string) string {
	for {
		line, below, more := strings.Cut(text, "\n")
		if label, found := strings.CutSuffix(line, ":"); found && more && sentence.Announced(label) {
			text = below
			continue
		}
		if first, rest, found := strings.Cut(text, " "); found && (first == "No." || first == "Yes.") {
			text = rest
			continue
		}
		parts := prose.Sentences(line)
		if len(parts) == 0 || strings.HasPrefix(line, "- ") || len(parts) == 1 && (!more || strings.HasSuffix(line, ":")) {
			return text
		}
		if first := parts[0]; sentence.States(first) || prose.Identifiers(first) > 0 || len(prose.Words(first)) > replyWords {
			return text
		}
		text = strings.TrimSpace(text[strings.Index(text, parts[0])+len(parts[0]):])
	}
}

// tellsOfWork holds for a sentence that tells how its writer went about the work and
// nothing of what they found.
func tellsOfWork(s string) bool {
	return sentence.Narrates(s) && !explains(s) && prose.Identifiers(s) < 4
}

// together puts the text of a unit together from that of its passages.
func (p *Passage) together(body func(*Passage) string, labels bool) string {
	if len(p.Parts) < 2 && (len(p.Items) < 2 || !labels) {
		return body(p)
	}
	parts := p.Parts
	if len(parts) == 0 {
		parts = []Passage{*p}
	}
	var lines, under []string // under which headings the last passage stands
	intro := ""
	for i := range parts {
		part := &parts[i]
		if conf, _, _ := part.Score(); conf < idleBelow && len(part.Items) == 0 && len(parts) > 1 {
			continue
		}
		words := body(part)
		if words == "" || labels && part.routine() && len(part.Items) == 0 && !binds(words) {
			continue
		}
		over := part.Intro
		if over == "" && labels {
			if over = intro; len(lines) == 0 || !slices.Equal(part.Section, under) {
				over = part.label()
			}
		}
		under = part.Section
		if over != "" && over != intro && (!labels || !part.routine() || strings.HasPrefix(strings.ToLower(over), "test")) {
			mark := ":"
			if strings.HasSuffix(over, "?") {
				mark = ""
			}
			lines = append(lines, over+mark)
		}
		intro = over
		switch {
		case len(part.Items) > 0:
			lines = append(lines, "- "+strings.ReplaceAll(words, "\n", "\n- "))
		case part.Place == Lead || part.Place == List || part.Intro != "":
			lines = append(lines, "- "+words)
		default:
			lines = append(lines, words)
		}
	}
	return strings.Join(lines, "\n")
}
