package capture

import (
	"cmp"
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
	i := slices.IndexFunc(tp.s.Requests, func(q session.Request) bool { return q.Record == t.Record })
	if i < 0 {
		return ""
	}
	return tp.s.Requests[i].Text
}

// requests returns the requests from the beginning of a topic on, before a line.
func (tp *topics) requests(topic, before int) []string {
	from := tp.s.Topics[topic].Record
	var texts []string
	for _, q := range tp.s.Requests {
		if q.Record >= from && q.Record < before {
			texts = append(texts, q.Text)
		}
	}
	return texts
}

// open is the topic at hand, nil before the first.
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
		at, n = tp.active, tp.files()
	}
	if c.TopicFiles = n; !at.IsZero() {
		c.Before = at.Unix()
	}
}

// files is how many files the topic at hand has.
func (tp *topics) files() int {
	if last := tp.open(); last != nil {
		return len(last.Files)
	}
	return 0
}

// turn decides whether a turn begins a topic, and adds it to its topic. before is the
// turn before it, nil for none.
func (tp *topics) turn(t, before *turn) {
	tp.before, tp.kept = tp.active, tp.files()
	if next := tp.begins(t, before); next != nil && len(tp.s.Topics) < session.MaxTopics {
		next.Record, next.Start = t.first, t.time.UTC().Truncate(time.Second)
		tp.s.Topics = append(tp.s.Topics, *next)
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
	if tp.saysLittle(last, t) {
		last.About = aboutOf(t) // also of a later request: the first may only have asked for the list
	}
	if t.prompted {
		last.Open = openQuestion(t.lastText())
	}
	for _, f := range t.files {
		last.AddFile(f)
	}
}

// saysLittle reports whether nothing tells what a topic is about but the turn at hand.
func (tp *topics) saysLittle(topic *session.Topic, t *turn) bool {
	return topic.About == "" && (topic.Record == t.first || nameOf(tp.asked(topic)) == "")
}

// asks reports whether a turn begins with a request.
func (t *turn) asks() bool {
	return t.prompted && (t.prompt != "" || t.command != "" && len(t.items) > 0)
}

// begins is the topic that a turn begins, with its depth and why; nil for none.
func (tp *topics) begins(t, before *turn) *session.Topic {
	if !t.asks() {
		return nil
	}
	if tp.open() == nil {
		return &session.Topic{Cue: "opening"}
	}
	body := ownWords(t.prompt)
	words := prose.Words(body)
	return cmp.Or(tp.returns(words, t.first), transition(words), tp.afterPause(t, body),
		tp.otherSubject(t, before, body))
}

// afterPause is the topic that a request begins after a pause, nil for none.
func (tp *topics) afterPause(t *turn, body string) *session.Topic {
	pause := t.time.Sub(tp.active)
	sig := sameness.Signature(body)
	switch {
	case tp.active.IsZero(), pause < longPause:
		return nil
	case len(sig) >= newWords && tp.heard(sig, tp.outermost(), t.first) < shareAfter:
		return &session.Topic{Cue: "pause"}
	case pause >= farPause:
		return &session.Topic{Depth: 1, Cue: "pause"}
	}
	return nil
}

// otherSubject is the topic that a request in other words begins, nil for none.
func (tp *topics) otherSubject(t, before *turn, body string) *session.Topic {
	sig := sameness.Signature(body)
	parent, part := tp.outermost(), len(tp.s.Topics)-1
	switch {
	case len(sig) < tellingWords:
		return nil
	case tp.leaves(parent, sig, shareSubject, t):
		return &session.Topic{Cue: "subject"}
	case tp.leaves(part, sig, sharePart, t), tp.unheard(roots(prose.Words(body)), parent, t, before):
		return &session.Topic{Depth: 1, Cue: "subject"}
	}
	return nil
}

// leaves reports whether less than a share of what a turn asks was heard in a topic, and it touches
// other files.
func (tp *topics) leaves(topic int, sig []uint32, share float64, t *turn) bool {
	return tp.heard(sig, topic, t.first) < share && tp.elsewhere(topic, t.files)
}

// outermost is the index of the topic at hand, of the whole one where it is in a part.
func (tp *topics) outermost() int {
	for i, t := range slices.Backward(tp.s.Topics) {
		if t.Depth == 0 {
			return i
		}
	}
	return 0
}

// heard is how much of what somebody says stands in the words of a topic's prompts before a line
// and in the names of its files.
func (tp *topics) heard(sig []uint32, topic, before int) float64 {
	texts := tp.requests(topic, before)
	for _, t := range tp.s.Topics[topic:] {
		texts = append(texts, t.Files...)
	}
	return sameness.Inside(sig, sameness.Signature(texts...))
}

// elsewhere reports whether a turn touches files, and none of a topic's.
func (tp *topics) elsewhere(topic int, files []string) bool {
	known := func(f string) bool {
		return slices.ContainsFunc(tp.s.Topics[topic:],
			func(t session.Topic) bool { return slices.Contains(t.Files, f) })
	}
	return len(files) > 0 && !slices.ContainsFunc(files, known)
}

// unheard reports whether a request is in new words, in talk that touches no file: few of them
// stand in what was asked in the topic before, and few in the agent's last message.
func (tp *topics) unheard(words []string, topic int, t, before *turn) bool {
	few := func(of []string) bool { return shared(words, of)*unheardShare <= len(words) }
	return len(t.files) == 0 && len(words) >= unheardWords &&
		few(tp.words(topic, len(tp.s.Topics), t.first)) && few(roots(prose.Words(before.lastText())))
}

// transition is the topic that a user turns to in plain words: something else, or the next part of
// the same; nil for none.
func transition(words []string) *session.Topic {
	opening := words[:min(len(words), transitionIn)]
	switch {
	case in("new topic", opening):
		return &session.Topic{Cue: "transition"}
	case in("next part", opening) && len(words) > 4:
		return &session.Topic{Depth: 1, Cue: "step"}
	}
	return nil
}
