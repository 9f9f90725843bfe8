package passage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// Setting is the prompt of a turn, with which passages are compared in addition to
// the words of their session. It holds nothing that a run which begins in the
// middle of a long turn would not know.
type Setting struct {
	Prompt string   // what began the turn, as the session record holds it
	Asked  []uint32 // its words
}

// seen holds the cues of a passage.
type seen struct {
	signs    []string
	rows     []string // of the table of cues
	strength int      // how many groups of cues speak for it, less those against it
	typ      memory.Type
}

// Cues lists the cues of a passage and the type that they suggest.
func (p *Passage) Cues() (signs []string, typ memory.Type) { return p.see().signs, p.see().typ }

// CueRows lists the rows of the table of cues that stand in a passage: where, group and
// phrase.
func (p *Passage) CueRows() []string { return p.see().rows }

// see looks for the cues of a passage, once.
func (p *Passage) see() *seen {
	if p.seen != nil {
		return p.seen
	}
	found := append(p.headingCues(), p.textCues()...)
	p.seen = &seen{typ: suggested(found), strength: p.substance()}
	for _, h := range found {
		p.seen.signs = append(p.seen.signs, h.sign())
		p.seen.rows = append(p.seen.rows, rowsOf(h)...)
		if h.speaksAgainst() {
			p.seen.strength--
		} else {
			p.seen.strength++
		}
	}
	return p.seen
}

// textCues are the cues of the text of a passage. One weak item does not spoil a list.
func (p *Passage) textCues() []hit {
	return lists.Without(cues().find(inText, prose.Words(p.Body())), func(h hit) bool {
		return h.typ == "" && 2*h.n < len(p.Items)
	})
}

// suggested is the type that some cues suggest: that of the group of which most were found, one
// or several, and of equals the first in the table.
func suggested(found []hit) memory.Type {
	typed := lists.Without(found, func(h hit) bool { return h.typ == "" })
	if len(typed) == 0 {
		return memory.Learned
	}
	return slices.MinFunc(typed, func(a, b hit) int {
		return cmp.Or(min(b.n, 2)-min(a.n, 2), a.at-b.at)
	}).typ
}

// shortPassage is how many words a passage has at least that stands well alone.
const shortPassage = 7

// substance is 1 for a passage that names something in code, and less for one that is short.
func (p *Passage) substance() int {
	body, n := p.Body(), 0
	if prose.Identifiers(body) > 0 {
		n++
	}
	if wordCount(body) < shortPassage*max(1, len(p.Items)) {
		n -= 2
	}
	return n
}

// headingCues are the cues of what stands over the passage. An outer heading can speak for it,
// not against it.
func (p *Passage) headingCues() []hit {
	found := cues().find(inHeading, p.titleWords())
	if len(p.Section) < 2 {
		return found
	}
	outer := cues().find(inHeading, prose.Words(p.Section[len(p.Section)-2]))
	return append(found, lists.Without(outer, func(h hit) bool {
		return h.typ == "" || slices.ContainsFunc(found, func(f hit) bool { return f.group == h.group })
	})...)
}

// titleWords are the words of what stands directly over the passage. Of a whole sentence
// only the opening works as a heading.
func (p *Passage) titleWords() []string {
	var over []string
	for _, h := range []string{p.Intro, p.Lead} {
		words := prose.Words(h)
		if len(words) > headingWords {
			words = words[:2]
		}
		over = append(over, append(words, ".")...)
	}
	if n := len(p.Section); n > 0 {
		over = append(over, prose.Words(p.Section[n-1])...)
	}
	return over
}

// signList collects the signs of a passage.
type signList []string

// add adds a sign where it holds.
func (l *signList) add(name string, holds bool) {
	if holds {
		*l = append(*l, name)
	}
}

// step adds a sign that names the range of x between bounds.
func (l *signList) step(name string, x float64, bounds ...float64) {
	n := 0
	for n < len(bounds) && x >= bounds[n] {
		n++
	}
	*l = append(*l, name+" "+strconv.Itoa(n))
}

// Signs lists what speaks for and against a passage. cued are its cues, typ the type that
// they suggest.
func (p *Passage) Signs(cued []string, typ memory.Type) []string {
	body := p.Body()
	words := prose.Words(body)
	out := signList(slices.Clone(cued))
	out = append(out, "place "+p.Place.String(), "type "+string(typ))
	out.step("cues", float64(p.see().strength), 0, 1, 2, 3, 4, 5)
	out.step("names", float64(prose.Identifiers(body)), 1, 2, 4)
	out.step("sentences", float64(len(prose.Sentences(p.Text))), 1, 2, 3, 5)
	out.step("of passages", float64(p.of), 2, 4, 8, 16)
	out.add("introduced", p.Intro != "")
	out.step("sections", float64(len(p.Section)), 1, 2, 3)
	out.step("length", float64(len(words)), 8, 15, 25, 40, 60)
	out.add("file name", namesFile(body))
	if len(words) > 0 {
		out.add("opens "+Opening(words[0]), true)
	}
	if len(p.Parts) > 0 {
		out.step("parts", float64(len(p.Parts)), 2, 3, 5)
		out.step("unit length", float64(wordCount(p.Whole())), 12, 25, 45, 70)
	}
	if s := p.Setting; s != nil && s.Prompt != "" {
		out.step("in prompt", sameness.Inside(sameness.Signature(body), s.Asked), 0.1, 0.25, 0.5)
		out.add("prompt asks", strings.Contains(s.Prompt, "?"))
		out.step("prompt", float64(len(s.Asked)), 6, 15, 60)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// namesFile reports whether a word of a text is written like the name of a file.
func namesFile(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		return isFileName(strings.Trim(word, "`.,;:()[]\"'*"))
	})
}
