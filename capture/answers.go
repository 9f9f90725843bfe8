package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// Sizes of what is kept of a question and its answer, in words; a title needs some bytes.
const (
	questionWords = 45
	answerWords   = 60
	drawbackWords = 75
	shortAnswer   = 4 // an answer of so many words stands behind its question
	leastTitle    = 32
	headerLimit   = 60 // bytes
)

// answer weighs one question that was put to the user, with what was chosen.
// before is the agent's message above the question, at its line.
func (w *weigher) answer(q transcript.Answer, it item, before string, at int) {
	chosen, question := oneLine(q.Chosen), oneLine(prose.Plain(q.Question))
	if chosen == "" || question == "" || aboutProcess(q) || secretAnswer(q) {
		return
	}
	pick, listed := optionNamed(q.Options, chosen)
	d := draft{
		class: classAnswer, typ: memory.Decision, record: it.record, time: it.time, place: passage.User,
		span: `"` + question + `"="` + chosen + `"`, cue: "question and answer",
	}
	label := strings.TrimSpace(strings.TrimSuffix(chosen, "(Recommended)"))
	switch {
	case listed && is("undecided", strings.ToLower(label)):
		d.class, d.typ, d.cue, d.title = classLeftOpen, memory.Question, "left open", "Left open: "+question
		w.add(d)
	case listed || len(q.Options) == 0 || len(prose.Words(chosen)) <= shortAnswer:
		d.title = titled(oneLine(q.Header), label, question)
		if told := explained(label, pick.Description); strings.Contains(d.title, "…") && told != "" {
			d.title = told
		}
		d.text = "Question: " + prose.ClipWords(question, questionWords) + "\nAnswer: " + label
		if pick.Description != "" {
			d.text += " — " + prose.ClipWords(oneLine(pick.Description), 30)
		}
		w.add(d)
		w.turnedDown(q, chosen, it, before, at)
	default:
		w.ownWordsAnswer(d, q, question, chosen)
	}
}

// explained makes a title of an answer by what the agent said of it, for a question that is too
// long; "" where that says too little, or is too long itself.
func explained(answer, description string) string {
	first, _, _ := strings.Cut(oneLine(prose.Plain(description))+" ", ". ")
	told := passage.Shortened(strings.TrimRight(first, ". "), passage.TitleLimit-len(answer)-2)
	if len(prose.Words(told)) < passage.Few {
		return ""
	}
	return answer + ": " + told
}

// secretAnswer reports whether a question asked for a secret whose answer was taken out: nothing
// is left to remember.
func secretAnswer(q transcript.Answer) bool {
	return strings.Contains(q.Chosen, "[redacted: ") && redact.Asks(q.Question) != redact.AsksNothing
}

// titled makes a title of a question's header and its answer: behind the header, or behind
// the question where the header is missing or says no more than the answer.
func titled(header, answer, question string) string {
	matter := strings.TrimRight(question, "?？ ")
	if header == "" || strings.HasPrefix(strings.ToLower(answer), strings.ToLower(header)) {
		header = prose.Clip(matter, headerLimit)
	}
	if t := header + ": " + answer; len(t) >= leastTitle {
		return t
	}
	return prose.Clip(matter, max(headerLimit, passage.TitleLimit-len(answer)-2)) + ": " + answer
}

// answered makes a title of an answer in the user's own words: the sentence that
// carries their will, behind the question's header where both fit, and the question
// itself where no sentence fits.
func answered(header, question, words string) string {
	t := titleOfWords(words)
	if t == "" && len(header)+len(question)+2 <= passage.TitleLimit {
		t = question
	}
	t = cmp.Or(t, prose.Sentences(words)[0])
	if header == "" {
		return t
	}
	if short := passage.Shortened(t, passage.TitleLimit-len(header)-2); short != "" {
		return header + ": " + short
	}
	return t
}

