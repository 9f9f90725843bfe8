package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// perMessage is how many passages of one message may become memories: the
// best ones. A turn rarely teaches more.
const perMessage = 8

// perDocument is how many sections of one document may.
const perDocument = 5

// turn weighs everything in a turn, in the order of the transcript. prev is
// the turn before it, which short words of the user refer to.
func (w *weigher) turn(t, prev *turn) {
	if t.prompted && t.prompt != "" {
		w.words(spoken{text: t.prompt, record: t.first, time: t.time, before: prev.lastText(), opening: t.opening || t.command != ""})
	}
	docs := lastDocuments(t.items)
	before := prev.lastText()
	since := t.first // the user's last word
	var middle []*finding
	for i, it := range t.items {
		switch it.kind {
		case itText:
			found := w.message(it)
			if it.handover {
				w.overturned(found, t.first)
			} else {
				middle = w.sameSubject(middle, found)
			}
			before = it.text
		case itWords:
			w.words(spoken{text: it.text, record: it.record, time: it.time, before: before})
		case itRefusal:
			w.declined(it, since)
			if it.text != "" {
				w.refusal(it, before)
			}
			since = it.record
		case itAnswer:
			for _, q := range it.answers {
				w.answer(q, it, before)
			}
			since = it.record
		case itPlan:
			w.s.PlanText, w.s.PlanRecord = planText(it.text), it.record
		case itDocument:
			if docs[i] {
				w.document(it)
			}
		case itCommit:
			w.commit(it)
		}
	}
}

