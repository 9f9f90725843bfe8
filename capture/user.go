package capture

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
	"github.com/git-cortex/cortex/capture/session"
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
	next    *item  // the agent's last message in reply; nil for words in mid-turn

	answered reaction // to an objection
}

// pastedWords is how long a prompt is taken for the user's own words; longer
// ones are mostly pasted, and only their first and last paragraph count.
const pastedWords = 160

// words weighs the user's own words as one statement, and what is too long to
// be one by its passages.
func (w *weigher) words(s spoken) {
	body := ownWords(s.text)
	if body == "" || len(strings.Fields(s.text)) > pastedWords {
		pasted := passage.Of(s.text, passage.Pasted, s.record, s.time, s.setting)
		pasted = slices.DeleteFunc(pasted, func(p passage.Passage) bool { return isLog(p.Whole()) })
		w.pick(pasted, session.LayerUser, perDocument)
	}
	list := prose.Words(body)
	if len(list) == 0 {
		return
	}
	if w.approval(&s, body) {
		return
	}
	choice, rest := choiceOf(body, s.before)
	if choice.label != "" && aboutWork(choice.label, s.before) {
		return // which job is next says nothing of the project
	}
	conf, typ, names := s.score(body, list)
	if choice.label != "" {
		names = append(names, "option")
	}
	if len(list) < 3 && choice.label == "" {
		return
	}
	d := draft{
		typ: typ, layer: session.LayerUser, conf: min(conf, confUser), record: s.record, time: s.time, span: body,
		cue: strings.Join(names, ", "), place: passage.User,
	}
	d.signs = w.spokenSigns(&s, body, names, conf, typ)
	asksOnly := strings.HasSuffix(strings.TrimRight(body, " )\"'"), "?")
	if choice.label != "" && !asksOnly {
		d.conf, d.typ, d.signs, d.layer = confUser, memory.Decision, nil, session.LayerAnswer
	}
	if s.refused {
		d.layer = session.LayerAnswer
	}
	w.phrase(&d, body, choice, rest, s)
	if d.signs != nil {
		w.judged(&d)
		w.typed(&d)
		d.outright(body, s.refused)
		if d.subject == untitled && !objects(body) || d.conf < confRule && (asksOnly || s.opening) {
			d.conf = min(d.conf, confUntitled)
		}
	}
	if d.conf >= confNoted || w.opt.Trace != nil {
		w.overrule(w.add(d), body)
	}
}

// outright keeps what the user laid down in so many words, whatever the weights
// say: a choice with its reason, and a standing rule.
func (d *draft) outright(body string, refused bool) {
	t := " " + strings.Join(prose.Words(body), " ") + " "
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(p string) bool { return strings.Contains(t, " "+p+" ") })
	}
	chose := has("i chose", "we chose", "i decided", "we decided", "i picked", "we picked", "i prefer", "we use", "we went with", "let's use", "lets use", "i want to use")
	over := has("over", "instead of", "rather than", "not")
	reason := has("because", "since", "so that", "due to", "as we", "as it")
	if len(prose.Words(body)) > pastedWords/2 {
		return
	}
	if objects(body) {
		d.typ, d.conf = memory.Preference, max(d.conf, confRule)
		return
	}
	if strings.HasSuffix(strings.TrimRight(body, " )\"'"), "?") {
		return
	}
	switch {
	case chose && over && reason:
		d.typ, d.conf = memory.Decision, max(d.conf, confUser)
	case chose && over:
		d.typ, d.conf = memory.Decision, max(d.conf, confRule)
	case sentence.Stands(body), refused && len(prose.Words(body)) > 3:
		d.conf = max(d.conf, confRule)
	}
}