// ownWordsAnswer is an answer in the user's own words: a decision, a preference,
// or another question, which is neither.
func (w *weigher) ownWordsAnswer(d draft, q transcript.Answer, question, chosen string) {
	words := prose.Words(chosen)
	said, typ, _ := passage.Said(words)
	d.class, d.cue = classOwnWords, "answer in the user's words"
	switch {
	case strings.Contains(chosen+" ", "? ") || in("asks back", words):
		d.class, d.cue = classAskedBack, "the user asked back"
	case !wills(said):
		d.class = classVague
	}
	if d.typ = memory.Preference; typ == memory.Decision && wills(said) {
		d.typ = memory.Decision
	}
	d.title = answered(oneLine(q.Header), question, chosen)
	d.text = "User: " + quoted(chosen, answerWords) + "\n" + askedLine + prose.ClipWords(question, 35)
	w.add(d)
}

// wills reports whether the cues of a person's words say what they want.
func wills(said []string) bool {
	return slices.ContainsFunc([]string{"said wish", "said choice", "said rule", "said refusal"}, func(s string) bool { return slices.Contains(said, s) })
}

// aboutProcess reports whether a question is about how to go on with the session, which
// says nothing about the project.
func aboutProcess(q transcript.Answer) bool {
	return in("about the work", prose.Words(q.Question)) || is("work answer", strings.ToLower(q.Chosen))
}

// optionNamed finds the option that was chosen, by its label or by what begins with it.
func optionNamed(options []transcript.Option, chosen string) (transcript.Option, bool) {
	label := func(o transcript.Option) string { return strings.ToLower(strings.TrimSpace(o.Label)) }
	i := slices.IndexFunc(options, func(o transcript.Option) bool { return label(o) == strings.ToLower(chosen) })
	if i < 0 {
		i = slices.IndexFunc(options, func(o transcript.Option) bool { return o.Label != "" && strings.HasPrefix(chosen, o.Label) })
	}
	if i < 0 {
		return transcript.Option{}, false
	}
	return options[i], true
}

// turnedDown looks in the agent's message for the drawbacks of the options
// that were not chosen: a list under an option's name, or items led by it.
func (w *weigher) turnedDown(q transcript.Answer, chosen string, it item, before string, at int) {
	var lines []string
	for _, p := range passage.Cut(before, passage.Handover, at, it.time, nil) {
		o := optionOver(&p, q.Options)
		if o == "" || strings.HasPrefix(strings.ToLower(chosen), strings.ToLower(o)) || !isDrawback(&p) {
			continue
		}
		lines = append(lines, o+": "+strings.ReplaceAll(p.Body(), "\n", "; "))
	}
	if len(lines) == 0 {
		return
	}
	first, _, _ := strings.Cut(lines[0], "; ")
	name, _, _ := strings.Cut(lines[0], ": ")
	w.add(draft{
		class: classTurnedDown, typ: memory.Rejected, record: at, time: it.time, place: passage.User,
		title: "Turned down: " + cmp.Or(passage.Shortened(first, passage.TitleLimit-len("Turned down: ")), name),
		text:  prose.ClipWords(strings.Join(lines, "\n"), drawbackWords), span: strings.Join(lines, " "), cue: "drawbacks of the options not chosen",
	})
}

// isDrawback reports whether a passage tells what speaks against an option.
func isDrawback(p *passage.Passage) bool {
	over := prose.Words(p.Intro)
	if n := len(p.Section); n > 0 {
		over = append(over, prose.Words(p.Section[n-1])...)
	}
	if in("advantages", over) {
		return false
	}
	return in("drawbacks", over) || passage.Hints(prose.Words(p.Body()), "limit", "trap", "contrast")
}

// optionOver names the option whose label stands over or before a passage,
// the nearest one first.
func optionOver(p *passage.Passage, options []transcript.Option) string {
	over := []string{p.Lead, p.Intro}
	for _, h := range slices.Backward(p.Section) {
		over = append(over, h)
	}
	const shortest = 4
	for _, h := range over {
		for _, o := range options {
			label := strings.ToLower(strings.TrimSpace(strings.TrimSuffix(o.Label, "(Recommended)")))
			if len(label) >= shortest && strings.HasPrefix(strings.ToLower(h), label) {
				return o.Label
			}
		}
	}
	return ""
}
