package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// perMessage is how many passages of one message may become memories: the
// best ones. A turn rarely teaches more.
const perMessage = 4

// landPerTurn is how much of what one turn taught may land by itself, beside
// answers, tags and recipes.
const landPerTurn = 2

// turn weighs everything in a turn, in the order of the transcript. prev is
// the turn before it, which short words of the user refer to.
func (w *weigher) turn(t, prev *turn) {
	w.prior = w.before
	if t.prompted {
		w.keepBest(0)
	}
	w.changed = w.firstChange(t)
	from := len(w.found)
	w.rebuffed(t, prev)
	around := w.settingOf(t)
	passages := w.read(t, around)
	if t.prompted && t.prompt != "" {
		w.words(spoken{text: t.prompt, record: t.first, time: t.time, before: prev.lastText(), opening: t.opening || t.command != "", setting: &passage.Setting{Prompt: around.Prompt}, next: t.lastMessage(), answered: replyIn(t.items, t.prompt, t.first)})
	}
	docs := lastDocuments(t.items)
	before, at := prev.lastText(), t.first // the agent's last message, and its line
	since := t.first                       // the user's last word
	var middle []*finding
	for i, it := range t.items {
		switch it.kind {
		case itText:
			found := w.message(it, passages[i])
			if it.handover {
				w.overturned(found, t.first)
			} else {
				middle = w.sameSubject(middle, found)
			}
			before, at = it.text, it.record
		case itWords:
			w.words(spoken{text: it.text, record: it.record, time: it.time, before: before, setting: around, steer: true, answered: replyIn(t.items, it.text, it.record)})
		case itRefusal:
			w.declined(it, since)
			if it.text != "" {
				w.refusal(it, before, around)
			}
			since = it.record
		case itAnswer:
			for _, q := range it.answers {
				w.answer(q, it, before, at)
			}
			since = it.record
		case itPlan:
			w.s.PlanText, w.s.PlanRecord = planText(it.text), it.record
			w.pick(passages[i], session.LayerStructure, perDocument)
		case itReport:
			w.pick(passages[i], session.LayerPattern, perDocument)
		case itDocument:
			if docs[i] {
				w.document(it, passages[i])
			}
		case itCommit:
			w.commit(it, passages[i])
		}
	}
	w.settleTurn(t, prev, from)
	w.bestOfTurn(from)
	w.edited(t)
	w.recipes(t)
	w.before = w.about.pruned()
}

// reaction holds the agent's answer to an objection of the user.
type reaction struct {
	insists string // what the user added before the agent took it up
	reply   string // the agent's answer
}

// replyIn is the answer to an objection of the user in a line: the first message in which
// the agent takes that up, from where it does, with what the user added before; else of
// the next few messages the one that shares most words with it. It is empty where none
// shares any, and for other words than an objection. What the user said in mid-turn may
// stand behind messages that answer it, and what the agent says first in its defence is
// often refused.
func replyIn(items []item, said string, record int) reaction {
	const few, long = 4, 5
	if !objects(ownWords(said)) {
		return reaction{}
	}
	words := prose.Words(said)
	shares := func(text string) (n int) {
		for _, x := range prose.Words(text) {
			if len(x) >= long && slices.Contains(words, x) {
				n++
			}
		}
		return n
	}
	var best reaction
	most, seen, insists := 0, 0, ""
	for i := range items {
		it := &items[i]
		switch {
		case it.record < record:
			continue
		case it.kind == itWords && it.record > record:
			insists = ownWords(it.text)
		case it.kind == itText:
			if up := takenUp(it.text); seen > 0 && shares(up) > 1 {
				return reaction{insists, up}
			}
			if seen++; seen > few {
				continue
			}
			if n := shares(it.text); n > most {
				best.reply, most = it.text, n
			}
		}
	}
	return best
}

// takenUp is a message from the sentence on in which the agent takes up what the user
// wants, "" if it does not.
func takenUp(md string) string {
	for _, b := range prose.Blocks(md) {
		list := prose.Sentences(b.Text)
		for i, s := range list {
			t := " " + strings.Join(prose.Words(s), " ") + " "
			for _, p := range []string{" the user wants ", " the user prefers ", " the user asked for ", " you're right ", " you are right ", " as you say "} {
				if strings.Contains(t, p) {
					return strings.Join(list[i:], " ")
				}
			}
		}
	}
	return ""
}

