package capture

import (
	"slices"
	"time"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// Bounds and thresholds of topics. A share is of the content words of a prompt
// that the words of the topic so far have as well.
const (
	topicLine    = 180 // bytes
	longPause    = 30 * time.Minute
	farPause     = 4 * time.Hour // after it something begins, be it a part
	shareAfter   = 0.34          // below it a pause ends a topic
	shareSubject = 0.12          // below it, and with other files, a topic ends
	sharePart    = 0.20          // below it a part ends
	unheardWords = 6             // as many, few of them met before, begin a part where no file is touched
	unheardShare = 4             // few is at most one in so many
	tellingWords = 8             // a prompt with fewer content words is a reply
	newWords     = 4             // as many may say after a pause what is new
	transitionIn = 14            // words at the start of a prompt in which it may say so
)

// topics follows what a session is about, turn by turn. Its decisions rest on
// the record and on the turn at hand alone, so that reading in two runs gives
// what one would.
type topics struct {
	s      *session.Session
	active time.Time // the last event before the turn at hand
	before time.Time // active when the last turn began
	kept   int       // files of the last topic when the last turn began
	// outside are memories that hold what somebody else said.
	outside map[memory.ID]bool
}

// restore takes over the topics that begin in what is settled.
func (tp *topics) restore(p *session.Session, stable int) {
	for _, t := range p.Topics {
		if t.Record < stable {
			t.Files = slices.Clone(t.Files)
			tp.s.Topics = append(tp.s.Topics, t)
		}
	}
	if last := tp.open(); last != nil {
		last.Files = last.Files[:min(len(last.Files), p.Cursor.TopicFiles)]
	}
	if p.Cursor.Before > 0 {
		tp.active = time.Unix(p.Cursor.Before, 0).UTC()
	}
}

// asked is the request that began a topic.
func (tp *topics) asked(t *session.Topic) string {
	for _, q := range tp.s.Requests {
		if q.Record == t.Record {
			return q.Text
		}
	}
	return ""
}

func (tp *topics) open() *session.Topic {
	if len(tp.s.Topics) == 0 {
		return nil
	}
	return &tp.s.Topics[len(tp.s.Topics)-1]
}

// mark notes where a cursor would find the state before the last turn, or
// after it.
func (tp *topics) mark(c *session.Cursor, after bool) {
	at, n := tp.before, tp.kept
	if after {
		at, n = tp.active, 0
		if t := tp.open(); t != nil {
			n = len(t.Files)
		}
	}
	if c.TopicFiles = n; !at.IsZero() {
		c.Before = at.Unix()
	}
}

// turn decides whether a turn begins a topic, and adds it to its topic. before is the
// turn before it, nil for none.
func (tp *topics) turn(t, before *turn) {
	tp.before, tp.kept = tp.active, 0
	if last := tp.open(); last != nil {
		tp.kept = len(last.Files)
	}
	if next := tp.begins(t, before); next.Cue != "" && len(tp.s.Topics) < session.MaxTopics {
		next.Record, next.Start = t.first, t.time.UTC().Truncate(time.Second)
		tp.s.Topics = append(tp.s.Topics, next)
	}
	if last := tp.open(); last != nil {
		tp.extend(last, t)
	}
	if end := t.end.Truncate(time.Second); end.After(tp.active) {
		tp.active = end
	}
}

// extend adds a turn to a topic.
func (tp *topics) extend(last *session.Topic, t *turn) {
	if last.About == "" && (last.Record == t.first || nameOf(tp.asked(last)) == "") {
		last.About = aboutOf(t) // also of a later request: the first may only have asked for the list
	}
	if t.prompted {
		last.Open = openQuestion(t.lastText())
	}
	for _, f := range t.files {
		if len(last.Files) < session.TopicFiles && !slices.Contains(last.Files, f) {
			last.Files = append(last.Files, f)
		}
	}
}

// begins is the topic that a turn begins: its depth and why; without a cue it begins
// none.
func (tp *topics) begins(t, before *turn) session.Topic {
	if !t.prompted || t.prompt == "" && (t.command == "" || len(t.items) == 0) {
		return session.Topic{}
	}
	if tp.open() == nil {
		return session.Topic{Cue: "opening"}
	}
	body := ownWords(t.prompt)
	words := prose.Words(body)
	if i, ok := tp.returns(words, t.first); ok {
		return tp.again(i)
	}
	if depth, cue := transition(words); cue != "" {
		return session.Topic{Depth: depth, Cue: cue}
	}
	if next := tp.afterPause(t, body); next.Cue != "" {
		return next
	}
	return tp.otherSubject(t, before, body)
}

// afterPause is the topic that a request begins after a pause, if it does.
func (tp *topics) afterPause(t *turn, body string) session.Topic {
	if t.time.IsZero() || tp.active.IsZero() {
		return session.Topic{}
	}
	pause := t.time.Sub(tp.active)
	sig := sameness.Signature(body)
	switch {
	case pause >= longPause && len(sig) >= newWords && sameness.Inside(sig, tp.vocabulary(tp.span(0), t.first)) < shareAfter:
		return session.Topic{Cue: "pause"}
	case pause >= farPause:
		return session.Topic{Depth: 1, Cue: "pause"}
	}
	return session.Topic{}
}

// otherSubject is the topic that a request in other words begins, if it does.
func (tp *topics) otherSubject(t, before *turn, body string) session.Topic {
	sig := sameness.Signature(body)
	parent, part := tp.span(0), tp.span(1)
	switch {
	case len(sig) < tellingWords:
	case sameness.Inside(sig, tp.vocabulary(parent, t.first)) < shareSubject && tp.elsewhere(parent, t.files):
		return session.Topic{Cue: "subject"}
	case sameness.Inside(sig, tp.vocabulary(part, t.first)) < sharePart && tp.elsewhere(part, t.files),
		tp.unheard(roots(prose.Words(body)), parent, t, before):
		return session.Topic{Depth: 1, Cue: "subject"}
	}
	return session.Topic{}
}

// span is the index of the topic at hand: of the outermost one, or of the
// innermost.
func (tp *topics) span(depth int) int {
	i := len(tp.s.Topics) - 1
	for depth == 0 && i > 0 && tp.s.Topics[i].Depth > 0 {
		i--
	}
	return i
}

// vocabulary is the words of a topic's prompts before a line.
func (tp *topics) vocabulary(topic, before int) []uint32 {
	var texts []string
	for _, q := range tp.s.Requests {
		if q.Record >= tp.s.Topics[topic].Record && q.Record < before {
			texts = append(texts, q.Text)
		}
	}
	for _, t := range tp.s.Topics[topic:] {
		texts = append(texts, t.Files...)
	}
	return sameness.Signature(texts...)
}

// elsewhere holds when a turn touches files, and none of a topic's.
func (tp *topics) elsewhere(topic int, files []string) bool {
	for _, t := range tp.s.Topics[topic:] {
		for _, f := range files {
			if slices.Contains(t.Files, f) {
				return false
			}
		}
	}
	return len(files) > 0
}

// unheard holds for a request in new words, in talk that touches no file: few of them
// stand in what was asked in the topic before, and few in the agent's last message.
func (tp *topics) unheard(words []string, topic int, t, before *turn) bool {
	few := func(of []string) bool { return shared(words, of)*unheardShare <= len(words) }
	return len(t.files) == 0 && len(words) >= unheardWords &&
		few(tp.words(topic, len(tp.s.Topics), t.first)) && few(roots(prose.Words(before.lastText())))
}

// transition finds the words by which a user turns to something else, or to
// the next part of the same.
func transition(words []string) (depth int, cue string) {
	opening := words[:min(len(words), transitionIn)]
	switch {
	case in("new topic", opening):
		return 0, "transition"
	case in("next part", opening) && len(words) > 4:
		return 1, "step"
	}
	return 0, ""
}