// message weighs one message of the agent.
func (w *weigher) message(it item) []*finding {
	at := placeMiddle
	if it.handover {
		at = placeHandover
	}
	w.retraction(it)
	type scored struct {
		d    draft
		conf float64
	}
	var all []scored
	passages := passagesOf(it.text, at, it.record, it.time)
	if it.handover {
		var d draft
		if d, passages = w.outcome(passages); d.title != "" {
			all = append(all, scored{d, d.conf})
		}
	}
	for _, p := range passages {
		conf, typ, cue := p.score()
		all = append(all, scored{w.draftOf(&p, typ, min(conf, capPattern), cue), conf})
	}
	limit := perMessage
	if !it.handover {
		limit = 2
	}
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b scored) int { return cmp.Compare(b.conf, a.conf) })
	cut := 0.0
	if len(order) > limit {
		cut = order[limit].conf
	}
	var out []*finding
	for _, s := range all {
		if s.conf < cut || len(out) >= limit && s.conf == cut || s.conf < 0.3 {
			continue
		}
		if f := w.add(s.d); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// outcome makes one memory of progress of the opening of the agent's last
// message, when it says that something was done, and of the lists of changes
// that are too plain to be memories of their own. It gives the passages left.
func (w *weigher) outcome(passages []passage) (draft, []passage) {
	if len(passages) == 0 || !achieved(&passages[0]) {
		return draft{}, passages
	}
	first := passages[0]
	conf, _, cue := first.score()
	var rest []passage
	var changes []string
	for _, p := range passages[1:] {
		c, typ, _ := p.score()
		if len(p.items) > 0 && c < 0.7 && (typ == memory.Progress || c < MinConfidence && c > 0.3) && len(changes) < 4 {
			head := p.intro
			if head == "" {
				head = last(p.section)
			}
			changes = append(changes, "- "+strings.Trim(head+": "+clipWords(strings.Join(p.items, "; "), 24), ": "))
			continue
		}
		rest = append(rest, p)
	}
	if n := len(wordsOf(first.text)); n < 7 && len(changes) == 0 || n < 3 {
		return draft{}, passages
	}
	d := w.draftOf(&first, memory.Progress, min(max(conf, 0.55), capPattern), "outcome, "+cue)
	if len(changes) > 0 {
		d.text = first.text + "\n" + strings.Join(changes, "\n")
		d.span = first.text
	}
	return d, rest
}

// achieved holds for prose that says what has been done.
func achieved(p *passage) bool {
	if len(p.items) > 0 {
		return false
	}
	hits := cues().hits(wordsOf(p.text))
	return hits != nil && hits[groupNamed("done")]+hits[groupNamed("repair")] > 0 && hits[groupNamed("transient")] == 0 && hits[groupNamed("open")] == 0
}

// draftOf gives a passage its title and text.
func (w *weigher) draftOf(p *passage, typ memory.Type, conf float64, cue string) draft {
	d := draft{
		typ: typ, layer: LayerPattern, conf: conf, record: p.record, time: p.time, cue: cue, place: p.place, span: p.body(),
	}
	topic := ""
	if n := len(p.section); n > 0 {
		topic = p.section[n-1]
	}
	switch {
	case len(p.items) > 0:
		head := p.intro
		if head == "" || len(wordsOf(head)) < 3 && topic != "" {
			head = strings.Trim(topic+", "+p.intro, ", ")
		}
		d.title = head
		if len(wordsOf(head)) < 6 {
			d.title = strings.Trim(head+": "+strings.Join(p.items, "; "), ": ")
		}
		d.text = "- " + strings.Join(p.items, "\n- ")
		if len(p.items) == 1 {
			d.text = p.items[0]
		}
	case p.lead != "":
		parts := sentencesOf(p.text)
		d.title = p.lead
		if len(wordsOf(p.lead)) < 6 && len(parts) > 0 {
			d.title = p.lead + ": " + parts[0]
			if strings.Count(parts[0], `"`)%2 == 1 {
				d.title = p.lead + ": " + p.text
			}
		}
		d.text = p.text
	default:
		parts := sentencesOf(p.text)
		d.title = parts[0]
		if len(parts) > 1 && (len(wordsOf(parts[0])) < 5 || strings.Count(parts[0], `"`)%2 == 1) {
			d.title += " " + parts[1]
		}
		d.text = p.text
		if len(parts) == 1 && len(p.text) <= titleLimit {
			d.text = ""
		}
	}
	return d
}

// sameSubject keeps, of what the agent said while working, the last word on
// each subject: a diagnosis is often revised before the turn ends.
func (w *weigher) sameSubject(before, now []*finding) []*finding {
	for _, f := range now {
		if f.c.Disposition != Kept {
			continue
		}
		for _, b := range before {
			if b.c.Disposition == Kept && (inside(b.sig, f.sig) >= 0.4 || inside(f.sig, b.sig) >= 0.4) {
				w.drop(b, Withdrawn, "revised at line "+itoa(f.c.Record+1))
			}
		}
		before = append(before, f)
	}
	return before
}

// declined takes back what the agent had worked out in its last message when
// the user turns down the question or plan that it led to. What it found out
// on the way stays.
func (w *weigher) declined(it item, since int) {
	if it.of != toolAsk && it.of != toolPlan {
		return
	}
	for _, k := range w.found {
		if k.c.Disposition != Kept || k.gone || k.c.Layer != LayerPattern || k.c.Record <= since || k.c.Record >= it.record {
			continue
		}
		switch k.c.Memory.Type {
		case memory.Decision, memory.Plan, memory.Progress, memory.Architecture, memory.Fix:
			w.drop(k, Withdrawn, "turned down by the user at line "+itoa(it.record+1))
		}
	}
}

// overturned takes back what an earlier turn said on a subject on which the
// agent has now changed its mind.
func (w *weigher) overturned(now []*finding, first int) {
	for _, f := range now {
		if f.c.Disposition != Kept || !overturns(f.c.Memory.Title+" "+f.c.Memory.Text) {
			continue
		}
		for _, k := range w.found {
			if k.c.Disposition != Kept || k.gone || k.c.Layer != LayerPattern || k.c.Record >= first || first-k.c.Record > 400 {
				continue
			}
			if shared(k.sig, f.sig) >= 6 && inside(k.sig, f.sig) >= 0.33 {
				w.drop(k, Withdrawn, "overturned at line "+itoa(f.c.Record+1))
				w.replaced[k.c.Memory.ID] = f.c.Memory.ID
			}
		}
	}
}

func overturns(s string) bool {
	t := " " + strings.Join(wordsOf(s), " ") + " "
	for _, p := range []string{
		" never work ", " never worked ", " doesn't work after all ", " turns out ", " turned out ", " was wrong ", " worse than ", " no longer ",
		" reverted ", " not possible after all ", " changed from ", " i was mistaken ", " contrary to ",
	} {
		if strings.Contains(t, p) {
			return true
		}
	}
	return false
}

// retraction takes back what the agent said before when it admits an error.
func (w *weigher) retraction(it item) {
	for _, p := range sentencesOf(plain(clip(it.text, 600))) {
		if !retracts(p) {
			continue
		}
		sig := memory.Signature(plain(it.text))
		for _, k := range w.found {
			if k.c.Disposition != Kept || k.c.Layer != LayerPattern || k.gone || it.record-k.c.Record > 80 || len(k.sig) == 0 {
				continue
			}
			if shared(k.sig, sig) >= 3 && inside(k.sig, sig) >= 0.3 {
				w.drop(k, Withdrawn, "taken back at line "+itoa(it.record+1))
			}
		}
		return
	}
}

func retracts(s string) bool {
	t := " " + strings.Join(wordsOf(s), " ") + " "
	for _, p := range []string{
		" i made that up ", " i was wrong ", " i was mistaken ", " my mistake ", " that was incorrect ", " i misread ", " i misunderstood ",
		" i apologize ", " correction ", " that's wrong ", " i made a mistake ", " scratch that ", " that turned out to be wrong ",
	} {
		if strings.Contains(t, p) {
			return true
		}
	}
	return false
}

// lastDocuments says which document items of a turn still stand at its end:
// a file written again replaces what was written before.
func lastDocuments(items []item) map[int]bool {
	out := map[int]bool{}
	whole := map[string]bool{}
	for i := len(items) - 1; i >= 0; i-- {
		it := items[i]
		if it.kind != itDocument || whole[it.path] {
			continue
		}
		out[i] = true
		whole[it.path] = it.whole
	}
	return out
}

// document weighs the sections of a working document that say what was
// decided, left out, left open or found wrong.
func (w *weigher) document(it item) {
	if it.whole {
		w.rewritten(it)
	}
	title := ""
	if blocks := blocksOf(dropFrontmatter(it.text)); len(blocks) > 0 && blocks[0].kind == blockHeading && blocks[0].level == 1 {
		title = planTitle(it.text[strings.Index(it.text, blocks[0].text):])
	}
	type scored struct {
		d    draft
		conf float64
	}
	var best []scored
	for _, p := range passagesOf(dropFrontmatter(it.text), placeDocument, it.record, it.time) {
		conf, typ, cue := p.score()
		if !p.marked() || conf < MinConfidence+0.1 {
			continue
		}
		d := w.draftOf(&p, typ, min(conf, capPattern), cue)
		d.layer, d.path = LayerStructure, it.path
		if title != "" && !strings.Contains(d.title, title) {
			d.title = title + ": " + d.title
		}
		if n := len(best); n > 0 && p.consequence() && len(strings.Fields(best[n-1].d.text)) < groupWords {
			best[n-1].d.text += "\n" + d.text
			continue
		}
		best = append(best, scored{d, conf})
	}
	slices.SortStableFunc(best, func(a, b scored) int { return cmp.Compare(b.conf, a.conf) })
	for _, x := range best[:min(len(best), perDocument)] {
		w.add(x.d)
	}
}

// consequence holds for what follows from the problem stated before it.
func (p *passage) consequence() bool {
	switch strings.ToLower(strings.TrimSpace(p.intro + " " + p.lead)) {
	case "impact", "consequences", "effect", "effects", "result", "why it matters":
		return true
	}
	return false
}

// marked reports whether a heading over the passage says what it is.
func (p *passage) marked() bool {
	return headings().hits(p.titleWords()) != nil
}

// rewritten takes back what an earlier version of a document said and this one
// does not.
func (w *weigher) rewritten(it item) {
	sig := memory.Signature(it.text)
	for _, k := range w.found {
		if k.path == it.path && k.c.Disposition == Kept && !k.gone && inside(k.sig, sig) < 0.6 {
			w.drop(k, Withdrawn, "the document was rewritten at line "+itoa(it.record+1))
		}
	}
}

func dropFrontmatter(s string) string {
	rest, ok := strings.CutPrefix(s, "---\n")
	if !ok {
		return s
	}
	if _, body, found := strings.Cut(rest, "\n---"); found {
		return body
	}
	return s
}

// commit weighs the body of a commit message or pull request.
func (w *weigher) commit(it item) {
	kind, subject := conventional(it.title)
	n := 0
	for _, p := range passagesOf(it.text, placeCommit, it.record, it.time) {
		conf, typ, cue := p.score()
		if kind == "fix" && typ == memory.Learned {
			typ = memory.Fix
		}
		if conf < MinConfidence || n >= 2 {
			continue
		}
		d := w.draftOf(&p, typ, min(conf, capPattern), "commit, "+cue)
		d.layer = LayerStructure
		if subject != "" {
			d.title = subject
			d.text = p.body()
		}
		w.add(d)
		n++
	}
}

// conventional splits "fix(search): subject" into its kind and subject.
func conventional(s string) (kind, subject string) {
	head, rest, found := strings.Cut(s, ": ")
	if !found || strings.Contains(head, " ") || len(head) > 30 {
		return "", s
	}
	kind, _, _ = strings.Cut(strings.TrimSuffix(head, "!"), "(")
	return strings.ToLower(kind), rest
}

// planText is a plan's title, a line break, and its goal and steps.
func planText(md string) string {
	return memory.Clean(planTitle(md) + "\n" + planBody(md))
}

// plan adds the session's one plan memory: what was approved, with the steps
// of the to-do list that are still open.
func (w *weigher) plan(old memory.ID) {
	title, body, _ := strings.Cut(w.s.PlanText, "\n")
	var open, done int
	var steps []string
	for _, s := range w.s.Plan {
		box := "[ ]"
		if s.Status == "completed" {
			box = "[x]"
			done++
		} else {
			open++
		}
		steps = append(steps, "- "+box+" "+s.Text)
	}
	if title == "" && (open == 0 || len(steps) < 2) {
		return
	}
	d := draft{
		typ: memory.Plan, title: title, text: body, span: title, layer: LayerStructure, conf: confPlan, record: w.s.PlanRecord,
		time: w.s.End, cue: "plan", place: placeDocument,
	}
	if len(steps) > 1 {
		d.text = strings.Join(steps, "\n")
		if goal, _, _ := strings.Cut(body, "\n- "); goal != "" {
			d.text = goal + "\n" + d.text
		}
	}
	if title == "" {
		d.title, d.cue = "Plan: "+w.s.Plan[0].Text+" and "+itoa(len(steps)-1)+" more steps", "to-do list"
		if len(w.s.Requests) > 0 {
			d.title = "Plan: " + w.s.Requests[0].Text
		}
		d.conf = 0.6
	}
	f := w.add(d)
	if f == nil {
		return
	}
	id := f.c.Memory.ID
	if f.c.Disposition == Kept {
		w.s.PlanID = id
	}
	if old != "" && old != id {
		w.expected[old] = true
		w.replaced[old] = id
	}
}