// score gives the confidence of the user's words, the type their cues suggest,
// and the cues.
func (s *spoken) score(body string, list []string) (float64, memory.Type, []string) {
	conf, typ := passage.WeightOf(passage.User), memory.Decision
	var names []string
	best := 0.0
	hits := passage.UserCues().Hits(list)
	for i, n := range hits {
		if n == 0 {
			continue
		}
		g := passage.UserCues().Groups[i]
		if g.Name == "scope" && len(list) > 25 || g.Name == "request" && s.refused {
			continue
		}
		conf += g.Weight
		names = append(names, "said "+g.Name)
		if g.Type != "" && g.Weight > best && g.Name != "scope" {
			best, typ = g.Weight, g.Type
		}
	}
	if typ == memory.Preference && wishesFor(list) {
		typ = memory.Decision
	}
	asksOnly := strings.HasSuffix(strings.TrimRight(body, " )\"'"), "?")
	switch {
	case s.refused:
		conf += 0.2
		names = append(names, "refused")
		if asksOnly {
			typ = memory.Rejected
		}
	case asksOnly:
		conf -= 0.25
	}
	if asksOnly {
		names = append(names, "asks only")
	}
	if s.opening {
		conf -= 0.3
		names = append(names, "opening")
	}
	if opensRequest(list) && !s.refused {
		conf -= 0.15
		names = append(names, "opens request")
	}
	if s.steer {
		names = append(names, "steer")
	}
	if t := " " + strings.Join(list, " ") + " "; !asksOnly && (strings.Contains(t, " instead of ") || strings.Contains(t, " rather than ")) {
		names = append(names, "said instead")
	}
	if strings.HasSuffix(body, ":") {
		conf -= 0.3
	}
	return conf, typ, names
}

// signs lists what speaks for and against the user's words.
func (w *weigher) spokenSigns(s *spoken, body string, names []string, conf float64, typ memory.Type) []string {
	p := passage.Spoken(body, s.setting)
	p.Subjects = subjectWords(prose.Words(body))
	p.Mean, p.Known = w.about.central(p.Subjects)
	_, p.Said = w.before.central(p.Subjects)
	return p.Signs(names, conf, typ)
}

// wishesFor holds for "I want X to …" and "I want X instead of Y": a decision,
// where "I don't want", "I prefer" and "I worry" are leanings.
func wishesFor(words []string) bool {
	t := " " + strings.Join(words, " ") + " "
	if !strings.Contains(t, " i want ") && !strings.Contains(t, " we want ") {
		return false
	}
	for _, p := range []string{" don't want ", " do not want ", " worry ", " worried ", " never ", " always "} {
		if strings.Contains(t, p) {
			return false
		}
	}
	return strings.Contains(t, " instead ") || strings.Contains(t, " to be ") || strings.Contains(t, " replace ") || strings.Contains(t, " to use ") ||
		strings.Contains(t, " called ")
}

// phrase gives the user's words a title and a text that can be read alone.
func (w *weigher) phrase(d *draft, body string, choice option, rest string, s spoken) {
	if choice.label != "" {
		d.title = "Chose: " + choice.label
		if rest != "" {
			d.title = "Chose: " + prose.Clip(choice.label, 60) + ", " + rest
		}
		d.text = "User: " + quoted(body) + "\nOption: " + prose.ClipWords(choice.label, 40)
		if choice.text != "" {
			d.text += " — " + choice.text
		}
		if others := othersThan(choice, s.before); others != "" {
			d.text += "\nNot chosen: " + prose.ClipWords(others, 40)
		}
		if q := questionIn(s.before); q != "" {
			d.text += "\n" + askedLine + prose.ClipWords(q, 35)
		}
		return
	}
	d.title = titleOfWords(body, false)
	if wants := wantsBy(s.answered.reply); wants != "" && objects(body) && (d.title == "" || strings.HasSuffix(d.title, "?")) {
		d.title = wants // the agent says what the question only implies
	}
	if d.title == "" {
		d.title = prose.Clip(body, passage.TitleLimit)
		d.subject = untitled
	}
	d.text = prose.ClipWords(body, 70)
	switch {
	case s.answered.reply != "" && objects(body):
		if s.answered.insists != "" {
			d.text += "\nUser: " + quoted(s.answered.insists)
		}
		d.text += "\n" + agentLine + prose.ClipWords(oneLine(s.answered.reply), 40)
	case s.about != "":
		d.text += "\n" + refusedLine + prose.ClipWords(s.about, 20)
	case len(prose.Words(body)) < 15:
		if topic := topicOf(s.before); topic != "" {
			d.text += "\n" + replyLine + topic
		}
	}
}

