package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// perMessage is how many passages of one message may become memories: the
// best ones. A turn rarely teaches more.
const perMessage = 8

// turn weighs everything in a turn, in the order of the transcript. prev is
// the turn before it, which short words of the user refer to.
func (w *weigher) turn(t, prev *turn) {
	if t.prompted && t.prompt != "" {
		w.words(spoken{text: t.prompt, record: t.first, time: t.time, before: prev.lastText(), opening: t.opening || t.command != ""})
	}
	docs := lastDocuments(t.items)
	before, at := prev.lastText(), t.first // the agent's last message, and its line
	since := t.first                       // the user's last word
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
			before, at = it.text, it.record
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
				w.answer(q, it, before, at)
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
	w.recipes(t)
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
	if parts := prose.Sentences(first.text); len(parts) > 1 && strings.HasSuffix(first.text, ":") {
		first.text = strings.Join(parts[:len(parts)-1], " ")
	}
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
			changes = append(changes, "- "+strings.Trim(head+": "+prose.ClipWords(strings.Join(p.items, "; "), 24), ": "))
			continue
		}
		rest = append(rest, p)
	}
	if n := len(prose.Words(first.text)); n < 7 && len(changes) == 0 || n < 3 {
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
	words := prose.Words(p.text)
	hits := cues().hits(words)
	if hits != nil && hits[groupNamed("status")] > 0 && len(words) < 12 && prose.Identifiers(p.text) == 0 {
		return false // that the tests pass is not an outcome
	}
	return hits != nil && hits[groupNamed("done")]+hits[groupNamed("repair")] > 0 && hits[groupNamed("transient")] == 0 && hits[groupNamed("open")] == 0
}

// draftOf gives a passage its title and text.
func (w *weigher) draftOf(p *passage, typ memory.Type, conf float64, cue string) draft {
	d := draft{
		typ: typ, layer: session.LayerPattern, conf: conf, record: p.record, time: p.time, cue: cue, place: p.place, span: p.body(),
	}
	topic := ""
	if n := len(p.section); n > 0 {
		topic = p.section[n-1]
		if n > 1 && len(prose.Words(topic)) < 3 { // "Cons" says nothing alone
			topic = p.section[n-2] + ", " + topic
		}
	}
	switch {
	case len(p.items) > 0:
		head, named := p.intro, false
		if head == "" || len(prose.Words(head)) < 3 && topic != "" {
			head, named = strings.Trim(topic+", "+p.intro, ", "), true
		}
		d.title = head
		if named || len(prose.Words(head)) < 6 {
			d.title = strings.Trim(head+": "+strings.Join(p.items, "; "), ": ")
		}
		d.text = "- " + strings.Join(p.items, "\n- ")
		if len(p.items) == 1 {
			d.text = p.items[0]
		}
	case p.lead != "":
		parts := prose.Sentences(p.text)
		d.title = p.lead
		if len(prose.Words(p.lead)) < 6 && len(parts) > 0 {
			d.title = p.lead + ": " + parts[0]
			if strings.Count(parts[0], `"`)%2 == 1 {
				d.title = p.lead + ": " + p.text
			}
		}
		d.text = p.text
	default:
		parts := prose.Sentences(p.text)
		d.title = parts[0]
		if len(parts) > 1 && (len(prose.Words(parts[0])) < 5 || strings.Count(parts[0], `"`)%2 == 1) {
			d.title += " " + parts[1]
		}
		d.text = p.text
		if len(parts) == 1 && len(p.text) <= titleLimit {
			d.text = ""
		}
	}
	return d
}
