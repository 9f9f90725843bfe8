package capture

import (
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/transcript"
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
		pasted := passage.Of(s.text, passage.Pasted, s.record, s.time, s.setting)
		pasted = slices.DeleteFunc(pasted, func(p passage.Passage) bool { return isLog(p.Whole()) })
		w.pick(pasted, classPasted, perDocument)
	}
	words := prose.Words(body)
	if choice, rest := choiceOf(body, s.before); choice.label != "" {
		w.chose(&s, body, choice, rest)
		return
	}
	if len(words) < leastWords {
		return
	}
	d := w.statement(&s, body, words)
	w.judged(&d)
	w.typed(&d)
	objects := objects(body)
	rule := len(words) <= ruleWords && (objects || !asksOnly(body) && (passage.Stands(body) || passage.Chooses(body)))
	switch {
	case rule && passage.Chooses(body) && passage.GivesReason(body):
		d.class, d.typ, d.conf = classRule, memory.Decision, max(d.conf, confUser)
	case rule:
		d.class, d.conf = classRule, max(d.conf, confRule)
	case s.refused && len(words) > leastWords && !asksOnly(body):
		d.conf = max(d.conf, confRule)
	case d.title == "" || asksOnly(body) || s.opening:
		d.conf = min(d.conf, confUntitled)
	}
	if objects {
		d.typ = memory.Preference
	}
	if s.refused {
		d.class = classRefusal
	}
	if d.title == "" {
		d.title = prose.Clip(body, passage.TitleLimit)
	}
	if d.conf >= confNoted || w.opt.Trace != nil {
		w.overrule(w.add(d), body)
	}
}

// asksOnly reports whether a text ends in a question.
func asksOnly(body string) bool { return strings.HasSuffix(strings.TrimRight(body, " )\"'"), "?") }

// statement makes a draft of the words of the user, with their signs; its title is "" if no sentence can be one.
func (w *weigher) statement(s *spoken, body string, words []string) draft {
	cued, typ, rows := passage.Said(words)
	add := func(name string, holds bool) {
		if holds {
			cued = append(cued, name)
		}
	}
	add("refused", s.refused)
	add("asks only", asksOnly(body))
	add("opening", s.opening)
	add("steer", s.steer)
	add("opens request", begins("request", words))
	add("said instead", in("instead", words) && !asksOnly(body))
	p := passage.Spoken(body, s.setting)
	d := draft{
		class: classSaid, typ: typ, record: s.record, time: s.time, span: body, title: titleOfWords(body),
		place: passage.User, signs: p.Signs(cued, typ), rows: rows,
	}
	slices.Sort(cued)
	d.cue = strings.Join(cued, ", ")
	d.text = prose.ClipWords(body, saidWords)
	switch topic := topicOf(s.before); {
	case s.reply != "" && objects(body):
		d.text += "\n" + agentLine + prose.ClipWords(oneLine(s.reply), replyWords)
	case s.about != "":
		d.text += "\n" + refusedLine + prose.ClipWords(s.about, 20)
	case len(words) < shortWords && topic != "":
		d.text += "\n" + replyLine + topic
	}
	return d
}

// chose adds the option that the user picked of those that the agent offered.
func (w *weigher) chose(s *spoken, body string, choice option, rest string) {
	last := s.before[max(0, len(s.before)-300):]
	if in("next job", prose.Words(last)) || in("work option", prose.Words(choice.label)) {
		return // which job is next says nothing of the project
	}
	d := draft{
		class: classOption, typ: memory.Decision, record: s.record, time: s.time, span: body, cue: "option", place: passage.User,
		title: "Chose: " + choice.label,
	}
	if rest != "" {
		d.title = "Chose: " + prose.Clip(choice.label, 60) + ", " + rest
	}
	d.text = "User: " + quoted(body, 40) + "\nOption: " + prose.ClipWords(choice.label, 40)
	if choice.text != "" {
		d.text += " — " + choice.text
	}
	if others := othersThan(choice, s.before); others != "" {
		d.text += "\nNot chosen: " + prose.ClipWords(others, 40)
	}
	if q := questionIn(s.before); q != "" {
		d.text += "\n" + askedLine + prose.ClipWords(q, 35)
	}
	w.overrule(w.add(d), body)
}

// titleOfWords finds the sentence that carries the user's will, whole or by its main clause:
// the first that can be read alone and says what they want; else the first that can be read
// alone, else the first that fits. A request is none: the commit will show it.
func titleOfWords(body string) string {
	best, most := "", 0
	for _, s := range typed(body) {
		t := passage.Shortened(passage.Bare(s), passage.TitleLimit)
		words := prose.Words(t)
		if len(words) < leastWords || !passage.Balanced(t) || begins("request", words) && !passage.Stands(s) {
			continue
		}
		worth := 1
		if !passage.Dangles(words) && !strings.HasSuffix(t, "?") && len(words) >= passage.Least {
			worth++
		}
		if said, _, _ := passage.Said(words); wills(said) {
			worth += 2
		}
		if worth > most {
			best, most = t, worth
		}
	}
	return best
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

// topicOf is the first statement of the agent's message that is being
// answered.
func topicOf(md string) string {
	for _, b := range prose.Blocks(md) {
		if b.Kind == prose.Heading && len(prose.Words(b.Text)) >= leastWords {
			return prose.Clip(b.Text, 120)
		}
		if b.Kind != prose.Paragraph {
			continue
		}
		if f := passage.Facts(b.Text); len(f) > 0 && len(prose.Words(f[0])) > leastWords {
			return prose.Clip(f[0], 160)
		}
	}
	return ""
}

// ownWords drops what a user pasted: code, quotes, logs, long documents.
func ownWords(s string) string {
	s = passage.WithoutTags(transcript.WithoutBriefing(s))
	var paras []string
	for _, b := range prose.Blocks(s) {
		if b.Source != "" && b.Kind != prose.Heading && !isLog(b.Source) {
			paras = append(paras, b.Source)
		}
	}
	body := strings.Join(paras, " ")
	if len(strings.Fields(body)) <= pastedWords {
		return oneLine(body)
	}
	for _, p := range []string{paras[0], paras[len(paras)-1]} {
		if len(strings.Fields(p)) <= pastedWords/2 {
			return oneLine(p)
		}
	}
	return ""
}

// isLog reports whether lines are those that a terminal or a checker wrote.
func isLog(s string) bool {
	for _, begins := range []string{"$ ", "at ", "Traceback"} {
		if strings.HasPrefix(s, begins) {
			return true
		}
	}
	marks := 0
	for i := range len(s) {
		if strings.IndexByte(`{};=<>|[]\`, s[i]) >= 0 {
			marks++
		}
	}
	return marks > 4 && marks > len(s)/12 || placesIn(s) > 1
}

// placesIn counts the places such as "43:19" that stand in a text, each a line and a column.
func placesIn(s string) int {
	n := 0
	for f := range strings.FieldsSeq(s) {
		line, column, found := strings.Cut(strings.TrimSuffix(f, ":"), ":")
		if found && line != "" && column != "" && strings.Trim(line+column, "0123456789") == "" {
			n++
		}
	}
	return n
}

// refusal weighs what the user wrote when turning down a plan or a tool call.
func (w *weigher) refusal(it item, before string, around *passage.Setting) {
	about := ""
	if it.of == transcript.ToolPlan {
		about = planTitle(prose.Blocks(it.title))
	}
	w.words(spoken{text: it.text, record: it.record, time: it.time, before: before, refused: true, about: about, setting: around})
}
