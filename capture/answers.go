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
	shortAnswer   = 4 // an answer of so many words stands behind its question
	leastTitle    = 32
	headerLimit   = 60 // bytes
)

// answer weighs one question that was put to the user, with what was chosen.
func (w *weigher) answer(q transcript.Answer, it item) {
	chosen, question := oneLine(q.Chosen), oneLine(prose.Plain(q.Question))
	if chosen == "" || question == "" || teachesNothing(q) {
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
	case listed, len(q.Options) == 0, len(prose.Words(chosen)) <= shortAnswer:
		d.optionAnswer(oneLine(q.Header), question, label, pick.Description)
	default:
		d.ownWordsAnswer(oneLine(q.Header), question, chosen)
	}
	w.add(d)
}

// optionAnswer words an answer by an option, or one that is as short.
func (d *draft) optionAnswer(header, question, label, description string) {
	d.title = titled(header, label, question)
	if told := explained(label, description); strings.Contains(d.title, "…") && told != "" {
		d.title = told
	}
	d.text = "Question: " + prose.ClipWords(question, questionWords) +
		labelled("Answer: ", explainedBy(label, prose.ClipWords(oneLine(description), 30)))
}

// explainedBy is the name of an option with what was said of it.
func explainedBy(label, text string) string {
	if text == "" {
		return label
	}
	return label + " — " + text
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

// teachesNothing reports whether a question is about how to go on, or its answer was taken out.
func teachesNothing(q transcript.Answer) bool { return aboutProcess(q) || secretAnswer(q) }

// secretAnswer reports whether a question asked for a secret whose answer was taken out: nothing
// is left to remember.
func secretAnswer(q transcript.Answer) bool {
	return strings.Contains(q.Chosen, "[redacted: ") && redact.Asks(q.Question) != redact.AsksNothing
}

// titled makes a title of a question's header and its answer: behind the header, or behind
// the question where the header is missing or says no more than the answer.
func titled(header, answer, question string) string {
	matter := strings.TrimRight(question, "?？ ")
	if strings.HasPrefix(strings.ToLower(answer), strings.ToLower(header)) {
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
func (d *draft) ownWordsAnswer(header, question, chosen string) {
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
	d.title = answered(header, question, chosen)
	d.text = "User: " + quoted(chosen, answerWords) + "\n" + askedLine + prose.ClipWords(question, 35)
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
	begins := transcript.Option{}
	for _, o := range options {
		if label(o) == strings.ToLower(chosen) {
			return o, true
		}
		if strings.HasPrefix(chosen, o.Label) {
			begins = o
		}
	}
	return begins, begins.Label != ""
}
