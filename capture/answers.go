package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// Sizes of what is kept of a question and its answer, in words; a title needs some bytes.
const (
	questionWords = 60
	answerWords   = 120
	optionWords   = 60 // of what was said of the option that was chosen
	otherWords    = 15 // of what was said of each that was not
	shortAnswer   = 4  // an answer of so many words stands behind its question
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
	label := withoutAdvice(chosen)
	switch {
	case listed && is("undecided", strings.ToLower(label)):
		d.class, d.typ, d.cue, d.title = classLeftOpen, memory.Question, "left open", "Left open: "+question
	case listed, len(q.Options) == 0, len(prose.Words(chosen)) <= shortAnswer:
		others := otherOptions(q.Options, pick, label)
		w.takenBack(lists.Map(others, labelOf), it.record)
		d.optionAnswer(oneLine(q.Header), question, label, oneLine(pick.Description), others)
	default:
		d.ownWordsAnswer(oneLine(q.Header), question, chosen)
	}
	w.add(d)
}

// withoutAdvice is the label of an option without the agent's remark that it would take it.
func withoutAdvice(label string) string {
	return strings.TrimSpace(strings.TrimSuffix(oneLine(label), "(Recommended)"))
}

// optionAnswer words an answer by an option, or one that is as short, instead of others.
func (d *draft) optionAnswer(header, question, label, description string, others []transcript.Option) {
	d.title = titled(header, label, question, description, lists.Map(others, labelOf))
	d.text = "Question: " + prose.ClipWords(question, questionWords) +
		labelled(answerLine, explainedBy(label, prose.ClipWords(description, optionWords)))
	said := lists.Map(others, func(o transcript.Option) string {
		return explainedBy(labelOf(o), prose.ClipWords(oneLine(o.Description), otherWords))
	})
	if !strings.HasSuffix(d.title, strings.Join(said, " or ")) { // it has no room for them
		d.text += labelled(othersLine, strings.Join(said, "; "))
	}
}

// labelOf returns the label of an option without the agent's remark that it would take it.
func labelOf(o transcript.Option) string { return withoutAdvice(o.Label) }

// otherOptions are the options that were not chosen and would have decided something. What the answer itself names
// beside the one it picked, as in "not plain text", is left to its words.
func otherOptions(options []transcript.Option, pick transcript.Option, answer string) []transcript.Option {
	beside := strings.ToLower(strings.TrimPrefix(answer, labelOf(pick)))
	return lists.Without(options, func(o transcript.Option) bool {
		name := strings.ToLower(labelOf(o))
		return labelOf(o) == labelOf(pick) || strings.Contains(beside, name) || is("undecided", name)
	})
}

// explainedBy is the name of an option with what was said of it.
func explainedBy(label, text string) string {
	return strings.TrimSuffix(label+meansMark+text, meansMark)
}

// teachesNothing reports whether a question is about how to go on with the session, which says nothing about
// the project, or asked for a secret that was taken out: nothing is left to remember.
func teachesNothing(q transcript.Answer) bool {
	process := in("about the work", prose.Words(q.Question)) || is("work answer", strings.ToLower(q.Chosen))
	return process || strings.Contains(q.Chosen, "[redacted: ") && redact.Asks(q.Question) != redact.AsksNothing
}

// titled makes a title of an answer: what was chosen and what that means, behind the header of its question, or
// behind the question where that is one clause and the header says little. Where the choice by itself says nothing
// ("Both"), what it means stands alone. Where nobody said what it means, or it does not fit, the title names the
// options that were not chosen, where they fit.
func titled(header, answer, question, meaning string, others []string) string {
	t, asked := header+": "+answer, strings.TrimRight(question, "?？ ")+": "+answer
	leads := []string{t}
	switch {
	case strings.HasPrefix(strings.ToLower(answer), strings.ToLower(header)):
		t, leads = answer, []string{asked, answer}
	case telling(header) < tellingName:
		leads = []string{asked, t, answer}
	}
	little := leads[0] == asked || len(t) < leastTitle
	if strings.ContainsAny(question, clauseMarks+"—–") {
		leads = lists.Without(leads, func(lead string) bool { return lead == asked })
	}
	if little && len(asked) <= passage.TitleLimit {
		t = asked
	}
	mark := meansMark
	if telling(answer) == 0 {
		leads, mark = lists.Map(leads, func(lead string) string { return strings.TrimSuffix(lead, answer) }), ""
	}
	return cmp.Or(withMeaning(leads, mark, meaning), insteadOf(t, others))
}

