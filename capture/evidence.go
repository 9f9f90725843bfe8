package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// How many passages of one message may become memories, the best ones. A turn rarely teaches more.
const (
	perMessage  = 4 // of the last one of a turn
	perWork     = 2 // of another
	perDocument = 5
	perCommit   = 2
)

// turn weighs everything in a turn, in the order of the transcript. prev is
// the turn before it, which short words of the user refer to.
func (w *weigher) turn(t, prev *turn) {
	if t.prompted {
		w.keepBest(0)
	}
	w.changed = w.firstChange(t)
	w.undone(t)
	around := w.settingOf(t)
	passages := t.cut(around)
	if t.prompted && t.prompt != "" {
		w.words(spoken{
			text: t.prompt, record: t.first, time: t.time, before: prev.lastText(),
			opening: t.opening || t.command != "",
			setting: &passage.Setting{Prompt: around.Prompt}, reply: nextText(t.items, t.first),
		})
	}
	w.items(t, prev, around, passages)
	w.reverted(t, prev)
	w.edited(t)
	w.recipes(t)
}

// items weighs the items of a turn.
func (w *weigher) items(t, prev *turn, around *passage.Setting, passages [][]passage.Passage) {
	before := prev.lastText() // the agent's last message
	since := t.first          // the user's last word
	for i, it := range t.items {
		switch it.kind {
		case itText:
			w.message(it, passages[i])
			before = it.text
		case itWords:
			w.words(spoken{
				text: it.text, record: it.record, time: it.time, before: before, setting: around,
				steer: true, reply: nextText(t.items, it.record),
			})
		case itRefusal:
			w.declined(it, since)
			if it.text != "" {
				w.refusal(it, before, around)
			}
			since = it.record
		case itAnswer:
			for _, q := range it.answers {
				w.answer(q, it)
			}
			since = it.record
		case itPlan:
			w.s.PlanText, w.s.PlanRecord = planText(it.text), it.record
			w.pick(passages[i], classDecisions, perDocument)
		case itReport:
			w.pick(passages[i], classReport, perDocument)
		case itDocument:
			w.document(it, passages[i])
		case itCommit:
			w.commit(it, passages[i])
		}
	}
}

// nextText is the agent's first message behind a line.
func nextText(items []item, record int) string {
	i := slices.IndexFunc(items, func(it item) bool { return it.kind == itText && it.record > record })
	if i < 0 {
		return ""
	}
	return items[i].text
}

// message weighs one message of the agent. The cues are English; of another language the
// record says that nothing was looked for.
func (w *weigher) message(it item, passages []passage.Passage) {
	switch {
	case !inEnglish(it.text):
	case it.handover:
		w.pick(passages, classLastWords, perMessage)
	default:
		w.pick(passages, classWork, perWork)
	}
}

// pick adds the best of some passages.
func (w *weigher) pick(passages []passage.Passage, class Class, limit int) {
	var all []draft
	for i := range passages {
		all = append(all, draftOf(&passages[i], class))
	}
	w.addBest(all, limit)
}

// addBest adds the drafts that are judged best, at most limit, in their order.
func (w *weigher) addBest(all []draft, limit int) {
	order := make([]int, len(all))
	for i := range all {
		w.judged(&all[i])
		order[i] = i
	}
	if w.opt.Trace == nil {
		lists.Sort(order, func(a, b int) int { return cmp.Compare(all[b].conf, all[a].conf) })
		order = order[:min(limit, len(order))]
		slices.Sort(order)
	}
	for _, i := range order {
		if all[i].conf < confNoted && w.opt.Trace == nil {
			continue
		}
		all[i].word()
		w.typed(&all[i])
		w.add(all[i])
	}
}

// draftOf is a unit that is still to be judged; it gets its words when it is among the best.
func draftOf(p *passage.Passage, class Class) draft {
	cued, typ := p.Cues()
	d := draft{
		class: class, typ: typ, record: p.Record, time: p.Time, cue: cueOf(cued),
		place: p.Place, span: p.Body(), signs: p.Signs(cued, typ), rows: p.CueRows(), unit: p, chosen: p.Choice(),
	}
	if d.chosen != "" { // it is kept whatever the table of weights says
		d.class, d.least = classChoice, confUser
	}
	return d
}

// word gives a unit its title and text. What cannot be given a title is not kept.
func (d *draft) word() {
	told := d.unit.Told()
	if told == "" { // nothing but deeds
		told = d.unit.Whole()
		d.conf = min(d.conf, confUntitled)
	}
	d.text = d.unit.Opened(told[max(0, strings.Index(told, d.chosen)):]) // what it chose between is no part of a choice
	if d.subject != "" {
		d.title = d.subject
		return
	}
	d.title = cmp.Or(passage.Shortened(strings.TrimSuffix(d.chosen, "."), passage.TitleLimit), d.unit.Title())
	if d.title == "" || d.chosen == "" && passage.Deed(d.title) { // nothing better than a deed; a choice is one
		d.conf = min(d.conf, confUntitled)
		d.title = cmp.Or(d.title, prose.Clip(memory.OneLine(told), passage.TitleLimit))
	}
	d.title = d.behindDocument(d.title)
}

// behindDocument puts a title behind that of the document it stands in, as far as both fit. A
// line that is no statement adds nothing to a document's title.
func (d *draft) behindDocument(title string) string {
	both := d.about + ": " + title
	switch {
	case d.about == "", strings.Contains(title, d.about):
		return title
	case !passage.States(title):
		return d.about
	case len(both) > passage.TitleLimit:
		return title
	}
	return both
}

// editedFiles is the most files that a turn may write for what it taught to be about each.
const editedFiles = 3

// edited notes on what a turn taught about code, and names no file, which files the turn
// wrote.
func (w *weigher) edited(t *turn) {
	paths := t.written()
	if len(paths) > editedFiles {
		return
	}
	for _, f := range w.found {
		if f.taughtFrom(t.first) && aboutCode(f.c.Memory) {
			f.c.Edited = paths
		}
	}
}

// taughtFrom reports whether a finding of this run stands at a line or below; tags are found before their turn
// is weighed.
func (f *finding) taughtFrom(line int) bool { return f.c.Record >= line && !f.earlier }

// written lists the files that a turn wrote, at most one more than are of use.
func (t *turn) written() []string {
	var paths []string
	for _, d := range t.deeds {
		if d.kind == deedEdit {
			paths = addNew(paths, d.path, editedFiles+1)
		}
	}
	return paths
}

// aboutCode reports whether a memory is about code of the repository, and names no file of it.
func aboutCode(m *memory.Memory) bool {
	code := []memory.Type{
		memory.Decision, memory.Architecture, memory.Fix, memory.Gotcha, memory.Learned, memory.Pattern,
	}
	return len(m.Files) == 0 && m.Scope != memory.ScopeGlobal && slices.Contains(code, m.Type)
}
