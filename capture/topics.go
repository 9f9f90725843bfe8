package capture

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// Bounds and thresholds of topics. A share is of the content words of a prompt
// that the words of the topic so far have as well.
const (
	topicName     = 64 // bytes
	topicLine     = 180
	longPause     = 30 * time.Minute
	nightPause    = 8 * time.Hour
	shareAfter    = 0.34 // below it a pause ends a topic
	shareSubject  = 0.12 // below it, and with other files, a topic ends
	sharePart     = 0.20 // below it a part ends
	tellingWords  = 8    // a prompt with fewer content words is a reply
	transitionIn  = 14   // words at the start of a prompt in which it may say so
	maxTopicWords = 9    // in a name
)

// topics follows what a session is about, turn by turn. Its decisions rest on
// the record and on the turn at hand alone, so that reading in two runs gives
// what one would.
type topics struct {
	s      *session.Session
	active time.Time // the last event before the turn at hand
	before time.Time // active when the last turn began
	kept   int       // files of the last topic when the last turn began
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

// turn decides whether a turn begins a topic, and adds it to its topic.
func (tp *topics) turn(t *turn) {
	tp.before, tp.kept = tp.active, 0
	if last := tp.open(); last != nil {
		tp.kept = len(last.Files)
	}
	if depth, cue := tp.begins(t); cue != "" && len(tp.s.Topics) < session.MaxTopics {
		tp.s.Topics = append(tp.s.Topics, session.Topic{Record: t.first, Depth: depth, Start: t.time.UTC().Truncate(time.Second), Cue: cue})
	}
	if last := tp.open(); last != nil {
		for _, f := range t.files {
			if len(last.Files) < session.TopicFiles && !slices.Contains(last.Files, f) {
				last.Files = append(last.Files, f)
			}
		}
	}
	if end := t.end.Truncate(time.Second); end.After(tp.active) {
		tp.active = end
	}
}

// begins says at what depth a turn begins a topic and why; "" when it does not.
func (tp *topics) begins(t *turn) (depth int, cue string) {
	if !t.prompted || t.prompt == "" {
		return 0, ""
	}
	if tp.open() == nil {
		return 0, "opening"
	}
	body := ownWords(t.prompt)
	words := prose.Words(body)
	depth, cue = transition(words)
	if cue != "" {
		return depth, cue
	}
	sig := memory.Signature(body)
	if len(sig) < tellingWords {
		return 0, ""
	}
	parent, part := tp.span(0), tp.span(1)
	whole := memory.Inside(sig, tp.vocabulary(parent, t.first))
	pause := time.Duration(0)
	if !t.time.IsZero() && !tp.active.IsZero() {
		pause = t.time.Sub(tp.active)
	}
	switch {
	case pause >= longPause && whole < shareAfter:
		return 0, "pause"
	case pause >= nightPause:
		return 1, "pause"
	case whole < shareSubject && tp.elsewhere(parent, t.files):
		return 0, "subject"
	case memory.Inside(sig, tp.vocabulary(part, t.first)) < sharePart && tp.elsewhere(part, t.files):
		return 1, "subject"
	}
	return 0, ""
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
	return memory.Signature(texts...)
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

// transition finds the words by which a user turns to something else, or to
// the next part of the same.
func transition(words []string) (depth int, cue string) {
	t := " " + strings.Join(words[:min(len(words), transitionIn)], " ") + " "
	for _, p := range []string{
		" moving on ", " move on to ", " something else ", " another thing ", " different topic ", " new topic ", " change of topic ", " unrelated ",
		" separate issue ", " separate topic ", " different issue ", " another issue ", " another task ", " new task ", " another topic ", " switch to working ",
		" let's switch ", " one more thing ", " on another note ", " different question ", " another question ", " next issue ", " next task ", " next ticket ",
	} {
		if strings.Contains(t, p) {
			return 0, "transition"
		}
	}
	for _, p := range []string{
		" now let's ", " now lets ", " next let's ", " next up ", " next step is ", " next phase ", " let's move ", " lets move ", " now i want ", " now i'd like ",
		" now we need ", " now we should ", " start with phase ", " implement phase ", " start phase ", " go to phase ", " go to step ", " now that that's done ",
	} {
		if strings.Contains(t, p) && len(words) > 4 {
			return 1, "step"
		}
	}
	return 0, ""
}

// conclude names the topics and sums them up, from what the record holds.
func (tp *topics) conclude() {
	s := tp.s
	for i := range s.Topics {
		t := &s.Topics[i]
		end := 1 << 60
		if i+1 < len(s.Topics) {
			end = s.Topics[i+1].Record
		}
		asked := ""
		for _, q := range s.Requests {
			if q.Record == t.Record {
				asked = q.Text
			}
		}
		t.Name = nameOf(asked)
		if i == 0 && (len(prose.Words(t.Name)) < 3 || strings.HasPrefix(t.Name, "http")) && s.Title != "" {
			t.Name = nameOf(s.Title)
		}
		if t.Name == "" {
			t.Name = "Line " + itoa(t.Record+1)
		}
		t.Summary = [2]string{oneLine(prose.Clip(asked, topicLine)), oneLine(tp.outcome(t, end))}
	}
}

// outcome sums up a topic that ends before a line: the surest of what
// was kept, else the files it changed.
func (tp *topics) outcome(t *session.Topic, end int) string {
	var found []session.Finding
	for _, f := range tp.s.Found {
		if f.Record >= t.Record && f.Record < end {
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(a, b session.Finding) int { return cmp.Compare(b.Confidence, a.Confidence) })
	switch {
	case len(found) == 1:
		return prose.Clip(found[0].Title, topicLine)
	case len(found) > 1:
		return prose.Clip(found[0].Title, topicLine/2) + "; " + prose.Clip(found[1].Title, topicLine/2)
	}
	var changed []string
	for _, f := range t.Files {
		if slices.Contains(tp.s.Modified, f) && len(changed) < 4 {
			changed = append(changed, f)
		}
	}
	if len(changed) > 0 {
		return prose.Clip("Changed "+strings.Join(changed, ", "), topicLine)
	}
	return ""
}

// nameOf is the first sentence of a prompt without what leads up to it.
func nameOf(asked string) string {
	parts := prose.Sentences(prose.Plain(asked))
	if len(parts) == 0 {
		return ""
	}
	name := strings.TrimRight(parts[0], ".!?:; ")
	for again := true; again; {
		again = false
		for _, p := range []string{
			"ok", "okay", "yes", "great", "thanks", "perfect", "please", "can you", "could you", "now", "next", "let's", "lets", "let us", "so", "and", "then",
			"i want to", "i want you to", "i'd like to", "i would like to", "we need to", "i need to", "go ahead and", "help me", "hi", "hello",
		} {
			if rest, ok := cutPrefixFold(name, p, true); ok && rest != "" && strings.ContainsAny(rest[:1], " ,.!") {
				if rest = strings.TrimLeft(rest, " ,.!"); len(prose.Words(rest)) >= 2 {
					name, again = rest, true
				}
			}
		}
	}
	return oneLine(prose.Clip(prose.Sentence(prose.ClipWords(name, maxTopicWords)), topicName))
}
