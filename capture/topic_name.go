package capture

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// Bounds of names.
const (
	topicName     = 72 // bytes
	maxTopicWords = 12
	nameSentences = 6  // of a request that are looked at
	tellingName   = 2  // a name has at least so many words that tell it from others
	commandLine   = 80 // bytes
	mostChanged   = 4  // files
)

// conclude names the topics and the session, and sums the topics up, from what the
// record holds.
func (tp *topics) conclude() {
	s := tp.s
	first := ""
	if len(s.Requests) > 0 {
		first = prose.Clip(s.Requests[0].Text, passage.TitleLimit)
	}
	title := s.Title // the session's own, if it is not that of its first request
	if title == first {
		title = ""
	}
	for i := range s.Topics {
		t := &s.Topics[i]
		end := tp.endOf(i)
		asked := tp.asked(t)
		t.Name = cmp.Or(nameOf(asked), nameOf(t.About), nameOf(title))
		t.Name = cmp.Or(t.Name, shortName(tp.done(t, end)), shortName(asked), "Line "+itoa(t.Record+1))
		t.Summary = [2]string{oneLine(prose.Clip(asked, topicLine)), oneLine(tp.outcome(t, end))}
		title = "" // it names the first topic at most
	}
	if s.Title == "" || s.Title == first {
		s.Title = tp.titleFor(first)
	}
}

// endOf is the line at which a topic ends, beyond all lines for the last one.
func (tp *topics) endOf(i int) int {
	if i+1 < len(tp.s.Topics) {
		return tp.s.Topics[i+1].Record
	}
	return math.MaxInt
}

// titleFor is a title of the session: its first request, or the name of its first topic where
// that says nothing.
func (tp *topics) titleFor(first string) string {
	if nameOf(first) == "" && len(tp.s.Topics) > 0 {
		return tp.s.Topics[0].Name
	}
	return first
}

// derivedTitle reports whether the title of a record was made of what it holds, and is
// not the session's own.
func derivedTitle(p *session.Session) bool {
	return len(p.Topics) > 0 && p.Title == p.Topics[0].Name ||
		len(p.Requests) > 0 && p.Title == prose.Clip(p.Requests[0].Text, passage.TitleLimit)
}

