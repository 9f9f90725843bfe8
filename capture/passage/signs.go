package passage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
	"github.com/git-cortex/cortex/memory"
)

// Setting is the prompt of a turn, with which passages are compared in addition to
// the words of their session. It holds nothing that a run which begins in the
// middle of a long turn would not know.
type Setting struct {
	Prompt string   // what began the turn, as the session record holds it
	Asked  []uint32 // its words
	Agreed bool     // the user's next words agree to what ended it
}

// Signs lists what speaks for and against a passage. names are the cues that
// its score has found, conf and typ what they come to.
func (p *Passage) Signs(names []string, conf float64, typ memory.Type) []string {
	body := p.Body()
	words := prose.Words(body)
	out := slices.Clone(names)
	add := func(s string) { out = append(out, s) }
	add("place " + p.Place.String())
	add("rule " + step(conf, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8))
	add("type " + string(typ))
	add("length " + step(float64(len(words)), 8, 15, 25, 40, 60))
	add("names " + step(float64(prose.Identifiers(body)), 1, 2, 4))
	p.shape(body, words, add)
	p.around(body, add)
	if len(p.Parts) > 0 {
		add("parts " + step(float64(len(p.Parts)), 2, 3, 5))
		all, told := len(strings.Fields(p.Whole())), len(strings.Fields(p.together((*Passage).telling, false)))
		add("unit length " + step(float64(all), 12, 25, 45, 70))
		add("told " + step(float64(told)/float64(max(1, all)), 0.01, 0.4, 0.7, 0.95))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// shape adds what a passage looks like.
func (p *Passage) shape(body string, words []string, add func(string)) {
	switch {
	case len(p.Items) > 3:
		add("long list")
	case len(p.Items) > 0:
		add("list")
	}
	if p.Lead != "" {
		add("lead " + step(float64(len(strings.Fields(p.Lead))), 3, 6))
	}
	if p.Intro != "" {
		add("introduced")
	}
	add("sections " + step(float64(len(p.Section)), 1, 2, 3))
	if len(words) > 0 {
		add("opens " + sentence.Opening(words[0]))
	}
	if strings.ContainsAny(body, "0123456789") {
		add("number")
	}
	if strings.Contains(body, `"`) || strings.Contains(body, "“") {
		add("quotation")
	}
	if strings.Contains(body, "→") || strings.Contains(body, "->") {
		add("arrow")
	}
	if strings.Contains(body, "?") {
		add("question mark")
	}
	if strings.ContainsAny(body, "✅✓✔❌⚠") {
		add("mark")
	}
	if hashes(body) {
		add("commit id")
	}
	add("deeds " + step(deeds(p), 0.01, 0.35, 0.7))
	add("sentences " + step(float64(len(prose.Sentences(p.Text))), 1, 2, 3, 5))
	if Announces(p.Text) {
		add("announces")
	}
	for f := range strings.FieldsSeq(body) {
		if isFileName(strings.Trim(f, "`.,;:()[]\"'*")) {
			add("file name")
			break
		}
	}
}

// deeds is the share of the sentences or items of a passage that say what was
// done: that open with a verb in the past.
func deeds(p *Passage) float64 {
	list := p.Own()
	n := 0
	for _, x := range list {
		if w := prose.Words(x); len(w) > 0 && sentence.Opening(w[0]) == "past" {
			n++
		}
	}
	return float64(n) / float64(max(1, len(list)))
}

// around adds where a passage stands.
func (p *Passage) around(body string, add func(string)) {
	s := p.Setting
	add("of passages " + step(float64(p.of), 2, 4, 8, 16))
	switch {
	case p.index == 0:
		add("first passage")
	case p.index == p.of-1:
		add("last passage")
	}
	if p.Subjects != nil {
		add("central " + step(p.Mean, 0.5, 1, 1.5, 2, 2.5, 3))
		add("known " + step(p.Known, 0.2, 0.4, 0.6, 0.8))
		add("said before " + step(p.Said, 0.1, 0.2, 0.4, 0.6))
		add("alike " + step(p.Alike, 0.1, 0.15, 0.2, 0.3, 0.5))
	}
	if s == nil {
		return
	}
	if s.Prompt != "" {
		add("in prompt " + step(memory.Inside(memory.Signature(body), s.Asked), 0.1, 0.25, 0.5))
		add("prompt " + step(float64(len(s.Asked)), 6, 15, 60))
		if strings.Contains(s.Prompt, "?") {
			add("prompt asks")
		}
	}
}

// step names the range of x between bounds.
func step(x float64, bounds ...float64) string {
	n := 0
	for n < len(bounds) && x >= bounds[n] {
		n++
	}
	return strconv.Itoa(n)
}
