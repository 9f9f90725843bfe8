package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/sentence"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// answer weighs one question that was put to the user, with what was chosen.
// before is the agent's message above the question, at its line.
func (w *weigher) answer(q transcript.Answer, it item, before string, at int) {
	chosen := oneLine(q.Chosen)
	question := sentence.Unprompted(oneLine(prose.Plain(q.Question)))
	if chosen == "" || question == "" || aboutProcess(q) || secretAnswer(q) {
		return
	}
	pick, listed := optionNamed(q.Options, chosen)
	d := draft{
		layer: session.LayerAnswer, typ: memory.Decision, conf: confAnswer, record: it.record, time: it.time,
		span: quotedPair(question, chosen), cue: "question and answer", place: passage.User,
	}
	label := strings.TrimSpace(strings.TrimSuffix(chosen, "(Recommended)"))
	switch {
	case listed && undecided(label):
		d.typ, d.conf, d.cue = memory.Question, 0.45, "left open"
		d.title = "Left open: " + question
		w.add(d)
		return
	case listed || len(q.Options) == 0 || len(prose.Words(chosen)) <= 4:
		d.title = titled(q.Header, label, question)
		if strings.Contains(d.title, "…") {
			d.title = cmp.Or(explained(agreed(label), pick.Description), d.title)
		}
		d.text = "Question: " + prose.ClipWords(question, 45) + "\nAnswer: " + label
		if pick.Description != "" {
			d.text += " — " + prose.ClipWords(oneLine(pick.Description), 30)
		}
		w.add(d)
		w.turnedDown(q, chosen, it, before, at)
	default:
		w.freeAnswer(d, q, question, chosen)
	}
}

// secretAnswer holds for a question for a secret whose answer was taken out: nothing is left
// to remember.
func secretAnswer(q transcript.Answer) bool {
	return strings.Contains(q.Chosen, "[redacted: ") && redact.Asks(q.Question) != redact.AsksNothing
}

func quotedPair(question, chosen string) string { return `"` + question + `"="` + chosen + `"` }

// titled makes a title of a question's header and its answer.
func titled(header, answer, question string) string {
	header = oneLine(header)
	matter := sentence.Matter(question)
	if header == "" {
		header = prose.Clip(matter, 60)
	}
	if n := len(header); len(answer) > n && strings.EqualFold(answer[:n], header) {
		header = prose.Clip(matter, 60)
	}
	if strings.EqualFold(header, answer) {
		return prose.Clip(question, 70) + " " + answer
	}
	if said := agreed(answer); said != answer && len(prose.Words(said)) > 1 {
		if answer = said; sentence.States(matter) && len(matter) <= passage.TitleLimit && !sentence.Inverted(matter) {
			return matter // a statement that only wanted a yes
		}
	}
	t := header + ": " + answer
	if len(t) < 32 {
		t = prose.Clip(matter, passage.TitleLimit-len(answer)-3) + ": " + answer
	}
	return t
}

// agreed is an answer without the yes before what it says itself.
func agreed(answer string) string {
	if said, agrees := strings.CutPrefix(answer, "Yes, "); agrees && !restricts(said) {
		return said
	}
	return answer
}

// restricts holds for words behind a yes that take part of it back: "but only at night".
func restricts(said string) bool {
	switch strings.ToLower(strings.TrimRight(prose.FirstWord(said), ",")) {
	case "but", "only", "except", "unless", "if", "when", "once", "until", "after", "before", "without", "though", "although", "provided", "not":
		return true
	}
	return false
}

// explained makes a title of an answer by what the agent said of it, for a question that is
// too long; "" where that says too little, or is too long itself.
func explained(answer, description string) string {
	parts := prose.Sentences(oneLine(prose.Plain(description)))
	if len(parts) == 0 {
		return ""
	}
	told := sentence.Shortened(strings.TrimSuffix(parts[0], "."), passage.TitleLimit-len(answer)-2)
	if len(prose.Words(told)) < sentence.Few {
		return ""
	}
	return answer + ": " + told
}

// answered makes a title of an answer in the user's own words: the sentence that
// carries their will, behind the question's header where both fit, and the question
// itself where no sentence fits.
func answered(header, question, words string) string {
	t := titleOfWords(words, header != "")
	if t == "" && header != "" && len(header)+len(question)+2 <= passage.TitleLimit {
		if asked := sentence.Matter(question); !sentence.Inverted(asked) {
			return header + ": " + asked
		}
		return header + ": " + question
	}
	if t == "" {
		t = prose.Sentences(words)[0]
	}
	if header == "" {
		return t
	}
	main, _, _ := strings.Cut(t, ", rather than ")
	for _, s := range []string{t, main} {
		if short := sentence.Shortened(s, passage.TitleLimit-len(header)-2); short != "" {
			return header + ": " + short
		}
	}
	return t
}

// freeAnswer is an answer in the user's own words: a decision, a preference,
// or another question, which is neither.
func (w *weigher) freeAnswer(d draft, q transcript.Answer, question, chosen string) {
	hits := passage.UserCues().Hits(prose.Words(chosen))
	has := func(name string) bool {
		for i, n := range hits {
			if n > 0 && passage.UserCues().Groups[i].Name == name {
				return true
			}
		}
		return false
	}
	t := " " + strings.Join(prose.Words(chosen), " ") + " "
	wantsMore := strings.HasSuffix(chosen, "?") || strings.Contains(chosen, "? ")
	for _, p := range []string{" expand ", " explain ", " pros cons ", " like to hear ", " tell me more ", " what are ", " more questions ", " more details ", " not sure ", " on the one hand ", " clarify "} {
		wantsMore = wantsMore || strings.Contains(t, p)
	}
	d.typ = memory.Preference
	if has("choice") || strings.Contains(t, " lets go ") {
		d.typ = memory.Decision
	}
	d.conf = confUser
	d.cue = "answer in the user's words"
	if wantsMore {
		d.conf, d.cue = 0.4, "the user asked back"
	} else if !has("wish") && !has("choice") && !has("rule") && !has("refusal") {
		d.conf = 0.6
	}
	d.title = answered(oneLine(q.Header), question, chosen)
	d.text = "User: " + quoted2(chosen, 60) + "\n" + askedLine + prose.ClipWords(question, 35)
	w.add(d)
}

