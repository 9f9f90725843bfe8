package passage

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/weights"
	"github.com/git-cortex/cortex/internal/lists"
)

// Sizes of a unit, in words.
const (
	unitWords   = 90 // what belongs together is one memory up to here
	unitSection = 60 // a new heading begins a new unit after so many
)

// unite puts the passages of one message that stand together into units, each of
// which may be one memory: a statement is understood with what stands around it.
// A unit is its strongest passage, with all of them as parts.
func unite(passages []Passage) []Passage {
	var out []Passage
	for len(passages) > 0 {
		n := unitAt(passages)
		out = append(out, unitOf(passages[:n]))
		passages = passages[n:]
	}
	for i := range out {
		out[i].of = len(out)
	}
	return out
}

// unitAt is how many of some passages the unit has that they begin with.
func unitAt(passages []Passage) int {
	size := wordsOf(&passages[0])
	for i := 1; i < len(passages); i++ {
		n := wordsOf(&passages[i])
		newSection := size >= unitSection && !slices.Equal(passages[i].Section, passages[i-1].Section)
		if newSection || size+n > unitWords {
			return i
		}
		size += n
	}
	return len(passages)
}

func wordsOf(p *Passage) int { return wordCount(p.Body()) + wordCount(p.Intro) }

// unitOf makes one unit of some passages.
func unitOf(parts []Passage) Passage {
	best, most := 0, -1.0
	for i := range parts {
		cued, typ := parts[i].Cues()
		if v := weights.Builtin().Score(parts[i].Signs(cued, typ)); v.Keep > most {
			best, most = i, v.Keep
		}
	}
	p := parts[best]
	p.Parts = parts
	return p
}

// Whole is the text of a unit.
func (p *Passage) Whole() string { return p.together((*Passage).Body) }

// Told is the text of a unit as one memory holds it: without what only says that something
// was done, and each list under the line that says what it lists. It is "" when nothing is
// left.
func (p *Passage) Told() string { return p.together((*Passage).telling) }

// telling is the text of a passage without its sentences and items that are deeds.
func (p *Passage) telling() string {
	if len(p.Items) > 0 {
		return strings.Join(withoutDeeds(p.Items), "\n")
	}
	rest := strings.Join(withoutDeeds(prose.Sentences(p.Text)), " ")
	if rest == "" && (Deed(p.Lead) || Field(p.Lead)) {
		return ""
	}
	return led(p.Lead, rest)
}

// withoutDeeds keeps the sentences of a list of them that say more than what was done.
func withoutDeeds(list []string) []string {
	return lists.Without(list, func(s string) bool { return Deed(s) || Field(s) })
}

// Opened makes the opening of a unit's text one that can be read alone: without the
// words with which it hangs on what was said before, and, where its subject
// stands there, behind the heading that names it.
func (p *Passage) Opened(text string) string {
	if bare := Bare(text); bare != text {
		text = capital(bare)
	}
	text = withoutAnnouncement(text)
	first, _, _ := strings.Cut(text, "\n")
	if !strings.HasSuffix(first, ":") && Dangles(prose.Words(first)) {
		return behind(p.topic(), text)
	}
	return text
}

// withoutAnnouncement drops a first line that only says that something follows, such as "Notes:".
func withoutAnnouncement(text string) string {
	first, rest, more := strings.Cut(text, "\n")
	if more && announces(strings.TrimSuffix(first, ":")) {
		return rest
	}
	return text
}

// capital gives a text a capital letter.
func capital(s string) string {
	first := prose.FirstWord(s)
	return prose.Sentence(first) + s[len(first):]
}

// together puts the text of a unit together from that of its passages.
func (p *Passage) together(body func(*Passage) string) string {
	parts := p.Parts
	if len(parts) == 0 {
		parts = []Passage{*p}
	}
	if len(parts) == 1 && p.Intro == "" {
		return body(p)
	}
	var lines []string
	intro := ""
	for i := range parts {
		part := &parts[i]
		words := body(part)
		if words == "" {
			continue
		}
		if part.Intro != "" && part.Intro != intro {
			lines = append(lines, strings.TrimSuffix(part.Intro+":", "?:"))
		}
		intro = part.Intro
		lines = append(lines, part.listed(words))
	}
	return strings.Join(lines, "\n")
}

// listed gives the text of a passage as items of a list, if it is one or stands in one.
func (p *Passage) listed(text string) string {
	if len(p.Items) == 0 && p.Place != List && p.Intro == "" {
		return text
	}
	return "- " + strings.ReplaceAll(text, "\n", "\n- ")
}