// found returns what was kept of the lines of a topic, notes too, the surest first.
func (tp *topics) found(t *session.Topic, end int) []session.Finding {
	found := slices.Clone(tp.s.Found)
	for _, m := range tp.s.Notes {
		found = append(found, session.FindingOf(m))
	}
	found = lists.Without(found, func(f session.Finding) bool {
		return f.Record < t.Record || f.Record >= end || tp.outside[f.ID]
	})
	lists.Sort(found, func(a, b session.Finding) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return found
}

// outcome sums up a topic that ends before a line: the surest of what
// was kept, else the files it changed.
func (tp *topics) outcome(t *session.Topic, end int) string {
	found := tp.found(t, end)
	switch {
	case len(found) == 1:
		return prose.Clip(found[0].Title, topicLine)
	case len(found) > 1:
		return prose.Clip(found[0].Title, topicLine/2) + "; " + prose.Clip(found[1].Title, topicLine/2)
	}
	if changed := tp.changed(t); len(changed) > 0 {
		return prose.Clip("Changed "+strings.Join(changed, ", "), topicLine)
	}
	return ""
}

// changed are the first files that a topic changed.
func (tp *topics) changed(t *session.Topic) []string {
	changed := lists.Where(t.Files, func(f string) bool { return slices.Contains(tp.s.Modified, f) })
	return changed[:min(len(changed), mostChanged)]
}

// done names what a topic came to: its plan, else the surest memory, else the files it changed.
func (tp *topics) done(t *session.Topic, end int) string {
	if found := tp.found(t, end); len(found) > 0 {
		plan := slices.IndexFunc(found, func(f session.Finding) bool { return f.Type == memory.Plan })
		return strings.TrimPrefix(found[max(0, plan)].Title, "Plan: ")
	}
	names := lists.Map(tp.changed(t), path.Base)
	if len(names) == 0 {
		return ""
	}
	return "Work on " + strings.Join(names[:min(len(names), 2)], " and ")
}

// nameOf is the first sentence of a request that says what it is about, without what
// leads up to it; "" when none does.
func nameOf(asked string) string {
	sentences := prose.Sentences(prose.Plain(address().ReplaceAllString(asked, "$1")))
	for _, s := range sentences[:min(len(sentences), nameSentences)] {
		if name := withoutLead(strings.TrimRight(s, ".!?:; ")); telling(name) >= tellingName {
			return shortName(firstClause(name))
		}
	}
	return ""
}

func shortName(name string) string {
	return oneLine(prose.Clip(prose.Sentence(prose.ClipWords(strings.TrimSpace(name), maxTopicWords)), topicName))
}

// firstClause is a sentence up to where it goes into detail.
func firstClause(s string) string {
	for _, at := range goesIntoDetail().FindAllStringIndex(s, -1) {
		if clause := s[:at[0]]; canName(clause) {
			return clause
		}
	}
	return s
}

// goesIntoDetail matches a mark behind which a sentence goes into detail.
var goesIntoDetail = lazy.Pattern(`[,:;] | \(`)

// canName reports whether a clause can be a name without the rest of its sentence.
func canName(clause string) bool {
	return telling(clause) >= tellingName && passage.Balanced(clause) && !strings.HasSuffix(clause, "[redacted")
}

// withoutLead is a sentence without the words that people say before they say what they want.
func withoutLead(name string) string {
	if label, rest, found := strings.Cut(name, ": "); found && in("new topic", prose.Words(label)) {
		name = rest
	}
	fields := strings.Fields(name)
	for n := leadOf(fields); n > 0 && n+2 <= len(fields); n = leadOf(fields) {
		fields = fields[n:]
	}
	return strings.Join(fields, " ")
}

// leadOf is with how many words a sentence leads up to what it says.
func leadOf(fields []string) int {
	return lexicon().Begins("lead", prose.Words(strings.Join(fields, " ")))
}

// address matches an address, and the number of an issue or the like in it.
var address = lazy.Pattern(`\S+://\S*/(\d+\b)?\S*`)

// telling counts the distinct words of a text that tell it from others.
func telling(s string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(lists.Without(prose.Words(s), tellsNothing)))))
}

// tellsNothing reports whether a word tells a text from no other: one letter, a number, or one that
// says nothing.
func tellsNothing(w string) bool {
	return len(w) < 2 || strings.Trim(w, "0123456789") == "" || saysNothing(w)
}

// aboutOf says what a turn is about that was given to a command: the command and its
// arguments.
func aboutOf(t *turn) string {
	_, name, _ := strings.Cut(t.command, "/")
	if !t.prompted || name == "" {
		return ""
	}
	if _, rest, found := strings.Cut(name, ":"); found {
		name = rest
	}
	about := strings.NewReplacer("-", " ", "_", " ").Replace(name)
	return oneLine(prose.Clip(about+" "+oneLine(t.prompt), commandLine))
}

// openQuestion is the question that a message ends with and that asks for more than to
// go on; "" when there is none.
func openQuestion(text string) string {
	text = strings.TrimSpace(text)
	last := text[strings.LastIndex(text, "\n")+1:]
	sentences := prose.Sentences(prose.Plain(last))
	if len(sentences) == 0 {
		return ""
	}
	q := strings.TrimLeft(sentences[len(sentences)-1], "-*0123456789.) ")
	if !strings.HasSuffix(q, "?") || offers(q) || telling(q) < tellingName {
		return ""
	}
	return oneLine(prose.Clip(q, topicLine))
}

// offers reports whether a question only asks whether to go on.
func offers(question string) bool {
	words := prose.Words(question)
	return len(words) <= leastWords || begins("offer", words) && !slices.Contains(words, "or")
}
