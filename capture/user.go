package capture

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// spoken is something the user said.
type spoken struct {
	text    string
	record  int
	time    time.Time
	before  string // the agent's words before it
	opening bool   // the request that began the session, or a slash command's arguments
	refused bool   // said when turning something down
	steer   bool   // said while the agent was at work
	setting *passage.Setting
	about   string // what it was said about
	reply   string // the agent's next words
}

// Sizes of the user's words.
const (
	pastedWords = 160 // longer ones are mostly pasted, and only their first and last paragraph count
	ruleWords   = 80  // longer ones lay down no rule
	leastWords  = 3
	shortWords  = 15 // below it the text says what it replies to
	saidWords   = 70 // of it are kept
	replyWords  = 40 // of the agent's answer
)

// words weighs the user's own words as one statement, and what is too long to
// be one by its passages.
func (w *weigher) words(s spoken) {
	body := ownWords(s.text)
	if body == "" || len(strings.Fields(s.text)) > pastedWords {
		w.pasted(&s)
	}
	if choice, rest := choiceOf(body, s.before); choice.label != "" {
		w.chose(&s, body, choice, rest)
		return
	}
	for _, statement := range s.statements(body) {
		w.said(&s, statement)
	}
}

// said weighs one statement of the user's words.
func (w *weigher) said(s *spoken, body string) {
	words := prose.Words(body)
	if len(words) < leastWords {
		return
	}
	d := w.statement(s, body, words)
	w.judged(&d)
	w.typed(&d)
	d.ranked(s, body, words)
	d.title = cmp.Or(d.title, prose.Clip(body, passage.TitleLimit))
	if d.conf >= confNoted || w.opt.Trace != nil {
		w.add(d)
	}
}

// statements are the words of the user as one statement, without a mere "Good." before it, or as several: each rule
// and choice is one of its own.
func (s *spoken) statements(body string) []string {
	sentences := lists.Map(ownBlocks(s.text), func(b prose.Block) []string { return typed(b.Source) })
	several := passage.Statements(slices.Concat(sentences...))
	if s.refused || len(strings.Fields(body)) > ruleWords || !slices.ContainsFunc(several, passage.Lays) {
		return []string{body}
	}
	s.before = "" // what they lay down is understood by itself
	return several
}

// pasted weighs the passages of a text that is too long to be one statement.
func (w *weigher) pasted(s *spoken) {
	passages := passage.Of(s.text, passage.Pasted, s.record, s.time, s.setting)
	passages = lists.Without(passages, func(p passage.Passage) bool { return isLog(p.Whole()) })
	w.pick(passages, classPasted, perDocument)
}

// ranked gives what the user said its class: a rule or an objection, a refusal, or other words.
func (d *draft) ranked(s *spoken, body string, words []string) {
	if s.refused {
		d.class = classRefusal
	}
	switch {
	case d.rules(body, words):
	case s.refuses(body):
		d.conf = max(d.conf, confRule)
	case d.title == "", s.opening, asksOnly(body):
		d.conf = min(d.conf, confUntitled)
	}
}

// refuses reports whether words that turn something down say why, or what instead.
func (s *spoken) refuses(body string) bool { return s.refused && !asksOnly(body) }

// rules makes a draft one of a standing rule or of an objection, if the words of the user are one, unless it turns
// something down.
func (d *draft) rules(body string, words []string) bool {
	switch {
	case len(words) > ruleWords:
		return false
	case objects(body):
		d.typ = memory.Preference
		if asksOnly(body) { // a note: nobody can hold to a question
			d.conf = MinConfidence
			return true
		}
	case asksOnly(body), !laysDown(body):
		return false
	case passage.Decides(body):
		d.typ, d.conf, d.class = memory.Decision, max(d.conf, confUser), classRule
	}
	d.conf = max(d.conf, confRule)
	if d.class == classSaid {
		d.stands(body)
	}
	return true
}

// laysDown reports whether the words of the user lay down a rule or make a choice.
func laysDown(body string) bool {
	return passage.Stands(body) || passage.Chooses(body) || passage.Decides(body)
}