// bestOfTurn lets only the best of what a turn taught land by itself.
func (w *weigher) bestOfTurn(from int) {
	var best []*finding
	for _, f := range w.found[from:] {
		if f.judged && f.c.Disposition == Kept {
			best = append(best, f)
		}
	}
	slices.SortStableFunc(best, func(a, b *finding) int { return cmp.Compare(b.c.Confidence, a.c.Confidence) })
	for i, f := range best {
		if i >= landPerTurn && f.c.Confidence >= confLands {
			f.c.Confidence = confLands - 0.01
			f.c.Memory.Confidence = f.c.Confidence
		}
	}
}

// message weighs one message of the agent.
func (w *weigher) message(it item, passages []passage.Passage) []*finding {
	if !inEnglish(it.text) {
		return nil // the patterns read no other language, and the record says so
	}
	limit := 2
	if it.handover {
		limit = perMessage
	}
	w.retraction(it)
	return w.pick(passages, session.LayerPattern, limit)
}

// pick adds the best of some passages.
func (w *weigher) pick(passages []passage.Passage, layer session.Layer, limit int) []*finding {
	var all []draft
	for i := range passages {
		d := draftOf(&passages[i])
		d.layer = layer
		all = append(all, d)
	}
	return w.addBest(all, limit)
}

// addBest adds the drafts that are judged best, at most limit, in their order.
func (w *weigher) addBest(all []draft, limit int) []*finding {
	for i := range all {
		w.judged(&all[i])
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[b].conf, all[a].conf) })
	if w.opt.Trace == nil {
		order = order[:min(limit, len(order))]
	}
	slices.Sort(order)
	var out []*finding
	for _, i := range order {
		if all[i].conf < confNoted && w.opt.Trace == nil {
			continue
		}
		all[i].word()
		w.typed(&all[i])
		if f := w.add(all[i]); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// draftOf is a unit that is still to be judged; it gets its words when it is
// among the best.
func draftOf(p *passage.Passage) draft {
	conf, typ, names := p.Score()
	return draft{
		typ: typ, layer: session.LayerPattern, conf: conf, record: p.Record, time: p.Time, cue: strings.Join(names, ", "),
		place: p.Place, span: p.Body(), signs: p.Signs(names, conf, typ), unit: p, chosen: p.Choice(),
	}
}

// word gives a unit its title and text. What cannot be given a title is not kept.
func (d *draft) word() {
	if d.unit == nil {
		return
	}
	d.text = d.unit.Told()
	if d.text == "" { // nothing but deeds
		d.conf, d.text = min(d.conf, confUntitled), d.unit.Whole()
	}
	d.text = d.unit.Opened(d.text)
	if d.subject != "" {
		d.title = d.subject
		return
	}
	d.title = cmp.Or(d.chosen, d.unit.Title())
	if d.text == d.title || prose.Sentence(d.text) == d.title {
		d.text = ""
	}
	if d.title != "" && d.chosen == "" && passage.OnlyDone(d.title) { // nothing better was found in it
		d.conf = min(d.conf, confUntitled)
	}
	if d.title == "" {
		d.conf = min(d.conf, confUntitled)
		d.title = prose.Clip(memory.OneLine(d.text), passage.TitleLimit)
	}
	if d.about != "" && len(prose.Words(d.about)) >= sentence.Few && (!sentence.States(d.title) || sentence.Subjectless(d.title)) {
		d.title = d.about // a line that is no statement adds nothing to it
	}
	if t := d.about + ": " + d.title; d.about != "" && !strings.Contains(d.title, d.about) && len(t) <= passage.TitleLimit {
		d.title = t
	}
}

// editedFiles is the most files that a turn may write for what it taught to be about
// each of them.
const editedFiles = 3

// edited notes on what a turn taught about code, and names no file, which files the turn
// wrote.
func (w *weigher) edited(t *turn) {
	var paths []string
	for _, d := range t.deeds {
		if d.kind == deedEdit && d.path != "" && !slices.Contains(paths, d.path) {
			paths = append(paths, d.path)
		}
	}
	if len(paths) == 0 || len(paths) > editedFiles {
		return
	}
	for _, f := range w.found { // tags were found before the turn was weighed
		switch m := f.c.Memory; m.Type {
		case memory.Decision, memory.Architecture, memory.Fix, memory.Gotcha, memory.Learned, memory.Pattern:
			if f.c.Record >= t.first && !f.earlier && len(m.Files) == 0 && m.Scope != memory.ScopeGlobal {
				f.c.Edited = paths
			}
		}
	}
}