// wantsBy finds the sentence of a message that says what the user wants, "" if none does.
func wantsBy(reply string) string {
	for _, x := range prose.Sentences(oneLine(reply)) {
		t := " " + strings.Join(prose.Words(prose.Clip(x, 60)), " ") + " "
		if strings.HasPrefix(t, " the user wants ") || strings.HasPrefix(t, " the user prefers ") || strings.HasPrefix(t, " the user asked for ") {
			return sentence.Shortened(x, passage.TitleLimit)
		}
	}
	return ""
}

// untitled marks what no title was found for.
const untitled = "?"

// titleOfWords finds the sentence that carries the user's will, whole or by its
// main clause: the first that decides something and can be read alone, else the
// first that decides something, else the first. Work to be done at once is no
// will that anybody needs to know later. With about the title stands behind words that name
// what it is about.
func titleOfWords(body string, about bool) string {
	best, most := "", 0
	for _, s := range typed(body) {
		t := sentence.Shortened(sentence.Bare(s), passage.TitleLimit)
		if main, rest, found := strings.Cut(sentence.Bare(s), ", but "); t == "" && found {
			t = sentence.Shortened(main, passage.TitleLimit) // the text has the rest
			if rest = strings.TrimPrefix(rest, "I think "); sentence.Opening(strings.ToLower(prose.FirstWord(main))) == "you" && sentence.States(rest) && (about || !sentence.Dangles(prose.Words(rest))) {
				t = cmp.Or(sentence.Shortened(rest, passage.TitleLimit), t) // it only agrees before
			}
		}
		words := prose.Words(t)
		if t == "" || len(words) < 3 || refersOnly(words) || !sentence.Balanced(t) || passing(prose.Words(s)) || opensRequest(words) && !sentence.Stands(s) && !sentence.Objects(s) {
			continue
		}
		worth := 1
		if decides(t) {
			worth += 2
		}
		if !sentence.Dangles(words) && !strings.HasSuffix(t, "?") {
			worth++
		}
		if len(words) < sentence.Least && prose.Identifiers(t) == 0 {
			worth--
		}
		if worth > most {
			best, most = t, worth
		}
	}
	return best
}

// refersOnly holds for a few words about what stands around them, "lets do that", and for
// a question about it, "does that mean …".
func refersOnly(words []string) bool {
	around := []string{"that", "this", "it", "so", "them", "those", "these"}
	if slices.Contains([]string{"does", "do", "did", "is", "are"}, words[0]) && len(words) > 1 && slices.Contains(around, words[1]) {
		return true
	}
	return len(words) < sentence.Least && slices.Contains(around, words[len(words)-1])
}

// typed are the sentences of what somebody typed, who may begin them in lower case: a
// plain word and a full stop end one.
func typed(body string) []string {
	var out []string
	for _, s := range prose.Sentences(body) {
		from, code := 0, false
		for i := 0; i < len(s); i++ {
			switch {
			case s[i] == '`':
				code = !code
			case !code && s[i] == ' ' && plainEnd(s[from:i]):
				out, from = append(out, s[from:i]), i+1
			}
		}
		out = append(out, s[from:])
	}
	return out
}

