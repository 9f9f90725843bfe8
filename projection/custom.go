package projection

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// layoutOpen begins the line of a page that holds its template, so that pages can be
// merged by their texts alone.
const layoutOpen = "<!-- cortex:layout "

// CheckTemplate returns why a template of a page cannot be used, as far as can be told
// without the memories: it is tried with nothing to show, and with one element in each
// list. It is nil if nothing is known against it.
func CheckTemplate(kind Kind, template string) error {
	if template = plain(template); template == "" {
		return nil
	}
	if _, err := kind.pageBy(template, records{}); err != nil {
		return err
	}
	m := memory.New(memory.Decision, "Title", "Text", time.Unix(0, 0))
	m.Files = []string{"file"}
	d := &pageData{run: &layoutRun{}, Generated: generated}
	e := d.entry(m, "note", "relation")
	all := each(d.run, []*entryData{e})
	d.Contested = each(d.run, []contestData{{"Title", all}})
	d.Decisions, d.Rejected, d.Aging, d.Archived, d.Others, d.Closed = all, all, all, all, all, all
	d.Plan = &planData{Entry: e, Steps: each(d.run, []stepData{{Text: "step"}})}
	_, err := kind.layOut(template, d, []*memory.Memory{m})
	return err
}

func (k Kind) pageBy(template string, rs records) ([]byte, error) {
	if template = plain(template); template == "" {
		return k.page(rs, nil), nil
	}
	text, err := k.custom(template, rs.list)
	if err != nil {
		return k.page(rs, nil), err
	}
	w := &writer{}
	w.open(k)
	w.paragraph(strings.TrimSpace(text))
	w.end(k, template, rs)
	return w.Bytes(), nil
}

// plain is a template without what editors on other systems add.
func plain(template string) string {
	return strings.TrimPrefix(strings.ReplaceAll(template, "\r", ""), "\ufeff")
}

// custom renders by a template the part of a page that people read.
func (k Kind) custom(template string, records []*memory.Memory) (string, error) {
	d := &pageData{run: &layoutRun{}, Generated: generated}
	switch k {
	case Decisions:
		d.decisions(divide(records))
	case Archive:
		d.archive(divide(records))
	default:
		d.plans(records)
	}
	return k.layOut(template, d, records)
}

func (k Kind) layOut(template string, d *pageData, records []*memory.Memory) (string, error) {
	l, err := parseLayout(k.File(), template)
	if err != nil {
		return "", err
	}
	text, err := l.render(d.run, d)
	if err != nil {
		return "", err
	}
	return text, harmless(k, text, records)
}

// harmless refuses a text with comments that would be read as part of the page, but for
// the marks of its own memories.
func harmless(k Kind, text string, records []*memory.Memory) error {
	known := map[string]bool{}
	for _, r := range records {
		known["memory "+string(r.ID)] = true
	}
	for _, part := range strings.Split(text, "<!-- cortex:")[1:] {
		mark, _, closed := strings.Cut(part, commentClose)
		if !closed || !known[mark] {
			return fmt.Errorf("%s: it writes a comment that cortex alone writes", k.File())
		}
	}
	return nil
}

// encodeLayout is the line of a template, with its line break.
func encodeLayout(template string) []byte {
	if template == "" {
		return nil
	}
	data, err := json.Marshal(valid(template))
	if err != nil {
		panic("projection: a template that is not JSON: " + err.Error()) // a string
	}
	line := appendVisible([]byte(layoutOpen), data)
	return append(line, commentClose+"\n"...)
}

// decodeLayout reads what stands behind layoutOpen.
func decodeLayout(rest string) (string, error) {
	body, closed := strings.CutSuffix(rest, commentClose)
	var template string
	if !closed || json.Unmarshal([]byte(body), &template) != nil || len(template) > MaxTemplate {
		return "", errors.New("the template of the page is damaged")
	}
	return template, nil
}

// mergeLayouts is the template that a merged page has: the one that a side changed. Of
// two that differ it is the lesser one, whichever side is ours; the template's own file
// is in conflict then, and the page is rendered again once that is settled.
func mergeLayouts(base, ours, theirs *version) string {
	of := func(v *version) string {
		if v.template == "" && !v.complete {
			return base.template // it was cut off
		}
		return v.template
	}
	switch a, b := of(ours), of(theirs); {
	case a == b, b == base.template:
		return a
	case a == base.template:
		return b
	default:
		return min(a, b)
	}
}

// pageData is for the template of a page. All texts are safe where they are
// put: titles are of one line, bodies are quoted. What is any is a list of [each].
type pageData struct {
	run *layoutRun

	Generated string // says that the page is generated, and how to change it

	// Of decisions.md.
	Contested any
	Decisions any
	Rejected  any
	Aging     any
	Older     string // how many are in the archive; "" for none

	// Of decisions-archive.md.
	Archived any

	// Of active-plan.md.
	Plan   *planData // nil for none
	Others any
	Closed any
}

type contestData struct {
	Subject string
	Entries any
}

// entryData is one memory.
type entryData struct {
	Title, Link, Date, Type, ID        string
	Confidence, Agent, Branch, Commit  string
	Text, Provenance, Mark, Line, Note string
	Pinned                             bool
	Files, Relations                   any
}

