package passage

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
)

// What stands over several items is what they have in common, and no item of a list says
// what the others do.

// tellingWords is how many words a heading has at least, beside those that any document
// has over its sections, that tells what a list is about.
const tellingWords = 3

// over finds what tells what the items of a unit are about: the line that introduces
// them, else the nearest heading that stands over all parts of the unit. It is "" for a
// unit that is no list.
func (p *Passage) over() string {
	if !p.several() {
		return ""
	}
	if intro := topical(p.Intro); intro != "" {
		return intro
	}
	parts := p.Parts
	if len(parts) == 0 {
		parts = []Passage{*p}
	}
	common := parts[0].Section
	for i := range parts[1:] {
		n := 0
		for n < len(common) && n < len(parts[i+1].Section) && common[n] == parts[i+1].Section[n] {
			n++
		}
		common = common[:n]
	}
	for _, h := range slices.Backward(common) {
		if t := topical(h); t != "" {
			return t
		}
	}
	return ""
}

// several reports whether the strongest passage of a unit is one of several items, or
// holds several.
func (p *Passage) several() bool {
	if len(p.Items) > 1 {
		return true
	}
	if p.Place == Document || p.Place == Plan {
		for i := range p.Parts {
			if !slices.Equal(p.Parts[i].Section, p.Section) {
				return true
			}
		}
	}
	if p.Lead == "" && p.Intro == "" && p.Place != List {
		return false
	}
	n := 0
	for i := range p.Parts {
		if q := &p.Parts[i]; q.Intro == p.Intro && slices.Equal(q.Section, p.Section) && (q.Place == p.Place || q.Lead != "") {
			n++
		}
	}
	return n > 1
}

// topical makes a title of a line over a list, "" if it tells too little of what the list
// is about.
func topical(h string) string {
	h = strings.TrimRight(strings.TrimSpace(sentence.Bare(sentence.Unnumbered(h))), ".:")
	if _, rest := kindOf(h); rest != "" {
		h = rest
	}
	if h = sentence.Shortened(h, TitleLimit); h == "" {
		return ""
	}
	words := prose.Words(h)
	if len(words) < tellingWords || sentence.Dangles(words) || sentence.Unfinished(words) || asksWithin(h) || sentence.Announced(h) || Announces(h) || Reports(h) || !sentence.Balanced(h) || hashes(h) || names(h) || ofAnyDocument(words[len(words)-1]) {
		return ""
	}
	if o := sentence.Opening(words[0]); o == "self" || o == "you" || o == "link" || o == "pronoun" || o == "circumstance" || o == "past" {
		return ""
	}
	plain, _, _ := strings.Cut(h, " (")
	n := prose.Identifiers(plain)
	for _, w := range prose.Words(plain) {
		if len(w) > 2 && !ofAnyDocument(w) && !doneWord(w) {
			n++
		}
	}
	if n < tellingWords {
		return ""
	}
	return prose.Sentence(h)
}

// kindOf splits what a document says of its own kind from its heading: "Plan: …".
func kindOf(h string) (kind, rest string) {
	kind, rest, found := strings.Cut(h, ": ")
	words := prose.Words(kind)
	if !found || len(words) == 0 || len(words) > 2 || slices.ContainsFunc(words, func(w string) bool { return !ofAnyDocument(w) }) {
		return "", ""
	}
	return kind, rest
}

// ofAnyDocument holds for a word that stands over sections of any document and tells
// nothing of this one's subject.
func ofAnyDocument(w string) bool { return commonWords()[w] }

var commonWords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(`the and for are was its this that these those with from here
		all any each every both other others what when where why how who which
		plan plans phase part step steps summary overview result results review reviews finding findings analysis report reports note notes
		detail details background context implementation status file files change changes validation assumption assumptions
		verification verify test tests testing next key positive highlight highlights evidence reference references example examples
		current proposed suggested solution problem problems issue issues improvement improvements requirement requirements goal goals criteria
		success decision decisions option options question questions answer answers section sections technical high level design
		important critical minor major general new old additional remaining found made needed following main
		code feat fix chore docs refactor complete done item items thing things work task tasks todo feedback comment comments response`) {
		out[w] = true
	}
	return out
})

// labelLimit is how long a heading is, in bytes, that a list is named by in a text.
const labelLimit = 60

// label is the heading that says what the items of a list are, which they do not say
// themselves: "Never included". It is "" for prose.
func (p *Passage) label() string {
	if len(p.Items) == 0 && p.Place != List && p.Place != Lead || len(p.Section) == 0 {
		return ""
	}
	h := strings.TrimRight(sentence.Unnumbered(strings.TrimLeft(p.Section[len(p.Section)-1], "0123456789. ")), ".:")
	if name, place, found := strings.Cut(h, " (`"); found && strings.Contains(place, "/") {
		h = name // a memory is not about each folder that some of it is in
	}
	if len(h) > labelLimit || sentence.Announced(h) || strings.HasPrefix(strings.ToLower(h), "summary") {
		return ""
	}
	return h
}

// routine reports whether what stands over a passage says that it only tells how the work
// was checked, or which files it touched.
func (p *Passage) routine() bool {
	over := cmp.Or(p.Intro, p.Lead)
	if n := len(p.Section); over == "" && n > 0 {
		over = p.Section[n-1]
	}
	words := prose.Words(over)
	for len(words) > 1 && slices.Contains([]string{"key", "relevant", "related", "manual", "how"}, words[0]) {
		words = words[1:]
	}
	switch strings.Join(words, " ") {
	case "verification", "verified", "test plan", "checks run", "checks", "what i tested", "testing", "tests", "tests run", "files", "files changed", "files modified", "changed files", "files and code sections",
		"to verify", "test results", "validation", "test scenarios", "dependencies", "patterns to follow":
		return true
	}
	return false
}