// stands makes a draft a standing rule if the words of the user have a sentence that is one by itself, and titles it
// by that; else what they lay down is for the work at hand.
func (d *draft) stands(body string) {
	d.class = classObjection
	if rule := cmp.Or(lists.Map(typed(body), passage.Rule)...); rule != "" {
		d.class, d.title = classRule, rule
	}
}

// asksOnly reports whether a text ends in a question.
func asksOnly(body string) bool {
	end := strings.TrimRight(body, " )\"'）」")
	return strings.TrimRight(end, "?？") != end
}

// statement makes a draft of the words of the user, with their signs; its title is "" if no sentence can be one.
func (w *weigher) statement(s *spoken, body string, words []string) draft {
	cued, typ, rows := passage.Said(words)
	for _, sign := range []struct {
		name  string
		holds bool
	}{
		{"refused", s.refused},
		{"asks only", asksOnly(body)},
		{"opening", s.opening},
		{"steer", s.steer},
		{"opens request", begins("request", words)},
		{"said instead", in("instead", words)},
	} {
		if sign.holds {
			cued = append(cued, sign.name)
		}
	}
	p := passage.Spoken(body, s.setting)
	d := draft{
		class: classSaid, typ: typ, record: s.record, time: s.time, span: body, title: titleOfWords(body),
		place: passage.User, signs: p.Signs(cued, typ), rows: rows,
	}
	slices.Sort(cued)
	d.cue = cueOf(cued)
	d.text = prose.ClipWords(body, saidWords) + s.context(body, words)
	return d
}

// context is a line that says what the words of the user were about.
func (s *spoken) context(body string, words []string) string {
	switch {
	case s.reply != "" && objects(body):
		return labelled(agentLine, prose.ClipWords(oneLine(s.reply), replyWords))
	case s.about != "":
		return labelled(refusedLine, prose.ClipWords(s.about, 20))
	case len(words) < shortWords:
		return labelled(replyLine, topicOf(s.before))
	}
	return ""
}

// chose adds the option that the user picked of those that the agent offered.
func (w *weigher) chose(s *spoken, body string, choice option, rest string) {
	last := s.before[max(0, len(s.before)-300):]
	if in("next job", prose.Words(last)) || in("work option", prose.Words(choice.label)) {
		return // which job is next says nothing of the project
	}
	d := draft{
		class: classOption, typ: memory.Decision, record: s.record, time: s.time, span: body, cue: "option",
		place: passage.User,
		title: "Chose: " + cmp.Or(passage.Shortened(choice.label, headerLimit), choice.label) +
			strings.TrimSuffix(", "+rest, ", "),
	}
	d.text = "User: " + quoted(body, 40) +
		labelled("Option: ", explainedBy(prose.ClipWords(choice.label, 40), choice.text)) +
		labelled(othersLine, prose.ClipWords(othersThan(choice, s.before), 40)) +
		labelled(askedLine, prose.ClipWords(questionIn(s.before), 35))
	w.add(d)
}

// titleOfWords finds the sentence that carries the user's will, whole or by its main clause:
// the first that can be read alone and says what they want; else the first that can be read
// alone, else the first that fits. A request is none: the commit will show it.
func titleOfWords(body string) string {
	best, most := "", 0
	for _, s := range typed(body) {
		title := passage.Shortened(passage.Bare(s), passage.TitleLimit)
		if worth := worthOfWords(s, title); worth > most {
			best, most = title, worth
		}
	}
	return best
}

// worthOfWords is how good a title of a sentence of the user is, 0 for none.
func worthOfWords(sentence, title string) int {
	words := prose.Words(title)
	if isNoTitle(sentence, title, words) {
		return 0
	}
	if !readsAlone(title, words) {
		return 1
	}
	if said, _, _ := passage.Said(words); wills(said) {
		return 3
	}
	return 2
}

// isNoTitle reports whether what is left of a sentence says too little, is cut in a bracket, or asks for work and
// lays down nothing.
func isNoTitle(sentence, title string, words []string) bool {
	asksForWork := begins("request", words) && !passage.Stands(sentence)
	return len(words) < leastWords || !passage.Balanced(title) || asksForWork
}

// readsAlone reports whether a title is understood without what was said before it.
func readsAlone(title string, words []string) bool {
	return len(words) >= passage.Least && !passage.Dangles(words) && !asksOnly(title)
}