// plainEnd reports whether words end in a full stop behind a word of letters alone, and no
// abbreviation.
func plainEnd(s string) bool {
	word, ends := strings.CutSuffix(s[strings.LastIndexByte(s, ' ')+1:], ".")
	return ends && len(word) > 3 && strings.Trim(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz'") == "" && !slices.Contains([]string{"incl", "resp", "approx"}, word)
}

// passing holds for a sentence of the user that is about the work at hand: that
// something is fine or does not matter, that it fails, what they wonder, and what
// comes next.
func passing(words []string) bool {
	t := " " + strings.Join(words, " ") + " "
	return slices.ContainsFunc([]string{
		" doesn't matter ", " doesn't really matter ", " does not matter ", " to be honest ", " is okay ", " are okay ", " is fine ", " are fine ",
		" still there ", " i just ran ", " there is a bug ", " there's a bug ", " seems to be broken ", " still broken ", " still failing ", " still fails ", " still an issue ", " i was thinking ", " i'm thinking ", " wondering ", " validate with you ", " wanted to validate ",
		" let's deal with ", " lets deal with ", " another agent ", " please confirm ", " you know what to do ", " lets do that ", " let's do that ",
	}, func(p string) bool { return strings.Contains(t, p) })
}

// opensRequest holds for "can you …", "please …", "check …": work to be done,
// which the commit will show.
func opensRequest(words []string) bool {
	switch words[0] {
	case "ok", "okay", "yes", "now", "and", "then", "so":
		words = words[1:]
	}
	if len(words) == 0 {
		return true
	}
	switch words[0] {
	case "let's", "lets":
		return len(words) == 1 || slices.Contains([]string{"implement", "do", "try", "start", "go", "look", "see", "continue", "commit", "begin"}, words[1])
	case "i":
		return len(words) > 2 && (words[1] == "want" && words[2] == "you" || words[1] == "think" && words[2] == "there's")
	case "you", "we":
		return len(words) > 1 && (words[1] == "can" || words[1] == "could")
	case "go", "move", "proceed", "execute", "try", "have", "make":
		return len(words) > 1 && (words[1] == "ahead" || words[1] == "to" || words[1] == "on" || words[1] == "a" || words[0] == "proceed" || words[0] == "execute" || words[0] == "try")
	case "can", "could", "please", "check", "look", "explain", "show", "tell", "what", "how", "why", "implement", "commit", "push",
		"run", "summarize", "review", "find", "search", "read", "update", "create", "write", "continue", "got":
		return true
	}
	return false
}

// objects reports whether the user objects to what the agent does.
func objects(body string) bool {
	return slices.ContainsFunc(prose.Sentences(body), sentence.Objects)
}

func quoted(s string) string { return "“" + prose.ClipWords(s, 40) + "”" }

// decides reports whether a sentence carries the user's will.
func decides(s string) bool {
	n := passage.UserCues().Hits(prose.Words(s))
	return n != nil && (n[0] > 0 || n[1] > 0 || n[2] > 0)
}

// topicOf is the first statement of the agent's message that is being
// answered.
func topicOf(md string) string {
	for _, b := range prose.Blocks(md) {
		if b.Kind == prose.Heading && len(prose.Words(b.Text)) > 2 {
			return prose.Clip(b.Text, 120)
		}
		if f := passage.Facts(b.Text); b.Kind == prose.Paragraph && len(f) > 0 && len(prose.Words(f[0])) > 3 {
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
		if t := b.Source; t != "" && b.Kind != prose.Heading && !isLog(t) {
			paras = append(paras, t)
		}
	}
	body := strings.Join(paras, " ")
	if len(strings.Fields(body)) > pastedWords {
		first, last := paras[0], paras[len(paras)-1]
		switch {
		case len(strings.Fields(first)) <= pastedWords/2:
			body = first
		case len(strings.Fields(last)) <= pastedWords/2:
			body = last
		default:
			return ""
		}
	}
	return oneLine(body)
}

// placed holds for what a checker prints: two places or more such as "43:19
// warning", each a line and a column.
func placed(s string) bool {
	n := 0
	for f := range strings.FieldsSeq(s) {
		line, column, found := strings.Cut(strings.TrimSuffix(f, ":"), ":")
		if found && line != "" && column != "" && strings.Trim(line+column, "0123456789") == "" {
			n++
		}
	}
	return n > 1 && (strings.Contains(s, "warning") || strings.Contains(s, "error"))
}

// isLog holds for lines that a terminal wrote.
func isLog(s string) bool {
	if strings.HasPrefix(s, "$ ") || strings.HasPrefix(s, "at ") || strings.HasPrefix(s, "Traceback") {
		return true
	}
	if placed(s) {
		return true
	}
	marks := 0
	for i := range len(s) {
		switch s[i] {
		case '{', '}', ';', '=', '<', '>', '|', '[', ']', '\\':
			marks++
		}
	}
	return marks > 4 && marks > len(s)/12
}
