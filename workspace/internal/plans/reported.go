package plans

import (
	"cmp"
	_ "embed" // for the table of words
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// said is the least share of a step's words that a report of it has, and verbWeight what its verb
// counts beside its other words.
const (
	said       = 0.59
	verbWeight = 0.5
)

// Reported finds the open plan that what was heard goes on with, of several the one that is named or else
// the newest, and returns it with the memories of the steps that it says were done since; nil for
// none. A report names a step by its number or by its words. Told are the tags that name one.
func Reported(heard *Listener, from Session, on memory.ID, records []*memory.Memory) (
	plan *memory.Memory, steps []*memory.Memory, told []*capture.Candidate,
) {
	var r reader
	reports := lazy.Value(heard.reports)
	for _, plan := range openPlans(on, records) {
		p := progress{plan: plan, known: projection.Steps(plan, records), from: from, records: records}
		p.claims = lists.Map(p.known, func(s projection.Step) claim { return r.read(s.Text) })
		for _, report := range reports() {
			p.report(&r, report)
		}
		if p.named {
			return plan, p.steps, p.told
		}
	}
	return nil, nil, nil
}

// openPlans are the plans with open steps, first the named one, then the newest.
func openPlans(on memory.ID, records []*memory.Memory) []*memory.Memory {
	open := lists.Where(newest(records), func(m *memory.Memory) bool {
		return IsOpen(m, records)
	})
	isNamed := func(m *memory.Memory) bool { return m.ID == on }
	return slices.Concat(lists.Where(open, isNamed), lists.Without(open, isNamed))
}

// progress gathers the steps of one plan that reports name.
type progress struct {
	plan    *memory.Memory
	known   []projection.Step
	claims  []claim // what the steps say
	from    Session
	records []*memory.Memory
	steps   []*memory.Memory
	told    []*capture.Candidate
	named   bool // a report names a step
}

// report adds the steps that a report says were done.
func (p *progress) report(r *reader, report Report) {
	c := r.read(report.Text)
	from := p.from
	from.Source.Record = report.Record + 1
	for _, i := range c.steps(p.claims) {
		step := &p.known[i]
		done := Step{Text: step.Text, Done: true, Worked: report.Sure}
		if m := advance(p.plan, step, &done, from, p.records); m != nil {
			p.steps = append(p.steps, m)
			step.Done, step.By = true, m
		}
		p.named = true
		if report.Tag != nil {
			p.told = append(p.told, report.Tag)
		}
	}
}

// claim is a text taken apart: what was done, and to what. What follows a word such as "next" is
// no part of it.
type claim struct {
	text string
	verb string   // the first of its row; "" for a text that begins with none
	head []string // stems of what it was done to
	last string   // of them
	all  []string // stems
	done bool     // it says so
}

// steps are the indices of the steps that a claim names, by their numbers or else by their words.
func (c *claim) steps(of []claim) []int {
	if numbered := c.numbered(len(of)); len(numbered) > 0 {
		return numbered
	}
	return c.named(of)
}

// numbered are the indices of the steps whose numbers a claim names: "step 2", "steps 1, 3 and 4".
func (c *claim) numbered(steps int) (out []int) {
	named := strings.Join(stepNumbers().FindAllString(c.text, -1), " ")
	numbers := digits().FindAllString(named, -1)
	for i := range steps {
		if slices.Contains(numbers, strconv.Itoa(i+1)) {
			out = append(out, i)
		}
	}
	return out
}

// stepNumbers matches where a text names steps by their numbers.
var stepNumbers = lazy.Pattern(`(?i)\bsteps?\s+#?\d{1,2}(\s*(,|and|&|, and)\s*\d{1,2}\b)*`)

var digits = lazy.Pattern(`\d+`)

// named is the index of the step that a claim has most words in common with; none where it is two.
func (c *claim) named(steps []claim) (of []int) {
	most := said
	for i := range steps {
		fit := c.fits(&steps[i])
		if fit > most {
			most = fit
			of = []int{i}
		} else if fit == most {
			of = nil // either
		}
	}
	return of
}

// fits is the share of a step's words that a claim has, 0 where it is about something else.
func (c *claim) fits(step *claim) float64 {
	if !c.isAbout(step) {
		return 0
	}
	words, told := lists.Unique(step.all), slices.Concat(c.all, []string{c.verb}) // a verb that no table has is a word
	have := 0.0
	for _, word := range words {
		if slices.Contains(told, word) {
			have++
		}
	}
	if c.verb == step.verb {
		have += verbWeight
	}
	return have / (float64(len(words)) + verbWeight)
}

// isAbout reports whether a claim did what a step says to what it says: "added a test for the retry"
// is not about "add the retry", nor is "removed the retry".
func (c *claim) isAbout(step *claim) bool {
	sameDeed := c.verb == step.verb || c.verb == "" || step.verb == ""
	return sameDeed && (c.last == step.last || slices.Contains(c.head, step.last))
}

// reader takes texts apart. The zero value is ready.
type reader struct{ words.Analyser }

// read takes a text apart.
func (r *reader) read(text string) claim {
	text = unticked().Replace(afterKind().ReplaceAllString(text, ""))
	c := claim{text: text}
	before := "" // the class of the last word that ended what it was done to
	for _, t := range r.Plain(text) {
		switch class := vocabulary().class[t.Term]; class {
		case "aside":
		case "if":
			return claim{}
		case "open":
			c.text = text[:t.Start]
			return c
		case "joint", "is":
			before = class
		case "done":
			c.done = true
		default:
			c.word(t, before)
		}
	}
	return c
}

// word takes in a word that tells something, and that the last word of a class stands before.
func (c *claim) word(t words.Token, before string) {
	verb := verbOf(t)
	past := isPast(t.Term)
	passive := past && before == "is"
	if c.isEmpty() && verb != "" {
		c.verb = verb
		c.done = c.done || past
		return
	}
	if passive {
		c.done = true
		return
	}
	c.object(t.Stem, before)
}

// object takes in a word of what it was done to.
func (c *claim) object(stem, before string) {
	c.all = append(c.all, stem)
	if before == "" {
		c.head = append(c.head, stem)
		c.last = stem
	}
}

// isEmpty reports whether nothing that tells something was taken in.
func (c *claim) isEmpty() bool {
	return c.verb == "" && len(c.all) == 0
}

// verbOf is the verb that stands for a word; "" where it is none, as a noun made of a verb.
func verbOf(t words.Token) string {
	verbs := vocabulary().verb
	if isPast(t.Term) {
		return cmp.Or(verbs[t.Term], verbs[t.Stem], t.Stem)
	}
	return verbs[strings.TrimSuffix(t.Term, "s")]
}

// isPast reports whether a verb says that something was done.
func isPast(term string) bool {
	return strings.HasSuffix(term, "ed") || vocabulary().class[term] == "past"
}

// afterKind matches the kind of a commit, or the package that it names.
var afterKind = lazy.Pattern(`^\S+: `)

// unticked has the words that signs stand for, and nothing for a "now" that tells how things are.
var unticked = lazy.Value(func() *strings.Replacer {
	return strings.NewReplacer(
		"[x]", " done ", "[X]", " done ", "✅", " done ", "n't", " not ", "n’t", " not ", "[ ]", " todo ", " now,", ",")
})

// wordsOfReports are the classes of words, and the first verb of each row, by their forms and stems.
type wordsOfReports struct{ class, verb map[string]string }

var vocabulary = lazy.Value(func() wordsOfReports {
	out := wordsOfReports{map[string]string{}, map[string]string{}}
	var a words.Analyser
	for row := range words.Rows(reportedTable, 2) {
		forms := strings.Fields(row[1])
		for _, form := range forms {
			if row[0] == "verb" {
				out.verb[form], out.verb[a.Plain(form)[0].Stem] = forms[0], forms[0]
			} else {
				out.class[form] = row[0]
			}
		}
	}
	return out
})

//go:embed reported.tsv
var reportedTable string