type planData struct {
	Entry            *entryData
	Progress, Passed string
	Steps            any
}

type stepData struct {
	Mark, Text, By string
	Done           bool
}

func (d *pageData) entry(r *memory.Memory, note string, relations ...string) *entryData {
	line := &writer{}
	line.item(r, label(r), note)
	e := &entryData{
		Title: inline(r.Quote(r.Title)), Link: linked(r), Date: date(r), Type: string(r.Type), ID: r.ID.Short(),
		Confidence: strings.ToLower(Confidence(r.Confidence)), Agent: inline(r.Source.Agent),
		Branch: codeSpan(r.Source.Branch), Commit: codeSpan(shortCommit(r.Source.Commit)),
		Text: strings.TrimRight(quoted(r.Text), "\n"), Provenance: strings.Join(provenance(r), " · "), Mark: marker(r),
		Line: strings.TrimRight(line.String(), "\n"), Note: note, Pinned: r.Pinned,
	}
	e.Files, e.Relations = each(d.run, codeSpans(r.Files)), each(d.run, relations)
	return e
}

func (d *pageData) decisions(t *tiers) {
	t.setDisputedTextsApart()
	var contests []contestData
	for _, group := range t.contests {
		entries := lists.Map(group, func(r *memory.Memory) *entryData {
			return d.entry(r, "", t.relations(r, memory.Contradicts)...)
		})
		contests = append(contests, contestData{t.subject(group), each(d.run, entries)})
	}
	d.Contested = each(d.run, contests)
	of := map[memory.Type][]*entryData{}
	for _, r := range t.full {
		of[r.Type] = append(of[r.Type], d.entry(r, "", t.relations(r, memory.Supersedes, memory.Contradicts)...))
	}
	d.Decisions, d.Rejected = each(d.run, of[memory.Decision]), each(d.run, of[memory.Rejected])
	aging := lists.Map(t.aging, func(r *memory.Memory) *entryData { return d.entry(r, "") })
	d.Aging = each(d.run, aging)
	d.Older = older(t)
}

func (d *pageData) archive(t *tiers) {
	list := lists.Map(t.archive, func(r *memory.Memory) *entryData { return d.entry(r, t.replacedBy(r)) })
	d.Archived = each(d.run, list)
}

func (d *pageData) plans(records []*memory.Memory) {
	open, closed := openPlans(records)
	if len(open) > 0 {
		f := open[0]
		shown := *f.plan
		shown.Text = f.intro
		steps := make([]stepData, len(f.steps))
		for i, s := range f.steps {
			steps[i] = stepData{Mark: strings.TrimSpace(f.mark(i)), Text: inline(s.text), Done: s.done}
			if s.by != nil {
				steps[i].By = linked(s.by)
			}
		}
		d.Plan = &planData{Entry: d.entry(&shown, ""), Passed: f.passedOver(), Steps: each(d.run, steps)}
		if len(steps) > 0 {
			d.Plan.Progress = f.progress()
		}
		open = open[1:]
	}
	list := func(plans []*folded) any {
		out := lists.Map(plans, func(f *folded) *entryData { return d.entry(f.plan, strings.Join(f.notes(), ", ")) })
		return each(d.run, out)
	}
	d.Others, d.Closed = list(open), list(closed[:min(len(closed), planDone)])
}

// briefData is for the template of a briefing: lines of Markdown that are safe
// as they are.
type briefData struct {
	Conflicts any // lines
	Plan      any // lines: the plan, how far it is, its open steps
	Sections  any // of memories, in the order of importance
}

type sectionData struct {
	Title string
	Lines any
}

// laidOut lays out the inside of the fence of a briefing by a template.
func laidOut(template string, fence memory.Fence, conflicts, plan []string, sections []sectionLines) ([]string, error) {
	const name = "briefing.md"
	l, err := parseLayout(name, plain(template))
	if err != nil {
		return nil, err
	}
	var run layoutRun
	body := func(lines []string) any { // behind a blank and the heading
		return each(&run, lines[min(2, len(lines)):])
	}
	d := briefData{Conflicts: body(conflicts), Plan: body(plan)}
	var list []sectionData
	for _, s := range sections {
		if len(s.lines) > 0 {
			list = append(list, sectionData{s.title, body(s.lines)})
		}
	}
	d.Sections = each(&run, list)
	text, err := l.render(&run, d)
	if err != nil {
		return nil, err
	}
	for _, frame := range []string{BriefingOpen, BriefingClose, fence.Word()} {
		if strings.Contains(text, frame) {
			return nil, fmt.Errorf("%s: it writes %q, which cortex alone writes", name, frame)
		}
	}
	return []string{strings.Trim(text, "\n")}, nil
}

// CheckBriefing is [CheckTemplate] for the template of the briefing.
func CheckBriefing(template string) error {
	fence := memory.NewFence("check")
	two := []string{"", "", "x"}
	_, err := laidOut(template, fence, two, two, []sectionLines{{"x", two}})
	return err
}

// sectionLines are the lines of a section with its heading.
type sectionLines struct {
	title string
	lines []string
}