// withMeaning is the first of some beginnings of a title behind which there is room for what a choice means, with that;
// "" for none.
func withMeaning(leads []string, mark, meaning string) string {
	for _, lead := range leads {
		if short := meaningWithin(meaning, passage.TitleLimit-len(lead+mark)); short != "" {
			return lead + mark + short
		}
	}
	return ""
}

// meaningWithin is the first sentence of what was said of an option in so many bytes, with the second where that fits,
// which mostly says why. It is "" where the first says nothing by itself or does not fit.
func meaningWithin(description string, room int) string {
	sentences := lists.First(prose.Sentences(description), 2)
	first, both := strings.Join(lists.First(sentences, 1), ""), strings.Join(sentences, " ")
	words := prose.Words(first)
	if len(words) < leastWords || passage.Dangles(words) {
		return ""
	}
	if len(both) <= room && strings.HasSuffix(both, ".") {
		first = both
	}
	return passage.Shortened(strings.TrimSuffix(first, "."), max(room, 0))
}

// takenBack withdraws what an earlier question of the session chose, if it was offered again and something else was
// taken.
func (w *weigher) takenBack(others []string, record int) {
	w.takeBack(0, record, "taken back by the answer at line "+itoa(record+1), func(f *finding) bool {
		chosen := chosenIn(f.c.Memory.Text)
		again := func(other string) bool { return sameness.SameStep(chosen, other) >= sameness.StepAlike }
		return telling(chosen) >= leastWords && slices.ContainsFunc(others, again)
	})
}

// chosenIn is the option that a text says was chosen, "" for none.
func chosenIn(text string) string {
	_, rest, _ := strings.Cut(text, "\n"+answerLine)
	line, _, _ := strings.Cut(rest, "\n")
	chosen, _, _ := strings.Cut(line, meansMark)
	return chosen
}

// insteadOf is a title with the options that were not chosen, without them where they do not fit.
func insteadOf(title string, others []string) string {
	if long := title + insteadMark + strings.Join(others, " or "); len(others) > 0 && len(long) <= passage.TitleLimit {
		return long
	}
	return title
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

// ownWordsAnswer is an answer in the user's own words: a decision on what was asked, a preference where it
// lays down what holds from now on, or another question, which is neither.
func (d *draft) ownWordsAnswer(header, question, chosen string) {
	words := prose.Words(chosen)
	said, _, _ := passage.Said(words)
	d.class, d.cue = classOwnWords, "answer in the user's words"
	switch {
	case strings.Contains(chosen+" ", "? ") || in("asks back", words):
		d.class, d.cue = classAskedBack, "the user asked back"
	case !wills(said), titleOfWords(chosen) == "":
		d.class = classVague
	}
	if passage.Stands(chosen) {
		d.typ = memory.Preference
	}
	d.title = answered(header, question, chosen)
	d.text = "User: " + quoted(chosen, answerWords) + "\n" + askedLine + prose.ClipWords(question, 35)
}

// wills reports whether the cues of a person's words say what they want.
func wills(said []string) bool {
	return slices.ContainsFunc([]string{"said wish", "said choice", "said rule", "said refusal"},
		func(s string) bool { return slices.Contains(said, s) })
}

// optionNamed finds the option that was chosen: the longest label with which the answer begins.
func optionNamed(options []transcript.Option, chosen string) (transcript.Option, bool) {
	named := lists.Where(options, func(o transcript.Option) bool {
		return strings.HasPrefix(strings.ToLower(chosen), strings.ToLower(strings.TrimSpace(o.Label)))
	})
	pick := slices.MaxFunc(append(named, transcript.Option{}), func(a, b transcript.Option) int {
		return cmp.Compare(len(a.Label), len(b.Label))
	})
	return pick, pick.Label != ""
}