// typed are the sentences of what somebody typed, who may begin them in lower case: a
// plain word and a full stop end one.
func typed(body string) []string {
	var out []string
	for _, s := range prose.Sentences(body) {
		from := 0
		for i := range len(s) {
			if s[i] == ' ' && plainEnd(s[from:i]) {
				out, from = append(out, s[from:i]), i+1
			}
		}
		out = append(out, s[from:])
	}
	return out
}

// plainEnd reports whether words end in a full stop behind a word of letters alone, and
// outside of code.
func plainEnd(s string) bool {
	word, ends := strings.CutSuffix(s[strings.LastIndexByte(s, ' ')+1:], ".")
	if !ends || len(word) <= leastWords || strings.Count(s, "`")%2 == 1 {
		return false
	}
	return strings.Trim(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz'") == ""
}

// objects reports whether the user objects to what the agent does.
func objects(body string) bool {
	return slices.ContainsFunc(prose.Sentences(body), passage.Objects)
}

func quoted(s string, words int) string { return "“" + prose.ClipWords(s, words) + "”" }

// labelled is a line of its own behind a label, "" where there is nothing to say.
func labelled(label, text string) string {
	if text == "" {
		return ""
	}
	return "\n" + label + text
}

// topicSize bounds what is kept of the message that was answered, in bytes.
const topicSize = 160

// topicOf is the first statement of the agent's message that is being
// answered.
func topicOf(md string) string {
	for _, b := range prose.Blocks(md) {
		if topic := topicIn(b); len(prose.Words(topic)) >= leastWords {
			return prose.Clip(topic, topicSize)
		}
	}
	return ""
}

// topicIn returns the subject of a block: a heading, or the first fact of a paragraph.
func topicIn(b prose.Block) string {
	switch b.Kind {
	case prose.Heading:
		return b.Text
	case prose.Paragraph:
		return strings.Join(lists.First(passage.Facts(b.Text), 1), "")
	}
	return ""
}

// ownWords drops what a user pasted: code, quotes, logs, long documents.
func ownWords(s string) string {
	paras := lists.Map(ownBlocks(s), func(b prose.Block) string { return b.Source })
	body := strings.Join(paras, " ")
	if len(strings.Fields(body)) <= pastedWords {
		return oneLine(body)
	}
	ends := []string{paras[0], paras[len(paras)-1]}
	short := slices.IndexFunc(ends, func(p string) bool { return len(strings.Fields(p)) <= pastedWords/2 })
	if short < 0 {
		return ""
	}
	return oneLine(ends[short])
}

// ownBlocks are the blocks of a prompt that the user wrote.
func ownBlocks(s string) []prose.Block {
	return lists.Where(prose.Blocks(passage.WithoutTags(transcript.WithoutBriefing(s))), isOwn)
}

// isOwn reports whether a block of a prompt holds words of the user, and nothing that was pasted.
func isOwn(b prose.Block) bool {
	return b.Kind != prose.Heading && !isLog(b.Source)
}

// logLine matches the beginning of a line that a terminal or a checker wrote, and logPlace a line
// and a column such as "43:19".
var (
	logLine  = lazy.Pattern(`^(?:\$ |at |Traceback)`)
	logPlace = lazy.Pattern(`(?:^|\s)\d+:\d+:?(?:\s|$)`)
	logMark  = lazy.Pattern(`[{};=<>|\[\]\\]`)
)

// isLog reports whether lines are those that a terminal or a checker wrote.
func isLog(s string) bool {
	marks := len(logMark().FindAllStringIndex(s, -1))
	places := len(logPlace().FindAllStringIndex(s, 2))
	return logLine().MatchString(s) || marks > 4 && marks > len(s)/12 || places > 1
}

// refusal weighs what the user wrote when turning down a plan or a tool call.
func (w *weigher) refusal(it item, before string, around *passage.Setting) {
	said := spoken{text: it.text, record: it.record, time: it.time, before: before, refused: true, setting: around}
	if it.of == transcript.ToolPlan {
		said.about = planTitle(prose.Blocks(it.title))
	}
	w.words(said)
}