func quoted2(s string, n int) string { return "“" + prose.ClipWords(s, n) + "”" }

// undecided holds for an option that hands the decision back.
func undecided(label string) bool {
	switch strings.ToLower(label) {
	case "you decide", "not sure", "no preference", "decide later", "skip", "up to you", "whatever you think":
		return true
	}
	return false
}

// aboutProcess holds for questions about how to go on with the session, which
// say nothing about the project.
func aboutProcess(q transcript.Answer) bool {
	question := " " + strings.Join(prose.Words(q.Question), " ") + " "
	for _, p := range []string{
		" what would you like ", " would you like to do next ", " what next ", " what's next ", " next step ", " next steps ", " ready to ", " more questions ",
		" move on ", " move to ", " shall i ", " proceed ", " want to discuss ", " continue with ", " should i continue ", " should i start ",
		" want me to continue ", " want me to proceed ", " want me to start ", " how would you like to proceed ", " anything else ", " which areas ",
		" looks good ", " look good ", " look right ", " does this plan ", " is this plan ", " plan ready ", " happy with ", " start implementing ",
		" begin implementing ", " begin implementation ", " should i commit ", " should i push ", " commit these ", " how should i proceed ", " what do you want to do ",
		" want to clarify ", " approve ",
	} {
		if strings.Contains(question, p) {
			return true
		}
	}
	a := strings.ToLower(q.Chosen)
	for _, p := range []string{"next area", "more questions", "continue", "proceed", "done", "yes, proceed", "looks good", "start /", "run /", "create context"} {
		if a == p || strings.HasSuffix(p, "/") && strings.HasPrefix(a, p) {
			return true
		}
	}
	return false
}

func optionNamed(options []transcript.Option, chosen string) (transcript.Option, bool) {
	for _, o := range options {
		if strings.EqualFold(strings.TrimSpace(o.Label), chosen) {
			return o, true
		}
	}
	for _, o := range options {
		if o.Label != "" && strings.HasPrefix(chosen, o.Label) {
			return o, true
		}
	}
	return transcript.Option{}, false
}

// drawback gives what speaks against an option in at most limit bytes: the whole, or what
// follows "but"; "" where neither does.
func drawback(why string, limit int) string {
	why = strings.TrimSuffix(why, ".")
	if whole := sentence.Shortened(why, limit); whole != "" {
		return whole
	}
	_, limits, _ := strings.Cut(why, ", but ")
	return sentence.Shortened(limits, limit)
}

// turnedDown looks in the agent's message for the drawbacks of the options
// that were not chosen: a list under an option's name, or items led by it.
func (w *weigher) turnedDown(q transcript.Answer, chosen string, it item, before string, at int) {
	var lines []string
	title := ""
	for _, p := range passage.Cut(before, passage.Handover, at, it.time, nil) {
		o := optionOver(&p, q.Options)
		if o == "" || strings.EqualFold(o, chosen) || strings.HasPrefix(chosen, o) {
			continue
		}
		under := " " + strings.ToLower(p.Intro) + " " + strings.ToLower(last(p.Section)) + " "
		bad := strings.Contains(under, "cons") || strings.Contains(under, "drawback") || strings.Contains(under, "downside")
		good := strings.Contains(under, "pros") || strings.Contains(under, "advantage")
		if good || !bad && passage.Cues(prose.Words(p.Body()), "limit", "trap", "contrast") == 0 {
			continue
		}
		why := p.Text
		if len(p.Items) > 0 {
			why = strings.Join(p.Items, "; ")
		}
		lines = append(lines, o+": "+why)
		if title == "" { // with the first drawback, where that fits
			title = o
			first, _, _ := strings.Cut(why, "; ")
			if len(p.Items) > 0 {
				first = p.Items[0]
			}
			if first = drawback(first, passage.TitleLimit-len("Turned down: ")-len(o)-2); first != "" {
				title = o + ": " + first
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	w.add(draft{
		typ: memory.Rejected, layer: session.LayerAnswer, conf: confRejected, record: at, time: it.time, place: passage.User,
		title: "Turned down: " + title, text: prose.ClipWords(strings.Join(lines, "\n"), 75), span: strings.Join(lines, " "), cue: "drawbacks of the options not chosen",
	})
}

// optionOver names the option whose label stands over or before a passage,
// the nearest one first.
func optionOver(p *passage.Passage, options []transcript.Option) string {
	over := []string{p.Lead, p.Intro}
	for _, h := range slices.Backward(p.Section) {
		over = append(over, h)
	}
	for _, h := range over {
		for _, o := range options {
			label := strings.ToLower(strings.TrimSpace(strings.TrimSuffix(o.Label, "(Recommended)")))
			if len(label) >= 4 && strings.HasPrefix(strings.ToLower(h), label) {
				return o.Label
			}
		}
	}
	return ""
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

// refusal weighs what the user wrote when turning down a plan or a tool call.
func (w *weigher) refusal(it item, before string, around *passage.Setting) {
	about := ""
	if it.of == transcript.ToolPlan {
		about = planTitle(prose.Blocks(it.title))
	}
	w.words(spoken{text: it.text, record: it.record, time: it.time, before: before, refused: true, about: about, setting: around})
}
